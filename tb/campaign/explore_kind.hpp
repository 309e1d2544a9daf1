// A study: a unit is one of its units of work, and a shard's part the journal of these.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_explore(const Order& order);

}  // namespace assay::campaign
