// Why a result is a NaN or an infinity, as a sentence that names the rule.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

struct NamedNumber {
  std::string name;
  Number number;
};

// What NaNs and infinities among the numbers of one sum decide: "NaN: the infinities of a[0] x b[0] and acc have
// opposite signs". Empty where all are finite.
std::string special_reason(const std::vector<NamedNumber>& numbers);

// How a term came to be what it is: "a[3] is NaN", "a[3] x b[3] is 0 x inf"; for other numbers their name and value.
std::string term_reason(const Trace& trace, int term);

// The same for one step of a lane, whose special place decided something.
std::string step_reason(const Trace& trace, const Number& acc, int lane, int step);

}  // namespace assay
