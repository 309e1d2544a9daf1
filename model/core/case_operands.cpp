#include "model/core/case_operands.hpp"

#include <string>
#include <utility>

namespace assay {

namespace {

// Whole numbers from 0 on.
Format words_of(int bits, std::string name) {
  Format f;
  f.name = std::move(name);
  f.kind = FormatKind::integer;
  f.stored_bits = bits;
  f.has_sign = false;
  f.has_signed_zero = false;
  return f;
}

std::string text_of(int count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace

Format random_format(int bits) { return words_of(bits, "random" + std::to_string(bits)); }

Format mask_format() { return words_of(1, "bit"); }

std::string mask_problem(const std::string& name, const Mask& pattern, const Code* codes, int count) {
  if (!pattern.has_pattern()) return "";
  const int among = *pattern.among, take = *pattern.take;
  for (int first = 0; first < count; first += among) {
    const std::string group = name + "[" + std::to_string(first) + "] to [" + std::to_string(first + among - 1) + "]";
    int on = 0;
    for (int i = first; i < first + among; ++i) {
      on += codes[i] == 0 ? 0 : 1;
      const int start = i - i % pattern.unit;
      if ((codes[i] == 0) != (codes[start] == 0))
        return name + "[" + std::to_string(start) + "] to [" + std::to_string(start + pattern.unit - 1) +
               "] are one unit and go on or off together; here they differ.";
    }
    if (on != take)
      return group + " has " + text_of(on, "bit") + " on; of each " + std::to_string(among) + " neighbours " +
             (take == 1 ? "exactly 1 is" : "exactly " + std::to_string(take) + " are") + " on here.";
  }
  return "";
}

std::string mask_problem(const CaseOperand& operand, const Code* codes) {
  if (operand.kind != CaseOperandKind::mask) return "";
  return mask_problem(operand.name, operand.pattern, codes + operand.first, operand.count);
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
