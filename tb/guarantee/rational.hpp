// Exact rationals for bounds.
#pragma once

#include <gmpxx.h>

#include <string>

#include "tb/oracle/dyadic.hpp"

namespace assay::guarantee {

using Rational = mpq_class;

Rational power_of_two(long exponent);
Rational rational(const exact::Dyadic& x);

// The e of 2^e <= x < 2^(e+1); x is above zero.
long floor_log2(const Rational& x);

// 0 for 0.
Rational floor_to_power(const Rational& x);

// x >= 0, or the next number above it of 96 significant bits where it has more: a bound stays one, and a chain of a
// million operations stays short.
Rational rounded_up(const Rational& x);

// "17 x 2^-25", "1.0732 x 2^-17" (rounded up), "0".
std::string power_text(const Rational& x);
// Rounded down: of what is attained, and of limits.
std::string power_text_below(const Rational& x);

}  // namespace assay::guarantee
