// Mutants of RTL that scripts/mutate_rtl made, each held to the model until a case kills it: a unit is a mutant.
#pragma once

#include "tb/campaign/work.hpp"

namespace assay::campaign {

std::unique_ptr<Job> open_mutants(const Order& order);

}  // namespace assay::campaign
