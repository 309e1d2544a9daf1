// Stage decode: stored bits to a number.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"

namespace assay {

inline Number decode_integer(Code used, const Format& format) {
  const Code sign = format.sign_bit();
  Number n;
  n.negative = (used & sign) != 0;
  n.magnitude = n.negative ? (~used & (sign | (sign - 1))) + 1 : used;
  if (n.magnitude != 0) n.exponent = 0;
  return n;
}

// `numbers`: infinities and NaNs are read as ordinary numbers of the top exponent.
inline Number decode(Code stored, const Format& format, Subnormals subnormals, Specials specials) {
  const Code used = format.used(stored);
  if (format.is_integer()) return decode_integer(used, format);

  const Code sign = format.sign_bit();
  const bool negative = (used & sign) != 0;
  const Code mantissa_mask = (Code{1} << format.mantissa_bits) - 1;
  const Code mantissa = used & mantissa_mask;
  const int field = static_cast<int>(used >> format.mantissa_bits & ((Code{1} << format.exponent_bits) - 1));
  const int top_field = (1 << format.exponent_bits) - 1;

  if (specials != Specials::numbers) {
    if (field == top_field) {
      if (format.has_infinity && mantissa == 0) return Number::infinity(negative);
      if (format.nan == NanCodes::ieee && mantissa != 0) {
        const u128 payload = u128{mantissa} << (payload_bits - format.mantissa_bits);
        return Number::nan(negative, payload | (u128{1} << (payload_bits - 1)));
      }
      if (format.nan == NanCodes::all_ones && mantissa == mantissa_mask) return Number::nan(negative);
    }
    if (format.nan == NanCodes::negative_zero && used == sign) return Number::nan();
  }

  Number n;
  n.negative = negative;
  const bool subnormal = field == 0 && format.has_zero;
  n.magnitude = subnormal ? mantissa : mantissa | (Code{1} << format.mantissa_bits);
  if (subnormal && subnormals != Subnormals::keep) n.magnitude = 0;
  if (n.magnitude == 0) {
    if (subnormals == Subnormals::zero && mantissa != 0) n.negative = false;
    return n;
  }
  n.exponent = (subnormal ? 1 : field) - format.bias;
  n.quantum = n.exponent - format.mantissa_bits;
  return n;
}

// A finite number as another format would carry it: same value, that format's nominal exponent. For formats whose
// numbers are all numbers of `format`.
inline Number as_format(Number n, const Format& format) {
  if (!n.has_exponent() || n.magnitude == 0) return n;
  const int leading = n.quantum + bit_length(n.magnitude) - 1;
  n.exponent = leading < format.least_exponent() ? format.least_exponent() : leading;
  const int quantum = n.exponent - format.mantissa_bits;
  n.magnitude = quantum <= n.quantum ? shift_left(n.magnitude, n.quantum - quantum)
                                     : shift_right(n.magnitude, quantum - n.quantum);
  n.quantum = quantum;
  return n;
}

}  // namespace assay
