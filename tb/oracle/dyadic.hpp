// Exact binary rationals of any size: significand * 2^exponent. Nothing is lost except where a rounding is asked for.
#pragma once

#include <gmpxx.h>

namespace assay::exact {

struct Dyadic {
  mpz_class significand;  // signed
  long exponent = 0;
};

// nearest_away and nearest_up: a tie goes away from zero, or toward plus infinity.
enum class Rounding { toward_zero, down, nearest_even, nearest_away, nearest_up };

Dyadic operator+(const Dyadic& x, const Dyadic& y);
Dyadic operator-(const Dyadic& x, const Dyadic& y);
Dyadic operator*(const Dyadic& x, const Dyadic& y);

inline int sign(const Dyadic& x) { return sgn(x.significand); }

// The e of 2^e <= |x| < 2^(e+1); x is not zero.
long floor_log2(const Dyadic& x);

// |x| >= 2^power.
bool reaches(const Dyadic& x, long power);

// x / 2^unit, rounded to an integer.
mpz_class units_in(const Dyadic& x, long unit, Rounding rounding);

// x rounded to a multiple of 2^unit.
Dyadic rounded_to_unit(const Dyadic& x, long unit, Rounding rounding);

}  // namespace assay::exact
