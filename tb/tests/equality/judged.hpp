// One case before the core and before the second judge.
#pragma once

#include <string>

#include "tb/devices/device.hpp"
#include "tb/oracle/vocabulary/interpret.hpp"

namespace assay {

vocabulary::Operands judged_operands(const Plan& plan, const Case& given);

// Empty where both deliver the same d; else a sentence with both. With `nan: propagate`, without an order, every
// NaN equals every other.
std::string verdict_on_d(const Plan& plan, const Case& given, Registers& registers);

// The same of every place both know; `compared` counts them.
std::string verdict_on_places(const Plan& plan, const Case& given, Registers& registers, long& compared);

std::string case_text(const Plan& plan, const Case& given);

}  // namespace assay
