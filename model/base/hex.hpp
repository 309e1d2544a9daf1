// Hexadecimal digits, in lower case and without a prefix. Standard library only: a device in its own process includes
// it too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

// Of a value from 0 to 15.
constexpr char hex_digit(std::uint64_t value) { return "0123456789abcdef"[value]; }

// The lowest 4 * `digits` bits of `code`, the highest digit first. `to` has room for them.
inline void put_hex(char* to, std::uint64_t code, int digits) {
  for (int i = digits - 1; i >= 0; --i, code >>= 4) to[i] = hex_digit(code & 15);
}

// 3c00
inline std::string hex_text(std::uint64_t code, int digits) {
  std::string text(static_cast<std::size_t>(digits), '0');
  put_hex(text.data(), code, digits);
  return text;
}

namespace detail {

inline constexpr std::int8_t no_digit = -1;

constexpr std::array<std::int8_t, 256> hex_table() {
  std::array<std::int8_t, 256> table{};
  for (auto& value : table) value = no_digit;
  for (std::int8_t i = 0; i < 16; ++i) table[static_cast<unsigned char>(hex_digit(static_cast<std::uint64_t>(i)))] = i;
  return table;
}

inline constexpr std::array<std::int8_t, 256> hex_values = hex_table();

}  // namespace detail

// Of one digit; -1 where it is none.
inline int hex_value(char digit) { return detail::hex_values[static_cast<unsigned char>(digit)]; }

// Of 1 to `most` digits, which are no more than 16; nothing where the text is another.
inline std::optional<std::uint64_t> hex_number(std::string_view text, std::size_t most) {
  if (text.empty() || text.size() > most) return std::nullopt;
  std::uint64_t number = 0;
  for (const char digit : text) {
    const int value = hex_value(digit);
    if (value < 0) return std::nullopt;
    number = number << 4 | static_cast<std::uint64_t>(value);
  }
  return number;
}

}  // namespace assay
