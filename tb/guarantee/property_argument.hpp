// Why a property holds for all operands: derived from the circuit by rules.
#pragma once

#include <string_view>

#include "tb/guarantee/property.hpp"
#include "tb/guarantee/property_trial.hpp"

namespace assay::guarantee {

// The argument, as a sentence; empty where no rule gives one. It is read off what the property says, not its name, so
// that a property of a user's file has it too.
std::string_view argument(const Plan& plan, const Property& property);

}  // namespace assay::guarantee
