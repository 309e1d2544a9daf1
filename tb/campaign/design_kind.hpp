// The space of `assay design`, every point of it: a unit is one wiring with all points that share it.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_design(const Order& order);

}  // namespace assay::campaign
