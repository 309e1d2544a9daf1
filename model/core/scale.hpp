// Stage scale: a product or group sum times its block's two scales, exactly.
#pragma once

#include "model/core/number.hpp"

namespace assay {

inline Number one_scale() {
  Number one;
  one.magnitude = 1;
  one.exponent = 0;
  return one;
}

// A sum or product that has no exponent gets none, and a scale of zero leaves none.
inline Number scale(Number n, const Number& scale_a, const Number& scale_b) {
  const auto raising = [&, raised = raised_reading(n)](Number made) {
    made.raised |= raised | raised_reading(scale_a) | raised_reading(scale_b);
    return made;
  };
  if (n.cls == Class::nan) return raising(n);
  if (scale_a.cls == Class::nan) return raising(scale_a);
  if (scale_b.cls == Class::nan) return raising(scale_b);
  n.negative = n.negative != (scale_a.negative != scale_b.negative);
  const bool zero_scale = scale_a.is_zero() || scale_b.is_zero();
  if (!n.is_finite() || !scale_a.is_finite() || !scale_b.is_finite()) {
    Number made = zero_scale || n.is_zero() ? Number::made_nan() : Number::infinity(n.negative);
    if (made.cls == Class::nan) made.raised = raises::invalid;
    return raising(made);
  }
  if (zero_scale) return raising(Number::zero(n.negative));
  n.magnitude *= scale_a.magnitude * scale_b.magnitude;
  n.quantum += scale_a.quantum + scale_b.quantum;
  if (n.has_exponent()) n.exponent += scale_a.exponent + scale_b.exponent;
  return n;
}

// Times one scale of a list.
inline Number scale(const Number& n, const Number& by) { return scale(n, by, one_scale()); }

}  // namespace assay
