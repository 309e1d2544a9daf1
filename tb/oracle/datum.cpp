#include "tb/oracle/datum.hpp"

#include <algorithm>
#include <vector>

#include "tb/oracle/listed_meaning.hpp"

namespace assay::exact {
namespace {

Code ones(int bits) { return bits >= 64 ? ~Code{0} : (Code{1} << bits) - 1; }

// The fields of a format that the table has as a list of values: what reads them otherwise says the algorithm.
Format as_fields(std::string_view name, std::string_view like) {
  Format format = *find_format(like);
  format.name = name;
  return format;
}

const std::vector<Format>& own_formats() {
  static const std::vector<Format> formats{as_fields("e5m2_as_f16", "e5m2"), as_fields("e4m3_as_f16", "e4m3")};
  return formats;
}

// sign | field | mantissa, of the bits that are not ignored.
struct Fields {
  bool negative;
  Code field;
  Code mantissa;
};

Fields split(const Format& format, Code code) {
  const int magnitude_bits = format.exponent_bits + format.mantissa_bits;
  const Code bits = code >> format.ignored_low_bits;
  return {format.has_sign && (bits >> magnitude_bits & 1) != 0,
          bits >> format.mantissa_bits & ones(format.exponent_bits), bits & ones(format.mantissa_bits)};
}

bool is_nan(const Format& format, const Fields& x) {
  const bool top_field = x.field == ones(format.exponent_bits);
  switch (format.nan) {
    case NanCodes::none: return false;
    case NanCodes::ieee: return top_field && x.mantissa != 0;
    case NanCodes::all_ones: return top_field && x.mantissa == ones(format.mantissa_bits);
    case NanCodes::negative_zero: return x.negative && x.field == 0 && x.mantissa == 0;
    case NanCodes::listed: return false;  // a list has no fields, and no instruction of this oracle's is on one
  }
  return false;
}

bool is_infinity(const Format& format, const Fields& x) {
  if (format.has_infinity && format.infinity_codes == InfinityCodes::last) {
    const Code below_sign = x.field << format.mantissa_bits | x.mantissa;
    return below_sign == ones(format.exponent_bits + format.mantissa_bits) - (format.nan == NanCodes::all_ones ? 1 : 0);
  }
  return format.has_infinity && x.field == ones(format.exponent_bits) && x.mantissa == 0;
}

// A code goes into a whole number and comes out of it in one piece: GMP takes and gives an unsigned long.
static_assert(sizeof(mpz_class().get_ui()) == sizeof(Code));

long least_exponent(const Format& format) { return 1 - format.bias; }

// Where the field of all ones is infinity's and NaN's.
long greatest_exponent(const Format& format) { return (1L << format.exponent_bits) - 2 - format.bias; }

Datum number(const Format& format, const Fields& x, long exponent, const mpz_class& magnitude) {
  return {Kind::finite,
          x.negative,
          {x.negative ? mpz_class(-magnitude) : magnitude, exponent - format.mantissa_bits},
          exponent};
}

}  // namespace

const Format* format_called(std::string_view name) {
  for (const Format& format : own_formats()) {
    if (format.name == name) return &format;
  }
  return find_format(name);
}

std::string names_of_formats() { return format_names(); }

// The exponent of a list's number is that of its leading one.
Datum listed(const lists::Meaning& m) {
  if (m.kind == lists::Meaning::nan) return nan();
  if (m.kind == lists::Meaning::infinity) return infinity(m.negative);
  const mpz_class& denominator = m.magnitude.get_den();
  const long exponent = 1 - static_cast<long>(mpz_sizeinbase(denominator.get_mpz_t(), 2));
  const mpz_class magnitude = m.magnitude.get_num();
  const Dyadic value{m.negative ? mpz_class(-magnitude) : magnitude, exponent};
  return {Kind::finite, m.negative, value, magnitude == 0 ? 0 : floor_log2(value)};
}

Datum decode(const Format& format, Code code) {
  if (format.is_list()) return listed(lists::meaning(format, code));
  const Fields x = split(format, code);
  if (is_nan(format, x)) return nan();
  if (is_infinity(format, x)) return infinity(x.negative);
  const bool subnormal = x.field == 0 && format.has_zero;
  const long exponent = subnormal ? least_exponent(format) : static_cast<long>(x.field) - format.bias;
  const mpz_class magnitude = subnormal ? x.mantissa : x.mantissa + (Code{1} << format.mantissa_bits);
  return number(format, x, exponent, magnitude);
}

Datum decode_as_number(const Format& format, Code code) {
  const Fields x = split(format, code);
  const mpz_class magnitude = x.field == 0 ? Code{0} : x.mantissa + (Code{1} << format.mantissa_bits);
  return number(format, x, static_cast<long>(x.field) - format.bias, magnitude);
}

Code encode(const Format& format, const Datum& x) {
  const Code sign_bit = x.negative ? Code{1} << (format.exponent_bits + format.mantissa_bits) : 0;
  const Code top_field = ones(format.exponent_bits) << format.mantissa_bits;
  if (x.kind == Kind::nan) return (top_field | Code{1} << (format.mantissa_bits - 1)) << format.ignored_low_bits;
  if (x.kind == Kind::infinity) return (sign_bit | top_field) << format.ignored_low_bits;
  if (is_zero(x)) return sign_bit << format.ignored_low_bits;
  // 1.mmm counts its leading one as a unit of the field, so the field starts one lower; 0.mmm has none and field 0.
  const long exponent = std::max(floor_log2(x.value), least_exponent(format));
  const mpz_class units = abs(units_in(x.value, exponent - format.mantissa_bits, Rounding::toward_zero));
  const Code field = static_cast<Code>(exponent - least_exponent(format)) << format.mantissa_bits;
  return (sign_bit | (field + units.get_ui())) << format.ignored_low_bits;
}

mpz_class decode_integer(const Format& format, Code code) {
  if (format.sign_magnitude) return decode_magnitude(format, code);
  const mpz_class as_unsigned = code;
  const mpz_class range = mpz_class(1) << static_cast<mp_bitcnt_t>(format.stored_bits);
  return format.has_sign && 2 * as_unsigned >= range ? mpz_class(as_unsigned - range) : as_unsigned;
}

Code encode_integer(const Format& format, const mpz_class& x) {
  if (format.sign_magnitude) {
    const mpz_class magnitude = abs(x);
    return (magnitude.get_ui() & (format.sign_bit() - 1)) | (x < 0 ? format.sign_bit() : 0);
  }
  mpz_class wrapped;
  mpz_fdiv_r_2exp(wrapped.get_mpz_t(), x.get_mpz_t(), static_cast<mp_bitcnt_t>(format.stored_bits));
  return wrapped.get_ui();
}

mpz_class decode_magnitude(const Format& format, Code code) {
  const Code sign_bit = format.has_sign ? Code{1} << (format.stored_bits - 1) : 0;
  const mpz_class magnitude = code & ~sign_bit;
  return (code & sign_bit) != 0 ? mpz_class(-magnitude) : magnitude;
}

Datum product(const Datum& x, const Datum& y) {
  const bool negative = x.negative != y.negative;
  if (x.kind == Kind::nan || y.kind == Kind::nan) return nan();
  if (x.kind == Kind::infinity || y.kind == Kind::infinity) {
    return is_zero(x) || is_zero(y) ? nan() : infinity(negative);
  }
  return {Kind::finite, negative, x.value * y.value, x.exponent + y.exponent};
}

Datum sum(const Datum& x, const Datum& y) {
  if (x.kind == Kind::nan || y.kind == Kind::nan) return nan();
  if (x.kind == Kind::infinity && y.kind == Kind::infinity && x.negative != y.negative) return nan();
  if (x.kind == Kind::infinity) return x;
  if (y.kind == Kind::infinity) return y;
  Datum result = finite(x.value + y.value);
  if (is_zero(result)) result.negative = x.negative && y.negative;
  return result;
}

Datum rounded(const Format& format, int fraction_bits, Rounding rounding, const Datum& x) {
  if (x.kind != Kind::finite) return x;
  const long least = least_exponent(format);
  if (is_zero(x)) return {Kind::finite, x.negative, {}, least};
  const long unit = std::max(floor_log2(x.value), least) - fraction_bits;
  const Dyadic value = rounded_to_unit(x.value, unit, rounding);
  if (reaches(value, greatest_exponent(format) + 1)) return infinity(x.negative);
  return {Kind::finite, x.negative, value, reaches(value, least) ? floor_log2(value) : least};
}

Datum nearest(const Format& format, const Datum& x) {
  return rounded(format, format.mantissa_bits, Rounding::nearest_even, x);
}

Dyadic rounded_to_unit(const Dyadic& x, long unit, Direction direction) {
  switch (direction) {
    case Direction::nearest: return rounded_to_unit(x, unit, Rounding::nearest_even);
    case Direction::zero: return rounded_to_unit(x, unit, Rounding::toward_zero);
    case Direction::down: return rounded_to_unit(x, unit, Rounding::down);
    case Direction::up: break;
  }
  return Dyadic{} - rounded_to_unit(Dyadic{} - x, unit, Rounding::down);
}

Datum rounded(const Format& format, Direction direction, const Datum& x) {
  if (x.kind != Kind::finite || is_zero(x)) return x;
  const long least = least_exponent(format);
  const long unit = std::max(floor_log2(x.value), least) - format.mantissa_bits;
  const Dyadic value = rounded_to_unit(x.value, unit, direction);
  if (reaches(value, greatest_exponent(format) + 1)) return too_large(format, direction, x.negative);
  return {Kind::finite, x.negative, value, reaches(value, least) ? floor_log2(value) : least};
}

Datum greatest(const Format& format, bool negative) {
  const mpz_class significand = (mpz_class(2) << static_cast<unsigned>(format.mantissa_bits)) - 1;
  const long exponent = greatest_exponent(format);
  return {Kind::finite,
          negative,
          {negative ? mpz_class(-significand) : significand, exponent - format.mantissa_bits},
          exponent};
}

Datum too_large(const Format& format, Direction direction, bool negative) {
  const bool back = direction == Direction::zero || direction == (negative ? Direction::up : Direction::down);
  return back ? greatest(format, negative) : infinity(negative);
}

Datum directed_sum(Direction direction, const Datum& x, const Datum& y) {
  Datum total = sum(x, y);
  const bool alike = is_zero(x) && is_zero(y) && x.negative == y.negative;
  if (is_zero(total) && !alike) total.negative = direction == Direction::down;
  return total;
}

bool is_subnormal(const Format& format, const Datum& x) {
  return x.kind == Kind::finite && !is_zero(x) && !reaches(x.value, least_exponent(format));
}

}  // namespace assay::exact
