#include "tb/oracle/vocabulary/rounding.hpp"

#include <algorithm>
#include <stdexcept>

#include "tb/oracle/vocabulary/listed.hpp"

namespace assay::vocabulary {
namespace {

bool counts_up(bool odd, const mpq_class& rest, bool negative, Cut cut) {
  const mpq_class half(1, 2);
  switch (cut) {
    case Cut::toward_zero: return false;
    case Cut::down: return negative && rest != 0;
    case Cut::up: return !negative && rest != 0;
    case Cut::nearest_even: return rest > half || (rest == half && odd);
    case Cut::nearest_away: return rest >= half;
    case Cut::nearest_up: return rest > half || (rest == half && !negative);
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

// `magnitude` cut at 2^quantum. Whether a multiple is odd, `odd` says.
template <class Odd>
mpq_class cut_with(const mpq_class& magnitude, bool negative, int quantum, Cut cut, Odd&& odd) {
  const mpq_class units = magnitude * power_of_two(-quantum);
  const mpz_class whole = floor_of(units);
  const bool up = counts_up(odd(whole), units - whole, negative, cut);
  return (up ? mpz_class(whole + 1) : whole) * power_of_two(quantum);
}

bool is_odd(const mpz_class& whole) { return mpz_odd_p(whole.get_mpz_t()) != 0; }

mpz_class nearest_even_of(const mpq_class& x) {
  const mpz_class whole = floor_of(x);
  return counts_up(is_odd(whole), x - whole, false, Cut::nearest_even) ? mpz_class(whole + 1) : whole;
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

// To what the format has between its powers of two. Where that is nothing, the codes are even or odd.
mpq_class cut_to_format(const Result& result, const Format& format, const Value& value, const mpz_class& random) {
  const int exponent = encoded_exponent(format, value.magnitude);
  if (is_stochastic(result.cut))
    return cut_as(result, value.magnitude, value.negative, exponent - format.mantissa_bits, random);
  const auto odd = [&](const mpz_class& whole) {
    if (format.mantissa_bits > 0 || whole == 0) return is_odd(whole);
    return (exponent + format.bias) % 2 != 0;
  };
  return cut_with(value.magnitude, value.negative, exponent - format.mantissa_bits, result.cut, odd);
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

// The numbers of an integer format that a result may become.
struct Ends {
  mpz_class least, most;
};

Ends ends_of(const Result& result, const Format& format) {
  const mpz_class range = mpz_class(1) << format.stored_bits;
  const mpz_class most = format.has_sign ? mpz_class(range / 2 - 1) : mpz_class(range - 1);
  if (!format.has_sign) return {0, most};
  if (format.sign_magnitude) return {mpz_class(-most), most};
  return {result.overflow == Overflow::symmetric ? mpz_class(-most) : mpz_class(-most - 1), most};
}

Value whole(const mpz_class& number, const Format& format) {
  if (number == 0) return zero(false);
  return {Kind::finite, number < 0, abs(number) * power_of_two(-format.fraction_bits), 0};
}

// The last number that a result may be on one side of zero.
Value last_on(bool negative, const Result& result, const Format& format) {
  if (format.is_integer()) {
    const Ends ends = ends_of(result, format);
    return whole(negative ? ends.least : ends.most, format);
  }
  if (negative && !format.has_sign) return zero(false);
  if (format.is_list()) return last_of_list(negative, format);
  return {Kind::finite, negative, greatest(format), format.greatest_exponent()};
}

// The rule of IEEE 754: of the last number and infinity, the one that this direction of rounding has.
bool rounds_to_infinity(Cut cut, const Value& last, const Format& format) {
  if (cut == Cut::up) return !last.negative;
  if (cut == Cut::down) return last.negative;
  if (cut == Cut::to_odd) return (encode(format, last) >> format.ignored_low_bits) % 2 == 0;
  return cut != Cut::toward_zero;
}

Value in_integer(const Result& result, const Format& format, const Value& value, const mpz_class& random) {
  const mpq_class unit = power_of_two(-format.fraction_bits);
  mpz_class number =
      mpq_class(cut_as(result, value.magnitude, value.negative, -format.fraction_bits, random) / unit).get_num();
  if (value.negative) number = -number;
  if (result.overflow == Overflow::wrap) return whole(wrapped(number, format), format);
  const Ends ends = ends_of(result, format);
  if (number < ends.least || number > ends.most) return overflowed(number < 0, result, format);
  return whole(number, format);
}

bool lacks_sign(const Format& format) { return !format.is_integer() && !format.has_sign; }

Value infinite_in_format(const Result& result, const Format& format, const Value& value) {
  if (value.negative && lacks_sign(format)) return result.negative == OfNegative::zero ? zero(false) : nan(true);
  if (result.infinity == OfInfinity::nan) return nan(value.negative);
  return result.infinity == OfInfinity::keep ? value : last_on(value.negative, result, format);
}

Value nan_in_format(const Result& result, const Format& format, const Value& value) {
  switch (result.nan) {
    case OfNan::keep: return value;
    case OfNan::positive: return nan(false);
    case OfNan::zero: return zero(false);
    case OfNan::largest: return last_on(false, result, format);
  }
  return value;
}

}  // namespace

Value overflowed(bool negative, const Result& result, const Format& format) {
  const Value last = last_on(negative, result, format);
  const bool infinite = result.overflow == Overflow::infinity ||
                        (result.overflow == Overflow::directed && rounds_to_infinity(result.cut, last, format));
  if (infinite) return infinity(negative);
  if (result.overflow == Overflow::top)
    return {Kind::finite, negative, power_of_two(format.greatest_exponent()), format.greatest_exponent()};
  return result.overflow == Overflow::nan ? nan(negative) : last;
}

Value below_zero(const Result& result) {
  const bool up_to_zero = result.cut == Cut::toward_zero || result.cut == Cut::up;
  const bool as_zero = result.negative == OfNegative::directed ? up_to_zero : result.negative == OfNegative::zero;
  return as_zero ? zero(false) : nan(true);
}

mpq_class cut_at(const mpq_class& magnitude, bool negative, int quantum, Cut cut) {
  return cut_with(magnitude, negative, quantum, cut, is_odd);
}

namespace {

Value with_its_zeros(const Result& result, const Format& format, const Value& value, const mpz_class& random);

}  // namespace

Value in_format(const Result& result, const Format& format, const Value& value, const mpz_class& random) {
  const Value left = with_its_zeros(result, format, value, random);
  return is_zero(left) && result.minus_zero == MinusZero::never ? zero(false) : left;
}

namespace {

Value with_its_zeros(const Result& result, const Format& format, const Value& value, const mpz_class& random) {
  if (value.kind == Kind::infinity) return infinite_in_format(result, format, value);
  if (value.kind == Kind::nan) return nan_in_format(result, format, value);
  if (format.is_integer()) return in_integer(result, format, value, random);
  if (is_zero(value)) return zero(value.negative && format.has_signed_zero);
  if (format.is_list()) return in_list(result, format, value);

  const mpq_class rounded = cut_to_format(result, format, value, random);
  if (result.subnormals != Subnormals::keep && is_tiny(result, format, value, rounded, random)) {
    return zero(result.subnormals == Subnormals::signed_zero && value.negative && format.has_signed_zero);
  }
  if (rounded == 0) return zero(value.negative && format.has_signed_zero);
  if (value.negative && !format.has_sign) return below_zero(result);
  const bool at_top = result.overflow == Overflow::top && rounded >= power_of_two(format.greatest_exponent());
  if (at_top || rounded > greatest(format)) return overflowed(value.negative, result, format);
  return {Kind::finite, value.negative, rounded, encoded_exponent(format, rounded)};
}

// A register is an integer of so many bits, the last of which weighs 2^quantum.
Value in_register(const Result& result, Value value, int quantum) {
  Format counter;
  counter.kind = FormatKind::integer;
  counter.stored_bits = *result.bits;
  mpz_class number = mpq_class(value.magnitude * power_of_two(-quantum)).get_num();
  if (value.negative) number = -number;
  const Ends ends = ends_of(result, counter);
  if (number >= ends.least && number <= ends.most) return value;
  if (result.overflow == Overflow::wrap) {
    number = wrapped(number, counter);
  } else {
    number = value.negative ? ends.least : ends.most;
  }
  value.negative = number < 0;
  value.magnitude = abs(number) * power_of_two(quantum);
  return value;
}

}  // namespace

Value in_bits(const Result& result, const Value& value, const mpz_class& random) {
  if (is_zero(value)) return value;
  if (result.at == ResultAt::window) {
    const int quantum = *value.exponent - result.keep;
    Value shorter = value;
    shorter.magnitude = cut_as(result, value.magnitude, value.negative, quantum, random);
    return result.bits ? in_register(result, shorter, quantum) : shorter;
  }
  const int leading = floor_log2(value.magnitude);
  const int top = std::max(leading, result.least_exponent.value_or(leading));
  const mpq_class cut = cut_as(result, value.magnitude, value.negative, top - result.keep, random);
  // 1.11..1 may have become 10.00..0
  return {Kind::finite, value.negative, cut, cut == 0 ? top : std::max(top, floor_log2(cut))};
}

}  // namespace assay::vocabulary
