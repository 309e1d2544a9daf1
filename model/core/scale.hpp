// Stage scale: a product or group sum times its block's two scales, exactly.
#pragma once

#include "model/core/number.hpp"

namespace assay {

inline Number scale(Number n, const Number& scale_a, const Number& scale_b) {
  if (n.cls == Class::nan) return n;
  if (scale_a.cls == Class::nan) return scale_a;
  if (scale_b.cls == Class::nan) return scale_b;
  const bool zero_scale = scale_a.is_zero() || scale_b.is_zero();
  if (!n.is_finite()) return zero_scale ? Number::nan(true) : n;
  if (zero_scale) return Number::zero(n.negative);
  n.magnitude *= scale_a.magnitude * scale_b.magnitude;
  n.quantum += scale_a.quantum + scale_b.quantum;
  if (n.has_exponent()) n.exponent += scale_a.exponent + scale_b.exponent;
  return n;
}

}  // namespace assay
