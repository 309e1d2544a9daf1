#include "model/core/format.hpp"

namespace assay {
namespace {

Format ieee(const char* name, const char* ml_dtypes, int bits, int exponent, int mantissa) {
  Format f;
  f.name = name;
  f.ml_dtypes_name = ml_dtypes;
  f.stored_bits = bits;
  f.exponent_bits = exponent;
  f.mantissa_bits = mantissa;
  f.bias = (1 << (exponent - 1)) - 1;
  f.has_infinity = true;
  f.nan = NanCodes::ieee;
  return f;
}

// No infinity: the top exponent is an ordinary one.
Format finite(const char* name, const char* ml_dtypes, int exponent, int mantissa, int bias, NanCodes nan) {
  Format f = ieee(name, ml_dtypes, 1 + exponent + mantissa, exponent, mantissa);
  f.bias = bias;
  f.has_infinity = false;
  f.nan = nan;
  f.has_signed_zero = nan != NanCodes::negative_zero;
  return f;
}

Format scale(const char* name, const char* ml_dtypes, int exponent, int mantissa, int bias) {
  Format f = finite(name, ml_dtypes, exponent, mantissa, bias, NanCodes::all_ones);
  f.stored_bits = 8;
  f.has_sign = false;
  f.has_signed_zero = false;
  f.has_zero = mantissa > 0;
  f.ignored_high_bits = 8 - exponent - mantissa;
  return f;
}

Format integer(const char* name, const char* ml_dtypes, int bits, bool has_sign) {
  Format f;
  f.has_sign = has_sign;
  f.name = name;
  f.ml_dtypes_name = ml_dtypes;
  f.kind = FormatKind::integer;
  f.stored_bits = bits;
  f.has_signed_zero = false;
  return f;
}

Format tf32() {
  Format f = ieee("tf32", "", 32, 8, 10);
  f.ignored_low_bits = 13;
  return f;
}

std::vector<Format> make_table() {
  return {
      //     name        ml_dtypes       bits  exponent  mantissa
      ieee("f64", "float64", 64, 11, 52),
      ieee("f32", "float32", 32, 8, 23),
      tf32(),
      ieee("f16", "float16", 16, 5, 10),
      ieee("bf16", "bfloat16", 16, 8, 7),
      ieee("e5m2", "float8_e5m2", 8, 5, 2),
      //     name        ml_dtypes         exponent  mantissa  bias  NaN
      finite("e4m3", "float8_e4m3fn", 4, 3, 7, NanCodes::all_ones),
      finite("e5m2fnuz", "float8_e5m2fnuz", 5, 2, 16, NanCodes::negative_zero),
      finite("e4m3fnuz", "float8_e4m3fnuz", 4, 3, 8, NanCodes::negative_zero),
      finite("e3m2", "float6_e3m2fn", 3, 2, 3, NanCodes::none),
      finite("e2m3", "float6_e2m3fn", 2, 3, 1, NanCodes::none),
      finite("e2m1", "float4_e2m1fn", 2, 1, 1, NanCodes::none),
      //     name        ml_dtypes  exponent  mantissa  bias
      scale("ue8m0", "float8_e8m0fnu", 8, 0, 127),
      scale("ue4m3", "", 4, 3, 7),
      integer("i8", "int8", 8, true),
      integer("u8", "uint8", 8, false),
      integer("i32", "int32", 32, true),
  };
}

Code ones(int bits) { return (Code{1} << bits) - 1; }

}  // namespace

int Format::greatest_exponent() const {
  if (is_integer()) return 0;
  // With one mantissa-less code taken by NaN (ue8m0), the top exponent itself is gone.
  const bool top_is_nan = nan == NanCodes::all_ones && mantissa_bits == 0;
  return greatest_exponent_field() - bias - (top_is_nan ? 1 : 0);
}

Code Format::greatest_finite() const {
  const Code all = ones(exponent_bits + mantissa_bits);
  if (has_infinity || nan == NanCodes::ieee) return (ones(exponent_bits) << mantissa_bits) - 1;
  return nan == NanCodes::all_ones ? all - 1 : all;
}

Code Format::infinity() const { return ones(exponent_bits) << mantissa_bits; }

Code Format::quiet_nan() const {
  switch (nan) {
    case NanCodes::none: return 0;
    case NanCodes::ieee: return infinity() | (Code{1} << (mantissa_bits - 1));
    case NanCodes::all_ones: return ones(exponent_bits + mantissa_bits);
    case NanCodes::negative_zero: return sign_bit();
  }
  return 0;
}

const std::vector<Format>& formats() {
  static const std::vector<Format> table = make_table();
  return table;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name || (!format.ml_dtypes_name.empty() && format.ml_dtypes_name == name)) return &format;
  }
  return nullptr;
}

std::string format_names() {
  std::string names;
  for (const Format& format : formats()) names += (names.empty() ? "" : ", ") + format.name;
  return names;
}

}  // namespace assay
