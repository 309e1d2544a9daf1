// The formats as section 1 of docs/numerics.md lists them, written out a second time, and what their codes are worth by
// that table alone. Values are doubles: every number of every format of at most 64 bits is one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.hpp"

namespace assay::test {

struct Row {
  const char* name;
  const char* ml_dtypes;  // "-": no such type
  int stored;             // bits
  int sign;               // bits
  int exponent;           // bits
  int mantissa;           // bits
  int bias;
  bool infinity;
  NanCodes nan;
  bool zero;           // code 0 is zero, and field 0 holds subnormals
  bool negative_zero;  // the code of -0 is a number
  int low, high;       // stored bits that are read as zero
};

inline const std::vector<Row>& rows() {
  using N = NanCodes;
  static const std::vector<Row> table{
      //                            stored s  e  m   bias  inf    NaN               zero   -0    low high
      {"f64", "float64", 64, 1, 11, 52, 1023, true, N::ieee, true, true, 0, 0},
      {"f32", "float32", 32, 1, 8, 23, 127, true, N::ieee, true, true, 0, 0},
      {"tf32", "-", 32, 1, 8, 10, 127, true, N::ieee, true, true, 13, 0},
      {"f16", "float16", 16, 1, 5, 10, 15, true, N::ieee, true, true, 0, 0},
      {"bf16", "bfloat16", 16, 1, 8, 7, 127, true, N::ieee, true, true, 0, 0},
      {"e5m2", "float8_e5m2", 8, 1, 5, 2, 15, true, N::ieee, true, true, 0, 0},
      {"e4m3", "float8_e4m3fn", 8, 1, 4, 3, 7, false, N::all_ones, true, true, 0, 0},
      {"e5m2fnuz", "float8_e5m2fnuz", 8, 1, 5, 2, 16, false, N::negative_zero, true, false, 0, 0},
      {"e4m3fnuz", "float8_e4m3fnuz", 8, 1, 4, 3, 8, false, N::negative_zero, true, false, 0, 0},
      {"e3m2", "float6_e3m2fn", 6, 1, 3, 2, 3, false, N::none, true, true, 0, 0},
      {"e2m3", "float6_e2m3fn", 6, 1, 2, 3, 1, false, N::none, true, true, 0, 0},
      {"e2m1", "float4_e2m1fn", 4, 1, 2, 1, 1, false, N::none, true, true, 0, 0},
      {"ue8m0", "float8_e8m0fnu", 8, 0, 8, 0, 127, false, N::all_ones, false, false, 0, 0},
      {"ue4m3", "-", 8, 0, 4, 3, 7, false, N::all_ones, true, false, 0, 1},
  };
  return table;
}

inline const Row& row(std::string_view name) {
  for (const Row& r : rows()) {
    if (name == r.name) return r;
  }
  throw std::invalid_argument("there is no row '" + std::string(name) + "'");
}

// The number, infinity or NaN that a stored code stands for.
inline double value_of(const Row& r, Code stored) {
  const Code used = stored >> r.low;
  const Code mantissa = used & ((Code{1} << r.mantissa) - 1);
  const Code field = used >> r.mantissa & ((Code{1} << r.exponent) - 1);
  const Code top = (Code{1} << r.exponent) - 1;
  const bool negative = r.sign == 1 && (used >> (r.exponent + r.mantissa) & 1) != 0;
  const bool all_ones = field == top && mantissa == (Code{1} << r.mantissa) - 1;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (r.nan == NanCodes::ieee && field == top && mantissa != 0) return nan;
  if (r.nan == NanCodes::all_ones && all_ones) return nan;
  if (r.nan == NanCodes::negative_zero && negative && field == 0 && mantissa == 0) return nan;
  const double sign = negative ? -1.0 : 1.0;
  if (r.infinity && field == top) return sign * std::numeric_limits<double>::infinity();
  const bool normal = field != 0 || !r.zero;
  const Code significand = normal ? mantissa | Code{1} << r.mantissa : mantissa;
  const int exponent = (normal ? static_cast<int>(field) : 1) - r.bias;
  return sign * std::ldexp(static_cast<double>(significand), exponent - r.mantissa);
}

// The code of a value that the format holds exactly.
inline Code code_of(const Row& r, double value) {
  const Code sign = std::signbit(value) ? Code{1} << (r.exponent + r.mantissa) : 0;
  Code code = sign;
  if (std::isinf(value)) {
    code |= ((Code{1} << r.exponent) - 1) << r.mantissa;
  } else if (value != 0) {
    const int least = 1 - r.bias;
    const int exponent = std::max(std::ilogb(value), least);
    const auto significand = static_cast<Code>(std::ldexp(std::fabs(value), r.mantissa - exponent));
    const Code hidden = Code{1} << r.mantissa;
    if (significand >= hidden) code |= static_cast<Code>(exponent + r.bias) << r.mantissa;
    code |= significand & (hidden - 1);
  }
  code <<= r.low;
  if (value_of(r, code) != value) throw std::invalid_argument(std::to_string(value) + " is no number of " + r.name);
  return code;
}

inline double two_to(int exponent) { return std::ldexp(1.0, exponent); }

}  // namespace assay::test
