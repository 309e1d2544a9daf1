// Bits of the machine's own floating point.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/core/datapath.hpp"
#include "model/core/format.hpp"
#include "model/core/number.hpp"

namespace assay {

// A float without some of its last bits.
inline bool is_leading_part_of_float(const Format& f) {
  return !f.is_integer() && f.exponent_bits == 8 && f.mantissa_bits <= 23 && f.bias == 127 && f.has_infinity &&
         f.has_signed_zero;
}

// Formats that are the machine's own, code by code.
inline bool is_float(const Format& f) { return is_leading_part_of_float(f) && f.mantissa_bits == 23; }
inline bool is_double(const Format& f) {
  return !f.is_integer() && f.exponent_bits == 11 && f.mantissa_bits == 52 && f.bias == 1023 && f.has_infinity &&
         f.has_signed_zero;
}
inline bool is_half(const Format& f) {
  return !f.is_integer() && f.exponent_bits == 5 && f.mantissa_bits == 10 && f.bias == 15 && f.has_infinity &&
         f.has_signed_zero && f.stored_bits == 16;
}

// Whether its codes are read as IEEE 754 reads those of its formats, whatever the widths of their fields.
inline bool is_ieee(const Format& f) {
  return f.kind == FormatKind::floating && f.has_sign && f.has_zero && f.nan == NanCodes::ieee && f.has_infinity &&
         f.infinity_codes == InfinityCodes::top_exponent;
}

// What is added to a result that was made as if it might be -0: +0 where it is never that, for -0 + 0 is +0, to the
// nearest and toward zero; else -0, which leaves every number as it is. Once is enough for all steps where no sum heeds
// the sign of a zero.
inline float zero_of(const Result& words) { return words.minus_zero == MinusZero::never ? 0.0F : -0.0F; }

inline float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline double double_of_bits(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// A finite number whose significand and exponent a float holds.
inline float float_of_number(const Number& n) {
  const float magnitude = std::ldexp(static_cast<float>(static_cast<std::uint64_t>(n.magnitude)), n.quantum);
  return n.negative ? -magnitude : magnitude;
}

//   half    s eeeee mmmmmmmmmm
//   float   s eeeeeeee mmmmmmmmmm0000000000000        its exponent is 112 more
inline float float_of_half(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000) << 16, rest = half & 0x7fff;
  if (rest >= 0x7c00) return float_of_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  const float magnitude =
      rest < 0x400 ? static_cast<float>(rest) * 0x1p-24F : float_of_bits((rest << 13) + (112U << 23));
  return float_of_bits(sign | bits_of_float(magnitude));
}

// Of a float that a half holds, or an infinity.
inline std::uint32_t half_of_float(float value) {
  const std::uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  if (rest >= 0x7f800000) return sign | 0x7c00;
  if (rest < 113U << 23) return sign | static_cast<std::uint32_t>(float_of_bits(rest) * 0x1p24F);
  return sign | (rest - (112U << 23)) >> 13;
}

}  // namespace assay
