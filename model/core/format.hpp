// Number formats: configs/formats has a file a format, and everything else is derived from what it says.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class LazyValues;
struct ValueTable;

enum class FormatKind {
  floating,  // sign | exponent | mantissa
  integer,   // two's complement or binary, times 2^-fraction_bits
  values,    // a list: each code has a value, by a rule or as the file says
};

// Which codes are NaN.
enum class NanCodes {
  none,           // every code is a number
  ieee,           // exponent all ones, mantissa not zero
  all_ones,       // every bit below the sign is one (OCP e4m3, ue8m0, ue4m3)
  negative_zero,  // the code of -0 alone (the fnuz formats)
  listed,         // those that a list of values says
};

// Which codes are infinite, where a format has infinities.
enum class InfinityCodes {
  top_exponent,  // exponent all ones, mantissa zero
  last,          // the greatest code below the sign that is not NaN
};

// Which of two values that lie equally near a list's own rounding takes; cut: the one that the word `cut` says.
enum class Ties { cut, even_code, away, down };

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
  InfinityCodes infinity_codes = InfinityCodes::top_exponent;
  int fraction_bits = 0;        // of an integer
  bool sign_magnitude = false;  // of an integer: not two's complement

  std::string family;  // "posit{bits}_{es}": how a file names it that makes several
  std::string about;   // a sentence for people
  std::string source;  // where its rule stands; empty: in a standard that everybody has
  std::string rule;    // what makes its fields or values from `parameters`; empty: the file says them
  std::map<std::string, std::string> parameters;
  std::vector<std::string> listed;  // the value of each code, where the file lists them
  Ties ties = Ties::cut;
  std::shared_ptr<const LazyValues> lazy;  // where numbers are rounded to a list of values

  bool is_integer() const { return kind == FormatKind::integer; }
  bool has_point() const { return is_integer() && fraction_bits != 0; }  // not behind the last bit
  int last_place() const { return -fraction_bits; }                      // of an integer: its last bit is worth 2^this
  bool is_list() const { return kind == FormatKind::values; }
  // Whether numbers are rounded to one of a list: to a list's values, and where there is no mantissa whose last bit
  // could be even.
  bool rounds_to_list() const { return lazy != nullptr; }
  const ValueTable& values() const;  // only where it rounds to a list
  int used_bits() const { return stored_bits - ignored_low_bits - ignored_high_bits; }
  int field_bits() const {  // of sign, exponent and mantissa
    return (has_sign ? 1 : 0) + exponent_bits + mantissa_bits;
  }
  int hex_digits() const { return (stored_bits + 3) / 4; }
  bool fits(Code code) const { return stored_bits >= 64 || code >> stored_bits == 0; }

  // Bits of the integer significand 1.mmm (of an integer format: of its magnitude).
  int significand_bits() const { return is_integer() ? stored_bits : mantissa_bits + 1; }

  int least_exponent() const { return is_integer() ? 0 : has_zero && !is_list() ? 1 - bias : -bias; }
  int greatest_exponent_field() const { return (1 << exponent_bits) - 1 - (top_exponent_is_special() ? 1 : 0); }
  int greatest_exponent() const;
  Code greatest_finite() const;  // its code, positive, in the used bits (without ignored ones)

  Code infinity() const;  // positive; only where has_infinity
  Code negative_infinity() const;
  Code quiet_nan() const;  // the code written where no other NaN is asked for; only where nan != none
  Code sign_bit() const { return has_sign && !is_list() ? Code{1} << (used_bits() - 1) : 0; }
  Code stored(Code used) const { return used << ignored_low_bits; }
  Code used(Code stored_code) const {
    return (stored_code >> ignored_low_bits) & ((used_bits() >= 64 ? ~Code{0} : (Code{1} << used_bits()) - 1));
  }

  bool operator==(const Format& other) const { return name == other.name; }

 private:
  bool top_exponent_is_special() const {
    return nan == NanCodes::ieee || (has_infinity && infinity_codes == InfinityCodes::top_exponent);
  }
};

// `format` as its rule completes it, ready to decode and encode; a sentence that says what is wrong with it otherwise.
// Fields are taken as they are.
std::string complete(Format& format);

// Works out anew what follows from a format's fields once they have changed.
void fields_changed(Format& format);

// What an element of so many bits takes in memory: 1, 2, 4 or 8 bytes, the fewest that hold it.
inline int element_bytes(int bits) { return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8; }

// Those of configs/formats, which were compiled in, in the order of their names.
const std::vector<Format>& formats();

// nullptr where the table has no such name; both our names and ml_dtypes' are accepted.
const Format* find_format(std::string_view name);

// "f16, bf16, ...": for messages; those that a file makes together, once.
std::string format_names();

}  // namespace assay
