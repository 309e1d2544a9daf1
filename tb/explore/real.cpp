#include "tb/explore/real.hpp"

#include <cmath>
#include <limits>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"

namespace assay {
namespace {

constexpr int double_bits = 53;

Code rounded(const Number& n, const Format& format, Overflow overflow) {
  Result words;
  words.format = format.name;
  words.overflow = overflow;
  if (n.magnitude == 0) return encode(Number::zero(), format, {});
  return encode(round_to_format(n, words, format, words.cut), format, {});
}

}  // namespace

Number number_of(double x) {
  Number n;
  n.negative = std::signbit(x);
  if (x == 0) return n;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);  // 0.1bbb
  n.magnitude = static_cast<u128>(std::ldexp(fraction, double_bits));
  n.quantum = exponent - double_bits;
  n.exponent = exponent - 1;
  return n;
}

double value_of(const Number& n) {
  if (n.cls == Class::nan) return std::numeric_limits<double>::quiet_NaN();
  const double size = n.cls == Class::infinity ? std::numeric_limits<double>::infinity()
                                               : std::ldexp(static_cast<double>(n.magnitude), n.quantum);
  return n.negative ? -size : size;
}

double value_of(Code code, const Format& format) {
  return value_of(decode(code, format, Subnormals::keep, Specials::step));
}

Code saturated(const Number& n, const Format& format) { return rounded(n, format, Overflow::largest); }

//   53 bits . 70 zeros  /  divisor of at most 53 bits   =   at least 70 bits, and one that is sticky
Code saturated_quotient(double x, const Number& divisor, const Format& format) {
  constexpr int zeros = 70;
  assert(divisor.magnitude != 0 && bit_length(divisor.magnitude) <= double_bits);
  Number n = number_of(x);
  const u128 dividend = n.magnitude << zeros;
  n.magnitude = dividend / divisor.magnitude << 1 | (dividend % divisor.magnitude != 0 ? 1 : 0);
  n.quantum = n.quantum - zeros - divisor.quantum - 1;
  n.negative = n.negative != divisor.negative;
  return saturated(n, format);
}

Code nearest_code(const Number& n, const Format& format) {
  return rounded(n, format, format.has_infinity ? Overflow::infinity : Overflow::largest);
}

}  // namespace assay
