// What generated cases exercise of a datapath: a unit is a block of cases.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_coverage(const Order& order);

}  // namespace assay::campaign
