#include "model/core/format.hpp"

#include <algorithm>

#include "model/core/rules.hpp"
#include "model/core/values.hpp"

namespace assay {
namespace {

Code ones(int bits) { return (Code{1} << bits) - 1; }

}  // namespace

int Format::greatest_exponent() const {
  if (is_integer()) return 0;
  if (is_list()) return std::max(values().ascending.front().number.exponent, values().ascending.back().number.exponent);
  return static_cast<int>(greatest_finite() >> mantissa_bits) - bias;
}

// The codes below the sign end so:   .. 111101  111110  111111
//                         all_ones:                       NaN
//     infinity last, NaN all_ones:            infinity    NaN
Code Format::greatest_finite() const {
  if (is_list()) return values().ascending.back().code;
  if (top_exponent_is_special()) return (ones(exponent_bits) << mantissa_bits) - 1;
  const Code taken = (nan == NanCodes::all_ones ? 1 : 0) + (has_infinity ? 1 : 0);
  return ones(exponent_bits + mantissa_bits) - taken;
}

Code Format::infinity() const {
  if (is_list()) return values().infinity.value_or(0);
  return infinity_codes == InfinityCodes::last ? greatest_finite() + 1 : ones(exponent_bits) << mantissa_bits;
}

Code Format::negative_infinity() const {
  return is_list() ? values().negative_infinity.value_or(0) : sign_bit() | infinity();
}

Code Format::quiet_nan() const {
  switch (nan) {
    case NanCodes::none: return 0;
    case NanCodes::ieee: return infinity() | (Code{1} << (mantissa_bits - 1));
    case NanCodes::all_ones: return ones(exponent_bits + mantissa_bits);
    case NanCodes::negative_zero: return sign_bit();
    case NanCodes::listed: return values().nan.value_or(0);
  }
  return 0;
}

const ValueTable& Format::values() const { return lazy->get(); }

std::string complete(Format& format) {
  if (!format.rule.empty()) {
    const FormatRule* rule = find_rule(format.rule);
    if (rule == nullptr) return "there is no rule '" + format.rule + "'; the rules are " + rule_names() + ".";
    if (std::string wrong = rule->complete(format); !wrong.empty()) return wrong;
  } else if (!format.listed.empty()) {
    if (std::string wrong = complete_list(format); !wrong.empty()) return wrong;
  }
  fields_changed(format);
  return "";
}

// Where a number has one bit only, none of them is even: the codes decide.
void fields_changed(Format& format) {
  if (format.kind != FormatKind::floating) return;
  format.lazy.reset();
  if (format.mantissa_bits == 0)
    format.lazy = std::make_shared<LazyValues>([format] { return values_of_fields(format); });
}

}  // namespace assay
