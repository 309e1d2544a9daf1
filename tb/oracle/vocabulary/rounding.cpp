#include "tb/oracle/vocabulary/rounding.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::vocabulary {
namespace {

bool counts_up(const mpz_class& whole, const mpq_class& rest, bool negative, Cut cut) {
  const mpq_class half(1, 2);
  const bool odd = mpz_odd_p(whole.get_mpz_t()) != 0;
  switch (cut) {
    case Cut::toward_zero: return false;
    case Cut::down: return negative && rest != 0;
    case Cut::up: return !negative && rest != 0;
    case Cut::nearest_even: return rest > half || (rest == half && odd);
    case Cut::nearest_away: return rest >= half;
    case Cut::to_odd: return rest != 0 && !odd;
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: break;  // by_chance
  }
  throw std::logic_error("A stochastic cut was asked for without its random word.");
}

mpz_class floor_of(const mpq_class& x) {
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  return whole;
}

mpz_class nearest_even_of(const mpq_class& x) {
  const mpz_class whole = floor_of(x);
  return counts_up(whole, x - whole, false, Cut::nearest_even) ? mpz_class(whole + 1) : whole;
}

// IEEE P3109's StochasticA, StochasticB and StochasticC: whether `rest`, from 0 to below 1, counts as 1 with a random
// word of so many bits.
bool by_chance(const mpq_class& rest, const Result& result, const mpz_class& word) {
  const mpq_class steps = power_of_two(result.random_bits);
  if (result.cut == Cut::stochastic_a) return floor_of(rest * steps) + word >= steps;
  if (result.cut == Cut::stochastic_b) return floor_of(rest * steps * 2) + 2 * word + 1 >= 2 * steps;
  return nearest_even_of(rest * steps) + word >= steps;
}

mpq_class cut_as(const Result& result, const mpq_class& magnitude, bool negative, int quantum,
                 const mpz_class& random) {
  if (!is_stochastic(result.cut)) return cut_at(magnitude, negative, quantum, result.cut);
  const mpq_class units = magnitude * power_of_two(-quantum);
  const mpz_class whole = floor_of(units), words = mpz_class(1) << static_cast<mp_bitcnt_t>(result.random_bits);
  const bool up = by_chance(units - whole, result, random % words);
  return (up ? mpz_class(whole + 1) : whole) * power_of_two(quantum);
}

// The leading one's exponent, but not below that of the format's subnormals.
int encoded_exponent(const Format& format, const mpq_class& magnitude) {
  return std::max(floor_log2(magnitude), format.least_exponent());
}

bool is_tiny(const Result& result, const Format& format, const Value& value, const mpq_class& rounded,
             const mpz_class& random) {
  const mpq_class least_normal = power_of_two(format.least_exponent());
  switch (result.tiny) {
    case Tiny::result: return rounded < least_normal;
    case Tiny::before: return value.magnitude < least_normal;
    case Tiny::after: {
      const int quantum = floor_log2(value.magnitude) - format.mantissa_bits;
      return cut_as(result, value.magnitude, value.negative, quantum, random) < least_normal;
    }
  }
  return false;
}

mpz_class wrapped(mpz_class number, const Format& format) {
  const mpz_class range = mpz_class(1) << format.stored_bits;
  mpz_fdiv_r(number.get_mpz_t(), number.get_mpz_t(), range.get_mpz_t());
  if (format.has_sign && number >= range / 2) number -= range;
  return number;
}

mpz_class saturated(const mpz_class& number, const Format& format) {
  const mpz_class range = mpz_class(1) << format.stored_bits;
  const mpz_class least = format.has_sign ? mpz_class(-range / 2) : mpz_class(0);
  const mpz_class most = least + range - 1;
  return std::clamp(number, least, most);
}

Value in_integer(const Result& result, const Format& format, const Value& value, const mpz_class& random) {
  mpz_class number = cut_as(result, value.magnitude, value.negative, 0, random).get_num();
  if (value.negative) number = -number;
  number = result.overflow == Overflow::wrap ? wrapped(number, format) : saturated(number, format);
  if (number == 0) return zero(false);
  return {Kind::finite, number < 0, abs(number), 0};
}

}  // namespace

mpq_class cut_at(const mpq_class& magnitude, bool negative, int quantum, Cut cut) {
  const mpq_class units = magnitude * power_of_two(-quantum);
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), units.get_num_mpz_t(), units.get_den_mpz_t());
  const mpq_class rest = units - whole;
  if (counts_up(whole, rest, negative, cut)) whole += 1;
  return whole * power_of_two(quantum);
}

Value in_format(const Result& result, const Format& format, const Value& value, const mpz_class& random) {
  if (format.is_integer()) return in_integer(result, format, value, random);
  if (is_zero(value)) return zero(value.negative && format.has_signed_zero);

  const int quantum = encoded_exponent(format, value.magnitude) - format.mantissa_bits;
  mpq_class rounded = cut_as(result, value.magnitude, value.negative, quantum, random);
  if (rounded > greatest(format)) {
    if (result.overflow == Overflow::infinity) return infinity(value.negative);
    rounded = greatest(format);
  }
  if (result.subnormals != Subnormals::keep && is_tiny(result, format, value, rounded, random)) {
    return zero(result.subnormals == Subnormals::signed_zero && value.negative && format.has_signed_zero);
  }
  if (rounded == 0) return zero(value.negative && format.has_signed_zero);
  return {Kind::finite, value.negative, rounded, encoded_exponent(format, rounded)};
}

Value in_bits(const Result& result, const Value& value, const mpz_class& random) {
  if (is_zero(value)) return value;
  if (result.at == ResultAt::window) {
    Value shorter = value;
    shorter.magnitude = cut_as(result, value.magnitude, value.negative, *value.exponent - result.keep, random);
    return shorter;
  }
  const int leading = floor_log2(value.magnitude);
  const int top = std::max(leading, result.least_exponent.value_or(leading));
  const mpq_class cut = cut_as(result, value.magnitude, value.negative, top - result.keep, random);
  // 1.11..1 may have become 10.00..0
  return {Kind::finite, value.negative, cut, cut == 0 ? top : std::max(top, floor_log2(cut))};
}

}  // namespace assay::vocabulary
