// Stage multiply: the exact product of two numbers.
#pragma once

#include "model/core/number.hpp"

namespace assay {

//   1.mmm x 1.mmm = pp.mmmmmm      never rounded, never normalised
inline Number multiply(const Number& a, const Number& b) {
  const bool negative = a.negative != b.negative;
  if (!a.is_finite() || !b.is_finite()) {
    if (a.cls == Class::nan) return a;  // the first NaN wins
    if (b.cls == Class::nan) return b;
    if (a.is_zero() || b.is_zero()) return Number::made_nan();  // zero times infinity
    return Number::infinity(negative);
  }
  Number p;
  p.negative = negative;
  p.magnitude = u128{static_cast<std::uint64_t>(a.magnitude)} * static_cast<std::uint64_t>(b.magnitude);
  if (p.magnitude == 0) return p;
  p.exponent = a.exponent + b.exponent;
  p.quantum = a.quantum + b.quantum;
  return p;
}

// With `product: {exponent: normalised}` the exponent follows the leading one.
inline Number normalise_exponent(Number p) {
  if (p.is_finite() && p.magnitude != 0) p.exponent = leading_exponent(p);
  return p;
}

// |p| >= 2^exponent
inline bool reaches(const Number& p, int exponent) {
  return p.is_finite() && p.magnitude != 0 && leading_exponent(p) >= exponent;
}

}  // namespace assay
