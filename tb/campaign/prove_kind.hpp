// Proofs of several units: a unit of work is one claim of one DUT file.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_prove(const Order& order);

}  // namespace assay::campaign
