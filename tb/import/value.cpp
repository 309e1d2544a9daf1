#include "tb/import/value.hpp"

#include <charconv>
#include <string>

#include "model/base/text.hpp"
#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"
#include "tb/import/written_number.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

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

// Whether some code is the nearest: a format without zero has none for it, and one without a sign none below.
bool has_nearest(const Number& n, const Format& to) {
  switch (n.cls) {
    case Class::nan: return to.nan != NanCodes::none;
    case Class::infinity: return to.has_infinity && (to.has_sign || !n.negative);
    case Class::finite: break;
  }
  return n.magnitude == 0 ? to.has_zero : to.has_sign || !n.negative;
}

std::optional<Code> same_code(const Number& n, const Format& to) {
  if (!has_nearest(n, to)) return std::nullopt;
  const Code code = code_of(n, to);
  const Number back = number_of(code, to);
  if (n.cls == Class::nan && to.nan != NanCodes::ieee) return code;  // its one NaN
  if (same_value(n, back)) return code;
  // What is encoded is a result, whose NaN is quiet; a signalling one may have the same payload.
  if (n.cls != Class::nan) return std::nullopt;
  const Code signalling = code & ~to.stored(to.quiet_nan() & ~to.infinity());
  return same_value(n, number_of(signalling, to)) ? std::optional(signalling) : std::nullopt;
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

bool looks_like_a_number(std::string_view text) {
  if (text[0] == '-' || text[0] == '+' || text.find('.') != text.npos) return true;
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") return text.find_first_of("pP") != text.npos;
  return text.find_first_of("-+") != text.npos || text == "inf" || text == "nan";
}

Number read_number(std::string_view text) {
  const bool negative = text[0] == '-';
  std::optional<Number> read = written_number(negative || text[0] == '+' ? text.substr(1) : text);
  if (!read) refuse(text, "is not a number: write -1.5, 1e-3, 0x1.8p-3, inf or nan, or bits.");
  read->negative = negative;  // of a NaN as well: C prints -nan where its sign is set
  return *read;
}

[[noreturn]] void refuse_number(std::string_view text, const Number& n, const Format& format) {
  std::string why = "is not a number that " + format.name + " holds exactly";
  if (n.is_finite() && has_nearest(n, format))
    why += "; the nearest has the bits " + digits_text(code_of(n, format), format);
  refuse(text, why + ".");
}

Code parse_number(std::string_view text, const Format& format) {
  const Number n = read_number(text);
  if (const std::optional<Code> code = same_code(n, format)) return *code;
  refuse_number(text, n, format);
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
  const Number n = read_number(text);
  if (const std::optional<Code> code = same_code(n, format)) return {*code, true};
  if (!n.is_finite() || !has_nearest(n, format)) refuse_number(text, n, format);
  return {code_of(n, format), false};
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
