#include "tb/guarantee/rational.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::guarantee {
namespace {

long bits(const mpz_class& x) { return static_cast<long>(mpz_sizeinbase(x.get_mpz_t(), 2)); }

mpz_class shifted(const mpz_class& x, long left) {
  return left >= 0 ? mpz_class(x << static_cast<mp_bitcnt_t>(left)) : mpz_class(x >> static_cast<mp_bitcnt_t>(-left));
}

// ceil(x / 2^unit)
mpz_class units_above(const Rational& x, long unit) {
  const Rational scaled = x * power_of_two(-unit);
  mpz_class units;
  mpz_cdiv_q(units.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  return units;
}

}  // namespace

Rational power_of_two(long exponent) {
  return exponent >= 0 ? Rational(shifted(1, exponent)) : Rational(1, shifted(1, -exponent));
}

Rational rational(const exact::Dyadic& x) { return Rational(x.significand) * power_of_two(x.exponent); }

long floor_log2(const Rational& x) {
  const long near = bits(x.get_num()) - bits(x.get_den());
  return x < power_of_two(near) ? near - 1 : near;
}

Rational floor_to_power(const Rational& x) { return sgn(x) == 0 ? x : power_of_two(floor_log2(x)); }

Rational rounded_up(const Rational& x) {
  constexpr long significant = 96;
  if (sgn(x) == 0 || (bits(x.get_num()) <= significant && bits(x.get_den()) <= 2 * significant)) return x;
  const long unit = floor_log2(x) + 1 - significant;
  return Rational(units_above(x, unit)) * power_of_two(unit);
}

namespace {

using Divided = void(mpz_ptr, mpz_srcptr, mpz_srcptr);

std::string power_text(const Rational& x, Divided* divided) {
  if (sgn(x) == 0) return "0";
  constexpr unsigned long most_units = 9999, digits = 10'000;
  const mpz_class &n = x.get_num(), &d = x.get_den();
  if (mpz_scan1(d.get_mpz_t(), 0) == static_cast<mp_bitcnt_t>(bits(d) - 1)) {
    const long zeros = static_cast<long>(mpz_scan1(n.get_mpz_t(), 0));
    const mpz_class odd = shifted(n, -zeros);
    const long exponent = zeros - (bits(d) - 1);
    if (d == 1 && n <= most_units) return n.get_str();
    if (odd == 1) return fmt::format("2^{}", exponent);
    if (odd <= most_units) return fmt::format("{} x 2^{}", odd.get_str(), exponent);
  }
  const long exponent = floor_log2(x);
  const Rational scaled = x * power_of_two(-exponent) * Rational(digits);
  mpz_class parts;
  divided(parts.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  const unsigned long all = parts.get_ui();
  return fmt::format("{}.{:04} x 2^{}", all / digits, all % digits, exponent);
}

}  // namespace

std::string power_text(const Rational& x) { return power_text(x, mpz_cdiv_q); }

std::string power_text_below(const Rational& x) { return power_text(x, mpz_fdiv_q); }

}  // namespace assay::guarantee
