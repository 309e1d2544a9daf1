#include "model/core/case_operands.hpp"

#include <string>

namespace assay {

Format random_format(int bits) {
  Format f;
  f.name = "random" + std::to_string(bits);
  f.kind = FormatKind::integer;
  f.stored_bits = bits;
  f.has_sign = false;
  f.has_signed_zero = false;
  return f;
}

bool are_within(const std::vector<CaseOperand>& changed, const std::vector<CaseOperand>& right) {
  if (changed.size() > right.size()) return false;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const CaseOperand &x = changed[i], &y = right[i];
    if (x.name != y.name || x.first != y.first || x.count > y.count) return false;
  }
  return true;
}

Number integer_number(int value) {
  Number n;
  n.negative = value < 0;
  n.magnitude = static_cast<u128>(value < 0 ? -i128{value} : i128{value});
  if (value != 0) n.exponent = 0;
  return n;
}

Number minus_zero_point(const Number& q, const Number& z) {
  const auto signed_of = [](const Number& n) {
    const auto magnitude = static_cast<i128>(n.magnitude);
    return n.negative ? -magnitude : magnitude;
  };
  const i128 difference = signed_of(q) - signed_of(z);
  Number n;
  n.negative = difference < 0;
  n.magnitude = static_cast<u128>(n.negative ? -difference : difference);
  if (difference != 0) n.exponent = 0;
  return n;
}

}  // namespace assay
