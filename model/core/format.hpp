// Number formats: one row a format, everything else derived from the row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class FormatKind { floating, integer };

// Which codes are NaN.
enum class NanCodes {
  none,           // every code is a number
  ieee,           // exponent all ones, mantissa not zero
  all_ones,       // every bit below the sign is one (OCP e4m3, ue8m0, ue4m3)
  negative_zero,  // the code of -0 alone (the fnuz formats)
};

using Code = std::uint64_t;  // the stored bits of one element, in the low bits

struct Format {
  std::string name;
  std::string ml_dtypes_name;  // empty where ml_dtypes has no such type
  FormatKind kind = FormatKind::floating;
  int stored_bits = 0;
  bool has_sign = true;
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int bias = 0;
  bool has_infinity = false;
  NanCodes nan = NanCodes::none;
  bool has_signed_zero = true;
  bool has_zero = true;       // false: code 0 is an ordinary power of two and there are no subnormals (ue8m0)
  int ignored_low_bits = 0;   // stored, read as zero (tf32)
  int ignored_high_bits = 0;  // stored, read as zero (ue4m3)

  bool is_integer() const { return kind == FormatKind::integer; }
  int used_bits() const { return stored_bits - ignored_low_bits - ignored_high_bits; }
  int hex_digits() const { return (stored_bits + 3) / 4; }
  bool fits(Code code) const { return stored_bits >= 64 || code >> stored_bits == 0; }

  // Bits of the integer significand 1.mmm (of an integer format: of its magnitude).
  int significand_bits() const { return is_integer() ? stored_bits : mantissa_bits + 1; }

  int least_exponent() const { return is_integer() ? 0 : has_zero ? 1 - bias : -bias; }
  int greatest_exponent_field() const {
    return (1 << exponent_bits) - 1 - (has_infinity || nan == NanCodes::ieee ? 1 : 0);
  }
  int greatest_exponent() const;
  Code greatest_finite() const;  // its code, positive, in the used bits (without ignored ones)

  Code infinity() const;   // positive; only where has_infinity
  Code quiet_nan() const;  // the code written where no other NaN is asked for; only where nan != none
  Code sign_bit() const { return has_sign ? Code{1} << (used_bits() - 1) : 0; }
  Code stored(Code used) const { return used << ignored_low_bits; }
  Code used(Code stored_code) const {
    return (stored_code >> ignored_low_bits) & ((used_bits() >= 64 ? ~Code{0} : (Code{1} << used_bits()) - 1));
  }

  bool operator==(const Format& other) const { return name == other.name; }
};

// What an element of so many bits takes in memory: 1, 2, 4 or 8 bytes, the fewest that hold it.
inline int element_bytes(int bits) { return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8; }

// The table. Order is that of docs/numerics.md: wide to narrow, scales, integers.
const std::vector<Format>& formats();

// nullptr where the table has no such name; both our names and ml_dtypes' are accepted.
const Format* find_format(std::string_view name);

// "f16, bf16, ...": for messages.
std::string format_names();

}  // namespace assay
