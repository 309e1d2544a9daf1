// Generated cases as one vector file: a unit is a block of them, and a shard's part a vector file of its own.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_generate(const Order& order);

}  // namespace assay::campaign
