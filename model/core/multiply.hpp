// Stage multiply: the exact product of two numbers.
#pragma once

#include "model/core/number.hpp"

namespace assay {

inline Number special_product(const Number& a, const Number& b) {
  if (a.cls == Class::nan) return a;  // the first NaN wins
  if (b.cls == Class::nan) return b;
  if (!a.is_zero() && !b.is_zero()) return Number::infinity(a.negative != b.negative);
  Number made = Number::made_nan();  // zero times infinity
  made.raised = raises::invalid;
  return made;
}

//   1.mmm x 1.mmm = pp.mmmmmm      never rounded, never normalised
inline Number multiply(const Number& a, const Number& b) {
  if (!a.is_finite() || !b.is_finite()) {
    Number p = special_product(a, b);
    p.raised |= raised_reading(a) | raised_reading(b);
    return p;
  }
  Number p;
  p.raised = a.raised | b.raised;
  p.negative = a.negative != b.negative;
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
