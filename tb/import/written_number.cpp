#include "tb/import/written_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/base/read_double.hpp"

namespace assay {
namespace {

constexpr int kept_bits = 120;
constexpr int farthest_written = 1'000'000;  // to which a written exponent is cut, so that sums with it are integers
constexpr int farthest_decimal = 1600;       // 10^1600 is beyond 2^5000
constexpr std::uint32_t nine_digits = 1'000'000'000;

// A whole number of any size, the lowest 32 bits first, and whether what was divided off it was more than zero.
class Whole {
 public:
  void times_and_plus(std::uint32_t factor, std::uint32_t more) {
    std::uint64_t carry = more;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }

  void shift_up(std::size_t limbs) { limbs_.insert(limbs_.begin(), limbs, 0); }

  void divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (auto limb = limbs_.rbegin(); limb != limbs_.rend(); ++limb) {
      rest = rest << 32 | *limb;
      *limb = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    has_rest_ = has_rest_ || rest != 0;
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }

  // times 2^quantum
  Number number(int quantum) const {
    Number n;
    std::size_t bits = 32 * limbs_.size();
    while (bits > 0 && !bit(bits - 1)) --bits;
    const std::size_t dropped = bits - std::min<std::size_t>(bits, kept_bits);
    for (std::size_t i = bits; i > dropped; --i) n.magnitude = n.magnitude << 1 | (bit(i - 1) ? 1 : 0);
    bool lost = has_rest_;
    for (std::size_t i = 0; i < dropped; ++i) lost = lost || bit(i);
    if (lost) n.magnitude |= 1;
    n.quantum = quantum + static_cast<int>(dropped);
    return n;
  }

 private:
  bool bit(std::size_t at) const { return (limbs_[at / 32] >> at % 32 & 1) != 0; }

  std::vector<std::uint32_t> limbs_;
  bool has_rest_ = false;
};

Number power_of_two(int exponent) {
  Number n;
  n.magnitude = 1;
  n.quantum = exponent;
  return n;
}

// 12.50 is 1250 x 10^-2.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

std::optional<int> exponent_in(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  int exponent = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (text.empty() || text[0] == '+' || read.ptr != text.data() + text.size()) return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) exponent = text[0] == '-' ? -farthest_written : farthest_written;
  return std::clamp(exponent, -farthest_written, farthest_written);
}

// The digits of a significand with at most one point, and how many stand behind it; nothing where there is none.
std::optional<Decimal> significand_in(std::string_view text, std::string_view digits) {
  Decimal found;
  bool point = false, any = false;
  for (const char c : text) {
    if (c == '.') {
      if (point) return std::nullopt;
      point = true;
      continue;
    }
    if (digits.find(c) == digits.npos) return std::nullopt;
    any = true;
    if (point) --found.exponent;
    if (c != '0' || !found.digits.empty()) found.digits += c;
  }
  return any ? std::optional(found) : std::nullopt;
}

// Of the text: the significand before `mark` in either case, and the exponent behind it.
std::optional<std::pair<Decimal, int>> parts_of(std::string_view text, std::string_view digits, std::string_view mark) {
  const std::size_t at = text.find_first_of(mark);
  const auto exponent = at == text.npos ? std::optional(0) : exponent_in(text.substr(at + 1));
  const auto significand = significand_in(text.substr(0, at), digits);
  if (!exponent || !significand) return std::nullopt;
  return std::pair{*significand, *exponent};
}

Number number_of(const Decimal& decimal) {
  if (decimal.digits.empty()) return Number::zero();
  const int leading = static_cast<int>(decimal.digits.size()) + decimal.exponent;
  if (std::abs(leading) > farthest_decimal) return power_of_two(leading < 0 ? -beyond_all_formats : beyond_all_formats);
  Whole whole;
  for (const char c : decimal.digits) whole.times_and_plus(10, static_cast<std::uint32_t>(c - '0'));
  for (int e = decimal.exponent; e > 0; --e) whole.times_and_plus(10, 0);
  const int down = std::max(0, -decimal.exponent);
  const int limbs = down == 0 ? 0 : kept_bits / 32 + 2 + down / 9;  // 10^9 is less than 2^32
  whole.shift_up(static_cast<std::size_t>(limbs));
  for (int left = down; left > 0; left -= 9) {
    std::uint32_t divisor = nine_digits;
    for (int i = left; i < 9; ++i) divisor /= 10;
    whole.divide(divisor);
  }
  return whole.number(-32 * limbs);
}

std::optional<Number> written_decimal(std::string_view text) {
  const auto parts = parts_of(text, "0123456789", "eE");
  if (!parts) return std::nullopt;
  auto [decimal, exponent] = *parts;
  decimal.exponent += exponent;
  return number_of(decimal);
}

std::optional<Number> written_hexadecimal(std::string_view text) {
  const auto parts = parts_of(text, "0123456789abcdefABCDEF", "pP");
  if (!parts) return std::nullopt;
  const auto& [significand, exponent] = *parts;
  if (significand.digits.empty()) return Number::zero();
  const int leading = 4 * (static_cast<int>(significand.digits.size()) + significand.exponent) + exponent;
  if (std::abs(leading) > beyond_all_formats)
    return power_of_two(leading < 0 ? -beyond_all_formats : beyond_all_formats);
  Whole whole;
  for (const char c : significand.digits) {
    std::uint32_t digit = 0;
    std::from_chars(&c, &c + 1, digit, 16);
    whole.times_and_plus(16, digit);
  }
  return whole.number(4 * significand.exponent + exponent);
}

// "inf" and "nan", as C writes and reads them.
std::optional<Number> written_special(std::string_view text) {
  double value = 0;
  const auto read = read_double(text.data(), text.data() + text.size(), value);
  if (text.empty() || text[0] == '-' || read.ec != std::errc{} || read.ptr != text.data() + text.size() ||
      std::isfinite(value))
    return std::nullopt;
  return std::isinf(value) ? Number::infinity(false) : Number::nan();
}

}  // namespace

std::optional<Number> written_number(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") return written_hexadecimal(text.substr(2));
  if (const auto special = written_special(text)) return special;
  return written_decimal(text);
}

}  // namespace assay
