// Stage decode: stored bits to a number.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"
#include "model/core/values.hpp"

namespace assay {

inline Number decode_integer(Code used, const Format& format) {
  const Code sign = format.sign_bit();
  Number n;
  n.negative = (used & sign) != 0;
  if (format.sign_magnitude) {
    n.magnitude = used & ~sign;
  } else {
    n.magnitude = n.negative ? (~used & (sign | (sign - 1))) + 1 : used;
  }
  if (n.magnitude == 0) return Number::zero();
  n.exponent = 0;
  n.quantum = -format.fraction_bits;
  return n;
}

// An infinity or a NaN, or else zero.
inline Number decode_special(Code used, const Format& format) {
  const Code sign = format.sign_bit();
  const Code unsigned_code = used & ~sign;
  const bool negative = (used & sign) != 0;
  switch (format.nan) {
    case NanCodes::none: break;
    case NanCodes::ieee:
      if (unsigned_code > format.infinity()) {
        const u128 payload = u128{unsigned_code - format.infinity()} << (payload_bits - format.mantissa_bits);
        const bool signalling = (payload & quiet_bit) == 0;
        return Number::nan(negative, payload | quiet_bit | (signalling ? signalling_bit : 0));
      }
      break;
    case NanCodes::all_ones:
      if (unsigned_code == format.quiet_nan()) return Number::nan(negative);
      break;
    case NanCodes::negative_zero:
      if (used == sign) return Number::nan();
      break;
    case NanCodes::listed: break;
  }
  return format.has_infinity && unsigned_code == format.infinity() ? Number::infinity(negative) : Number::zero();
}

// Exponent field zero: 0.mmm x 2^(1 - bias).
inline Number decode_subnormal(Code mantissa, bool negative, const Format& format, Subnormals subnormals) {
  const bool flushed = mantissa != 0 && subnormals != Subnormals::keep;
  Number n = Number::zero(negative && !(flushed && subnormals == Subnormals::zero));
  if (mantissa == 0 || flushed) return n;
  n.magnitude = mantissa;
  n.exponent = 1 - format.bias;
  n.quantum = n.exponent - format.mantissa_bits;
  return n;
}

// Reads codes of one format. What every code needs is worked out once.
//
//   ignored | sign | exponent field | mantissa | ignored
//            <--------- used --------->
class Decoder {
 public:
  // `numbers`: infinities and NaNs are read as ordinary numbers of the top exponent.
  Decoder(const Format& format, Subnormals subnormals, Specials specials, Nans nans = Nans::keep)
      : format_(format),
        subnormals_(subnormals),
        low_(format.ignored_low_bits),
        mask_(low_mask64(format.used_bits())),
        sign_(format.sign_bit()),
        hidden_(Code{1} << format.mantissa_bits),
        mantissa_bits_(format.mantissa_bits),
        bias_(format.bias),
        top_field_(static_cast<Code>((1 << format.exponent_bits) - 1)),
        by_code_(format.is_list() ? &format.values().by_code : nullptr),
        is_integer_(format.is_integer()),
        has_subnormals_(format.has_zero),
        has_specials_(specials != Specials::numbers),
        has_last_infinity_(format.has_infinity && format.infinity_codes == InfinityCodes::last),
        nans_(nans) {}

  Number operator()(Code stored) const {
    const Code used = stored >> low_ & mask_;
    if (by_code_ != nullptr) return as_read((*by_code_)[used]);
    if (is_integer_) return decode_integer(used, format_);
    const Code field = used >> mantissa_bits_ & top_field_;
    if ((field == top_field_ || used == sign_ || has_last_infinity_) && has_specials_) {
      const Number special = decode_special(used, format_);
      if (!special.is_finite()) return as_read(special);
    }
    const Code mantissa = used & (hidden_ - 1);
    const bool negative = (used & sign_) != 0;
    if (field == 0 && has_subnormals_) return decode_subnormal(mantissa, negative, format_, subnormals_);
    Number n;
    n.negative = negative;
    n.magnitude = mantissa | hidden_;
    n.exponent = static_cast<int>(field) - bias_;
    n.quantum = n.exponent - mantissa_bits_;
    return n;
  }

 private:
  Number as_read(const Number& n) const { return n.cls == Class::nan && nans_ == Nans::zero ? Number::zero() : n; }
  static Code low_mask64(int bits) { return bits >= 64 ? ~Code{0} : (Code{1} << bits) - 1; }

  const Format& format_;
  Subnormals subnormals_;
  int low_;
  Code mask_, sign_, hidden_;
  int mantissa_bits_, bias_;
  Code top_field_;
  const std::vector<Number>* by_code_;
  bool is_integer_, has_subnormals_, has_specials_;
  bool has_last_infinity_;  // which may lie below the top exponent
  Nans nans_;
};

inline Number decode(Code stored, const Format& format, Subnormals subnormals, Specials specials) {
  return Decoder(format, subnormals, specials)(stored);
}

// A finite number as another format would carry it: same value, that format's nominal exponent. For formats whose
// numbers are all numbers of `format`.
inline Number as_format(Number n, const Format& format) {
  if (!n.has_exponent() || n.magnitude == 0) return n;
  const int leading = leading_exponent(n);
  n.exponent = leading < format.least_exponent() ? format.least_exponent() : leading;
  return with_quantum(n, n.exponent - format.mantissa_bits);
}

}  // namespace assay
