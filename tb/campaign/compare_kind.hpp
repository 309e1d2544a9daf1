// One or several devices held to a reference over generated cases: a unit is a block of cases of one comparison.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_compare(const Order& order);

}  // namespace assay::campaign
