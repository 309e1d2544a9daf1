// Posits: a run of equal bits says the regime, whatever is left says exponent and fraction.
#include <algorithm>

#include "model/core/rules.hpp"
#include "model/core/values.hpp"

namespace assay {
namespace {

struct Shape {
  int bits = 0, es = 0;
};

//   s | r r r r !r | e e | f f f      k bits r: the regime is k - 1 where they are ones, -k where they are zeros;
//                                     bits that are not there any more are zeros
Number magnitude_of(Code code, Shape shape) {
  const int below_sign = shape.bits - 1;
  const auto bit = [&](int i) { return i >= 0 && i < below_sign && (code >> i & 1) != 0; };
  const bool ones = bit(below_sign - 1);
  int run = 0;
  while (run < below_sign && bit(below_sign - 1 - run) == ones) ++run;
  const int regime = ones ? run - 1 : -run;
  int at = below_sign - 1 - run - 1;
  int exponent = 0;
  for (int i = 0; i < shape.es; ++i) exponent = 2 * exponent + (bit(at--) ? 1 : 0);
  const int fraction_bits = std::max(0, at + 1);
  Number n;
  n.magnitude = u128{1} << fraction_bits | (code & static_cast<Code>(low_mask(fraction_bits)));
  n.exponent = regime * (1 << shape.es) + exponent;
  n.quantum = n.exponent - fraction_bits;
  return n;
}

Number number_of(Code code, Shape shape) {
  const Code sign = Code{1} << (shape.bits - 1);
  if (code == 0) return Number::zero();
  if (code == sign) return Number::nan();
  if ((code & sign) == 0) return magnitude_of(code, shape);
  Number n = magnitude_of((~code + 1) & (sign | (sign - 1)), shape);
  n.negative = true;
  return n;
}

// Between two codes stands the code that is one bit longer and ends in a one. Nothing rounds to zero: zero ends at
// zero.
ValueTable values(Shape shape, int mantissa_bits) {
  std::vector<Number> numbers;
  for (Code code = 0; code < Code{1} << shape.bits; ++code)
    numbers.push_back(normalised(number_of(code, shape), mantissa_bits));
  ValueTable t = table_of(std::move(numbers), [&](const ListedValue& lower, const ListedValue& upper) {
    if (lower.number.magnitude == 0 || upper.number.magnitude == 0) return Number::zero();
    return number_of(lower.code << 1 | 1, {shape.bits + 1, shape.es});
  });
  t.ties = Ties::even_code;
  return t;
}

std::string fill(Format& f) {
  std::string wrong;
  const std::optional<int> bits = parameter(f, "bits", 3, most_list_bits, wrong), es = parameter(f, "es", 0, 4, wrong);
  if (!bits || !es) return wrong;
  f.kind = FormatKind::values;
  f.stored_bits = *bits;
  f.has_sign = f.has_zero = true;
  f.has_signed_zero = f.has_infinity = false;
  f.nan = NanCodes::listed;
  f.mantissa_bits = std::max(0, *bits - 3 - *es);
  f.bias = (*bits - 2) << *es;
  f.lazy = std::make_shared<LazyValues>(
      [shape = Shape{*bits, *es}, mantissa_bits = f.mantissa_bits] { return values(shape, mantissa_bits); });
  return "";
}

}  // namespace

FormatRule posit_rule() {
  return {"posit",
          "sign, regime, exponent and fraction; rounded as a bit string, never to zero or NaR",
          {{"bits", "3 to 16"}, {"es", "0 to 4: bits of the exponent"}},
          fill};
}

}  // namespace assay
