#include "tb/oracle/vocabulary/value.hpp"

#include <algorithm>

#include "tb/oracle/vocabulary/listed.hpp"

namespace assay::vocabulary {
namespace {

Code ones(int bits) { return bits >= 64 ? ~Code{0} : (Code{1} << bits) - 1; }

bool is_nan(const Format& format, Code code) {
  const Code magnitude = code & ~format.sign_bit();
  switch (format.nan) {
    case NanCodes::none: return false;
    case NanCodes::ieee:
      return magnitude >> format.mantissa_bits == ones(format.exponent_bits) &&
             (magnitude & ones(format.mantissa_bits)) != 0;
    case NanCodes::all_ones: return magnitude == ones(format.exponent_bits + format.mantissa_bits);
    case NanCodes::negative_zero: return code == format.sign_bit();
    case NanCodes::listed: return false;  // of lists, listed.cpp knows
  }
  return false;
}

// All ones in the exponent and none below, or the last code that is not NaN.
bool is_infinity(const Format& format, Code magnitude) {
  if (!format.has_infinity) return false;
  if (format.infinity_codes == InfinityCodes::top_exponent)
    return magnitude == ones(format.exponent_bits) << format.mantissa_bits;
  return magnitude == ones(format.exponent_bits + format.mantissa_bits) - (format.nan == NanCodes::all_ones ? 1 : 0);
}

Value whole_number(const Format& format, Code code) {
  mpz_class number(code);
  if (format.sign_magnitude) {
    const mpz_class magnitude(code & ~format.sign_bit());
    number = (code & format.sign_bit()) != 0 ? mpz_class(-magnitude) : magnitude;
  } else if ((code & format.sign_bit()) != 0) {
    number -= mpz_class(1) << format.stored_bits;
  }
  Value value;
  value.negative = number < 0;
  value.magnitude = abs(number) * power_of_two(-format.fraction_bits);
  if (number != 0) value.exponent = 0;
  return value;
}

Code whole_code(const Format& format, const Value& value) {
  const mpq_class units = value.magnitude * power_of_two(format.fraction_bits);
  const mpz_class magnitude = units.get_num();
  const Code code = magnitude.get_ui();
  return (value.negative ? ~code + 1 : code) & ones(format.stored_bits);
}

}  // namespace

Value infinity(bool negative) { return {Kind::infinity, negative, 0, std::nullopt}; }

Value nan(bool negative) { return {Kind::nan, negative, 0, std::nullopt}; }

Value zero(bool negative) { return {Kind::finite, negative, 0, std::nullopt}; }

mpq_class power_of_two(int exponent) {
  const mpz_class power = mpz_class(1) << static_cast<unsigned>(std::abs(exponent));
  return exponent >= 0 ? mpq_class(power) : mpq_class(mpz_class(1), power);
}

int floor_log2(const mpq_class& magnitude) {
  const auto bits = [](const mpz_class& number) { return static_cast<int>(mpz_sizeinbase(number.get_mpz_t(), 2)); };
  const int guess = bits(magnitude.get_num()) - bits(magnitude.get_den());
  return magnitude < power_of_two(guess) ? guess - 1 : guess;
}

Format all_numbers(Format format) {
  format.has_infinity = false;
  format.nan = NanCodes::none;
  return format;
}

Value decode(const Format& format, Code stored_code) {
  const Code code = format.used(stored_code);
  if (format.is_list()) return decode_listed(format, code);
  if (format.is_integer()) return whole_number(format, code);
  const bool negative = (code & format.sign_bit()) != 0;
  if (is_nan(format, code)) {
    Value value = nan(negative && format.nan != NanCodes::negative_zero);
    value.magnitude = format.nan != NanCodes::ieee
                          ? mpq_class(1, 2)
                          : mpz_class(code & ones(format.mantissa_bits)) * power_of_two(-format.mantissa_bits);
    return value;
  }
  const Code magnitude = code & ~format.sign_bit();
  if (is_infinity(format, magnitude)) return infinity(negative);
  if (magnitude == 0 && format.has_zero) return zero(negative);

  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  const bool subnormal = field == 0 && format.has_zero;
  const Code leading_one = subnormal ? 0 : Code{1} << format.mantissa_bits;
  Value value;
  value.negative = negative;
  value.exponent = (subnormal ? 1 : field) - format.bias;
  value.magnitude = mpz_class((magnitude & ones(format.mantissa_bits)) | leading_one);
  value.magnitude *= power_of_two(*value.exponent - format.mantissa_bits);
  return value;
}

Code encode(const Format& format, const Value& value) {
  if (format.is_list()) return encode_listed(format, value);
  if (format.is_integer()) return whole_code(format, value);
  const Code sign = value.negative ? format.sign_bit() : 0;
  if (value.kind == Kind::nan) return format.stored(format.quiet_nan());
  if (value.kind == Kind::infinity) return format.stored(format.infinity() | sign);
  if (is_zero(value)) return format.stored(format.has_signed_zero ? sign : 0);

  const int exponent = std::max(floor_log2(value.magnitude), format.least_exponent());
  const mpq_class significand = value.magnitude * power_of_two(format.mantissa_bits - exponent);
  const Code bits = significand.get_num().get_ui();
  // A significand with its leading one in place counts the exponent field up by one from that of a subnormal.
  const Code field = static_cast<Code>(exponent - format.least_exponent());
  return format.stored(((field << format.mantissa_bits) + bits) | sign);
}

Code operand_nan(const Format& format, Value value) {
  if (format.nan != NanCodes::ieee) return format.stored(format.quiet_nan());
  if (value.magnitude < mpq_class(1, 2)) value.magnitude += mpq_class(1, 2);
  const mpq_class scaled = value.magnitude * power_of_two(format.mantissa_bits);
  const mpz_class mantissa = scaled.get_num() / scaled.get_den();
  return format.stored((value.negative ? format.sign_bit() : 0) | format.infinity() | mantissa.get_ui());
}

Code signed_nan(const Format& format, bool negative) {
  const Code quiet = format.quiet_nan();
  return format.stored(negative ? quiet | format.sign_bit() : quiet);
}

mpq_class greatest(const Format& format) { return decode(format, format.stored(format.greatest_finite())).magnitude; }

}  // namespace assay::vocabulary
