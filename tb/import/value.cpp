#include "tb/import/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

#include "model/base/read_double.hpp"
#include "model/base/text.hpp"
#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

// Farther from 1 than any format's numbers: nothing there is one, and shifts stay within what integers hold.
constexpr int too_far = 1100;

// The limit to which a written exponent is cut, so that sums with it stay within int.
constexpr int farthest = 1'000'000;

const Format& f64() { return *find_format("f64"); }

std::string digits_text(Code code, const Format& format) {
  std::string text;
  append_hex(text, code, format.hex_digits());
  return text.substr(1, text.size() - 2);
}

Number without_trailing_zeros(Number n) {
  for (; n.magnitude != 0 && (n.magnitude & 1) == 0; n.magnitude >>= 1) ++n.quantum;
  if (n.magnitude == 0) n.quantum = 0;
  return n;
}

bool same_value(const Number& a, const Number& b) {
  const Number x = without_trailing_zeros(a), y = without_trailing_zeros(b);
  return x.cls == y.cls && x.negative == y.negative && x.magnitude == y.magnitude && x.quantum == y.quantum;
}

Number number_of(Code code, const Format& format) { return decode(code, format, Subnormals::keep, Specials::step); }

Code code_of(const Number& n, const Format& to) {
  ResultPlan result;
  result.format = to;
  result.words.overflow = to.has_infinity ? Overflow::infinity : Overflow::largest;
  Nan nan;
  (to.nan == NanCodes::ieee ? nan.propagate : nan.with_sign) = true;
  return encode(round(n, result), to, nan);
}

// Whether it makes sense to round `n` to the format at all.
bool within_reach(const Number& n, const Format& to) {
  switch (n.cls) {
    case Class::nan: return to.nan != NanCodes::none;
    case Class::infinity: return to.has_infinity;
    case Class::finite: break;
  }
  if (n.magnitude == 0) return to.has_zero;
  const int exponent = leading_exponent(n);
  return (to.has_sign || !n.negative) && exponent > -too_far && exponent < (to.is_integer() ? to.stored_bits : too_far);
}

std::optional<Code> same_code(const Number& n, const Format& to) {
  if (!within_reach(n, to)) return std::nullopt;
  const Code code = code_of(n, to);
  const Number back = number_of(code, to);
  if (n.cls == Class::nan && to.nan != NanCodes::ieee) return code;  // its one NaN
  return same_value(n, back) ? std::optional(code) : std::nullopt;
}

// --- numbers as text ---

[[noreturn]] void refuse(std::string_view text, const std::string& why) { throw ScanError{excerpt(text) + " " + why}; }

bool has_digits(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == text.npos;
}

constexpr std::string_view hex_letters = "0123456789abcdefABCDEF";

Code to_code(std::string_view digits, int base) {
  Code code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, base);
  return code;
}

std::string size_text(const Format& format) {
  return counted(static_cast<std::uint64_t>(format.hex_digits()), "digit") + " (" + std::to_string(format.stored_bits) +
         " bits)";
}

// A decimal without its sign: the digits between the first and the last that are not zero, and 10 to which power the
// last one counts. 12.50 is 125 x 10^-1.
struct Decimal {
  std::string digits;
  int exponent = 0;

  bool operator==(const Decimal& o) const { return digits == o.digits && (digits.empty() || exponent == o.exponent); }
};

Decimal decimal_of(std::string_view text) {
  Decimal decimal;
  const std::size_t e = text.find_first_of("eE");
  if (e != text.npos) {
    const std::size_t digits = text[e + 1] == '+' ? e + 2 : e + 1;
    std::from_chars(text.data() + digits, text.data() + text.size(), decimal.exponent);
    decimal.exponent = std::clamp(decimal.exponent, -farthest, farthest);
  }
  bool fraction = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --decimal.exponent;
    if (c != '0' || !decimal.digits.empty()) decimal.digits += c;
  }
  for (; !decimal.digits.empty() && decimal.digits.back() == '0'; decimal.digits.pop_back()) ++decimal.exponent;
  return decimal;
}

// Every digit of it: no double has more than 767.
Decimal decimal_of(double value) { return decimal_of(fmt::format("{:.766e}", value)); }

// A number, and whether it is just what the text says.
struct Reading {
  Number number;
  bool exact = true;
};

bool is_all_of(std::string_view text, const std::from_chars_result& read) {
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() && !text.empty();
}

std::optional<Reading> read_decimal(std::string_view text) {
  double value = 0;
  const auto read = read_double(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::result_out_of_range) return Reading{Number::infinity(false), false};
  if (!is_all_of(text, read) || text[0] == '-') return std::nullopt;
  Code bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const Number number = number_of(bits, f64());
  return Reading{number, !number.is_finite() || decimal_of(text) == decimal_of(value)};
}

