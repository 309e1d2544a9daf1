// How good a set of cases is: a unit is a mutant of a datapath; where one datapath is scored, a block of cases for its
// coverage as well.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_score(const Order& order);

}  // namespace assay::campaign
