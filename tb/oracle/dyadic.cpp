#include "tb/oracle/dyadic.hpp"

#include <algorithm>

namespace assay::exact {
namespace {

mpz_class times_power(const mpz_class& x, long power) {
  mpz_class result;
  mpz_mul_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<mp_bitcnt_t>(power));
  return result;
}

mpz_class cut_quotient(const mpz_class& x, long power) {
  mpz_class result;
  mpz_tdiv_q_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<mp_bitcnt_t>(power));
  return result;
}

mpz_class floor_quotient(const mpz_class& x, long power) {
  mpz_class result;
  mpz_fdiv_q_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<mp_bitcnt_t>(power));
  return result;
}

bool tie_goes_up(const mpz_class& floor, Rounding rounding) {
  if (rounding == Rounding::nearest_even) return mpz_odd_p(floor.get_mpz_t()) != 0;
  return rounding == Rounding::nearest_up || floor >= 0;
}

// Nearest is the floor or its successor; what the floor leaves over, against a half, says which.
mpz_class nearest_quotient(const mpz_class& x, long power, Rounding rounding) {
  const mpz_class floor = floor_quotient(x, power);
  const mpz_class twice_rest = 2 * (x - times_power(floor, power));
  const int against_half = cmp(twice_rest, times_power(1, power));
  const bool up = against_half > 0 || (against_half == 0 && tie_goes_up(floor, rounding));
  return up ? mpz_class(floor + 1) : floor;
}

}  // namespace

Dyadic operator+(const Dyadic& x, const Dyadic& y) {
  const long exponent = std::min(x.exponent, y.exponent);
  return {times_power(x.significand, x.exponent - exponent) + times_power(y.significand, y.exponent - exponent),
          exponent};
}

Dyadic operator-(const Dyadic& x, const Dyadic& y) { return x + Dyadic{-y.significand, y.exponent}; }

Dyadic operator*(const Dyadic& x, const Dyadic& y) { return {x.significand * y.significand, x.exponent + y.exponent}; }

long floor_log2(const Dyadic& x) {
  return static_cast<long>(mpz_sizeinbase(x.significand.get_mpz_t(), 2)) - 1 + x.exponent;
}

bool reaches(const Dyadic& x, long power) { return sign(x) != 0 && floor_log2(x) >= power; }

mpz_class units_in(const Dyadic& x, long unit, Rounding rounding) {
  if (x.exponent >= unit) return times_power(x.significand, x.exponent - unit);
  switch (rounding) {
    case Rounding::toward_zero: return cut_quotient(x.significand, unit - x.exponent);
    case Rounding::down: return floor_quotient(x.significand, unit - x.exponent);
    case Rounding::nearest_even:
    case Rounding::nearest_away:
    case Rounding::nearest_up: return nearest_quotient(x.significand, unit - x.exponent, rounding);
  }
  return 0;
}

Dyadic rounded_to_unit(const Dyadic& x, long unit, Rounding rounding) { return {units_in(x, unit, rounding), unit}; }

}  // namespace assay::exact