// 1.8p-3, what stands after 0x. Of more bits than a number carries, the rest is dropped: no format has as many.
std::optional<Reading> read_hexadecimal(std::string_view text) {
  const std::size_t p = text.find_first_of("pP");
  const std::string_view significand = text.substr(0, p);
  std::string_view power = p == text.npos ? "0" : text.substr(p + 1);
  if (!power.empty() && power[0] == '+') power.remove_prefix(1);
  Reading reading;
  Number& n = reading.number;
  if (!is_all_of(power, std::from_chars(power.data(), power.data() + power.size(), n.quantum)) ||
      significand.find_first_not_of("0123456789abcdefABCDEF.") != significand.npos ||
      significand.find_first_not_of('.') == significand.npos)
    return std::nullopt;
  n.quantum = std::clamp(n.quantum, -farthest, farthest);
  bool point = false;
  for (const char c : significand) {
    if (c == '.') {
      if (point) return std::nullopt;
      point = true;
      continue;
    }
    const Code digit = to_code({&c, 1}, 16);
    const bool room = bit_length(n.magnitude) <= 60;
    if (room) n.magnitude = n.magnitude << 4 | digit;
    n.quantum += room ? (point ? -4 : 0) : (point ? 0 : 4);
    reading.exact = reading.exact && (room || digit == 0);
  }
  return reading;
}

std::optional<Reading> read_unsigned(std::string_view text) {
  const std::string_view prefix = text.substr(0, 2);
  return prefix == "0x" || prefix == "0X" ? read_hexadecimal(text.substr(2)) : read_decimal(text);
}

bool looks_like_a_number(std::string_view text) {
  if (text[0] == '-' || text[0] == '+' || text.find('.') != text.npos) return true;
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") return text.find_first_of("pP") != text.npos;
  return text.find_first_of("-+") != text.npos || text == "inf" || text == "nan";
}

Reading read_number(std::string_view text) {
  const bool negative = text[0] == '-';
  std::optional<Reading> read = read_unsigned(negative || text[0] == '+' ? text.substr(1) : text);
  if (!read) refuse(text, "is not a number: write -1.5, 1e-3, 0x1.8p-3, inf or nan, or bits.");
  read->number.negative = negative;  // of a NaN as well: C prints -nan where its sign is set
  return *read;
}

std::optional<Code> exact_code(const Reading& read, const Format& format) {
  return read.exact ? same_code(read.number, format) : std::nullopt;
}

Code parse_number(std::string_view text, const Format& format) {
  const Reading read = read_number(text);
  if (const std::optional<Code> code = exact_code(read, format)) return *code;
  std::string why = "is not a number that " + format.name + " holds exactly";
  if (read.number.is_finite() && within_reach(read.number, format))
    why += "; the nearest has the bits " + digits_text(code_of(read.number, format), format);
  refuse(text, why + ".");
}

}  // namespace

std::optional<Code> same_number(Code code, const Format& from, const Format& to) {
  return same_code(number_of(code, from), to);
}

Code nearest_number(Code code, const Format& from, const Format& to) { return code_of(number_of(code, from), to); }

Code parse_hex(std::string_view text, const Format& format) {
  if (!has_digits(text, hex_letters) || static_cast<int>(text.size()) != format.hex_digits())
    refuse(text, "is not the bits of " + format.name + ": those are " + size_text(format) + " of 0-9 and a-f.");
  const Code code = to_code(text, 16);
  if (!format.fits(code))
    refuse(text, "has more than the " + std::to_string(format.stored_bits) + " bits of " + format.name + ".");
  return code;
}

Code parse_binary(std::string_view text, const Format& format) {
  if (!has_digits(text, "01") || static_cast<int>(text.size()) != format.stored_bits)
    refuse(text, "is not the bits of " + format.name + ": those are " + std::to_string(format.stored_bits) +
                     " digits of 0 and 1.");
  return to_code(text, 2);
}

NearestValue nearest_value(std::string_view text, const Format& format) {
  if (text.empty() || !looks_like_a_number(text)) return {parse_value(text, format), true};
  const Reading read = read_number(text);
  if (const std::optional<Code> code = exact_code(read, format)) return {*code, true};
  if (!read.number.is_finite() || !within_reach(read.number, format)) return {parse_number(text, format), true};
  return {code_of(read.number, format), false};
}

Code parse_value(std::string_view text, const Format& format) {
  if (text.empty()) throw ScanError{"there is nothing, where " + format.name + " should stand."};
  if (looks_like_a_number(text)) return parse_number(text, format);
  const std::string_view prefix = text.substr(0, 2);
  if (prefix == "0b" && format.hex_digits() != static_cast<int>(text.size()))
    return parse_binary(text.substr(2), format);
  if (prefix == "0x" || prefix == "0X") {
    std::string digits(text.substr(2));
    if (static_cast<int>(digits.size()) < format.hex_digits() && !digits.empty())
      digits.insert(0, static_cast<std::size_t>(format.hex_digits()) - digits.size(), '0');
    return parse_hex(digits, format);
  }
  if (has_digits(text, "0123456789") && static_cast<int>(text.size()) != format.hex_digits())
    refuse(text,
           "may be bits or a number: write bits with all their " + size_text(format) + ", and a number with a point.");
  return parse_hex(text, format);
}

}  // namespace assay
