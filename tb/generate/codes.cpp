#include "tb/generate/codes.hpp"

#include <algorithm>

#include "model/core/encode.hpp"
#include "model/core/round.hpp"

namespace assay {
namespace {

Code mantissa_mask(const Format& format) { return (Code{1} << format.mantissa_bits) - 1; }

Code with_sign(const Format& format, bool negative, Code used) {
  return format.stored(used | (negative ? format.sign_bit() : 0));
}

}  // namespace

Code normal_code(const Format& format, bool negative, int exponent, Code mantissa) {
  const int reachable = std::clamp(exponent, format.least_exponent(), format.greatest_exponent());
  const auto field = static_cast<Code>(reachable + format.bias);
  const Code used = field << format.mantissa_bits | (mantissa & mantissa_mask(format));
  return with_sign(format, negative, std::min(used, format.greatest_finite()));
}

Code subnormal_code(const Format& format, bool negative, Code mantissa) {
  const Code used = mantissa & mantissa_mask(format);
  if (used == 0 || !format.has_zero) return normal_code(format, negative, format.least_exponent(), 0);
  return with_sign(format, negative, used);
}

Code power_code(const Format& format, bool negative, int exponent) {
  const int below = format.least_exponent() - exponent;
  if (below <= 0 || !format.has_zero) return normal_code(format, negative, exponent, 0);
  return subnormal_code(format, negative, Code{1} << std::max(0, format.mantissa_bits - below));
}

Code half_code(const Format& format) {
  return format.mantissa_bits == 0 ? 0 : format.stored(Code{1} << (format.mantissa_bits - 1));
}

Code zero_code(const Format& format, bool negative) { return with_sign(format, negative && format.has_signed_zero, 0); }

Code one_code(const Format& format) { return format.is_integer() ? 1 : normal_code(format, false, 0, 0); }

Code greatest_code(const Format& format, bool negative, int below) {
  const auto down = static_cast<Code>(below);
  if (!format.is_integer()) return with_sign(format, negative, format.greatest_finite() - down);
  const Code all = (Code{1} << format.used_bits()) - 1;
  if (!format.has_sign) return negative ? down : all - down;
  return negative ? format.sign_bit() + down : format.sign_bit() - 1 - down;
}

Code infinity_code(const Format& format, bool negative) {
  return format.has_infinity ? with_sign(format, negative, format.infinity()) : greatest_code(format, negative);
}

Code nan_code(const Format& format, bool negative, Code payload) {
  switch (format.nan) {
    case NanCodes::none: return zero_code(format, negative);
    case NanCodes::ieee: {
      const Code mantissa = payload & mantissa_mask(format);
      return with_sign(format, negative, format.infinity() | (mantissa == 0 ? 1 : mantissa));
    }
    case NanCodes::all_ones: return with_sign(format, negative, format.quiet_nan());
    case NanCodes::negative_zero: return format.stored(format.quiet_nan());
  }
  return 0;
}

Code rounded_code(const Format& format, const Number& number, Cut cut) {
  if (number.magnitude == 0) return zero_code(format, number.negative);
  Result words;
  words.cut = cut;
  words.overflow = Overflow::largest;
  return encode(round_to_format(number, words, format, words.cut), format, {});
}

Code negated_code(const Format& format, Code code) {
  if (format.is_integer()) return (~code + 1) & all_bits(format);
  if ((format.used(code) & ~format.sign_bit()) == 0 && !format.has_signed_zero) return code;
  return code ^ format.stored(format.sign_bit());
}

Code all_bits(const Format& format) { return static_cast<Code>(low_mask(format.stored_bits)); }

Code ignored_bits(const Format& format) { return all_bits(format) & ~format.stored(format.used(~Code{0})); }

}  // namespace assay
