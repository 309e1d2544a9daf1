// Why a property holds for all operands: derived from the circuit by rules.
#pragma once

#include <string_view>

#include "tb/guarantee/property.hpp"
#include "tb/guarantee/property_trial.hpp"

namespace assay::guarantee {

// The argument, as a sentence; empty where no rule gives one. It is read off what the property says, not its name, so
// that a property of a user's file has it too.
std::string_view argument(const Plan& plan, const Property& property);

// Where d is the exact sum of all terms, rounded once: the result that rounds it. None elsewhere.
const ResultPlan* rounding_of_exact_sum(const Plan& plan);

// Whether d is the exact sum of integers modulo 2^bits.
bool sums_wrap(const Plan& plan);

}  // namespace assay::guarantee
