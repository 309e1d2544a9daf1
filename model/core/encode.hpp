// Stage encode: a number that a format holds, as its stored bits.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"
#include "model/core/values.hpp"

namespace assay {

// What the code of a NaN says of the NaN that it is written for.
enum class NanSays { nothing, sign, sign_and_payload };

inline NanSays said_by_nan(const Nan& nan, const Format& format) {
  const bool has_payload = format.nan == NanCodes::ieee;
  if (nan.propagate && has_payload) return NanSays::sign_and_payload;
  const bool has_sign = format.has_sign && (has_payload || format.nan == NanCodes::all_ones);
  return nan.with_sign && has_sign ? NanSays::sign : NanSays::nothing;
}

inline Code encode_nan(const Number& n, const Format& format, const Nan& nan) {
  if (!nan.propagate && !nan.with_sign) return nan.code;
  if (nan.has_order() && is_made_nan(n)) return nan.code;
  const Code quiet = format.quiet_nan(), sign = n.negative ? format.sign_bit() : 0;
  switch (said_by_nan(nan, format)) {
    case NanSays::nothing: break;
    case NanSays::sign: return format.stored(sign | quiet);
    case NanSays::sign_and_payload:
      return format.stored(
          sign | quiet |
          static_cast<Code>((n.magnitude & low_mask(payload_bits)) >> (payload_bits - format.mantissa_bits)));
  }
  return format.stored(quiet);
}

inline Code encode(const Number& n, const Format& format, const Nan& nan) {
  if (n.cls == Class::nan) return encode_nan(n, format, nan);
  const Code sign = n.negative ? format.sign_bit() : 0;
  if (n.cls == Class::infinity) return format.stored(n.negative ? format.negative_infinity() : format.infinity());
  if (format.is_list()) return code_in_list(n, format);
  if (format.is_integer()) {
    const auto value = static_cast<Code>(n.magnitude);
    if (format.sign_magnitude) return n.negative ? value | format.sign_bit() : value;
    const Code all = format.sign_bit() | (format.sign_bit() - 1);
    return (n.negative ? ~value + 1 : value) & all;
  }
  if (n.magnitude == 0) return format.has_signed_zero ? format.stored(sign) : 0;

  // The integer significand already stands at the format's quantum: its leading one, where there is one, is the
  // hidden bit, and vanishes into the exponent field.
  const Code hidden = Code{1} << format.mantissa_bits;
  const auto significand = static_cast<Code>(n.magnitude);
  assert((significand & ~(hidden | (hidden - 1))) == 0);
  const bool normal = (significand & hidden) != 0;
  const auto field = static_cast<Code>(normal ? n.exponent + format.bias : 0);
  return format.stored(sign | field << format.mantissa_bits | (significand & (hidden - 1)));
}

}  // namespace assay
