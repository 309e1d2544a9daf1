// Several devices identified: a unit of work is one of them.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_identify(const Order& order);

}  // namespace assay::campaign
