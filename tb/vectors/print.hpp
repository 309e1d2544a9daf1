// Writing JSON lines: bits as hex, and numbers. Standard library only, so that a device in its own process can
// include it.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/hex.hpp"
#include "model/base/json.hpp"

namespace assay {

// "3c00" with its quotes.
inline void append_hex(std::string& out, std::uint64_t code, int digits) {
  char text[18];
  const int shown = std::min(digits, 16);
  text[0] = text[shown + 1] = '"';
  put_hex(text + 1, code, shown);
  out.append(text, static_cast<std::size_t>(shown) + 2);
}

// ["3c00","0000"]
inline void append_hex_list(std::string& out, const std::vector<std::uint64_t>& codes, int digits) {
  out += '[';
  if (!codes.empty()) {
    const auto stride = static_cast<std::size_t>(digits) + 3;  // two quotes and a comma
    const std::size_t start = out.size();
    out.resize(start + codes.size() * stride);
    char* to = out.data() + start;
    for (const std::uint64_t code : codes) {
      to[0] = '"';
      put_hex(to + 1, code, digits);
      to[digits + 1] = '"';
      to[digits + 2] = ',';
      to += stride;
    }
    out.pop_back();
  }
  out += ']';
}

inline void append_number(std::string& out, std::uint64_t number) {
  char text[20];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

// The beginning of text of unknown origin, fit for a message: quoted, on one line, cut where it grows long.
inline std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      shown += c;
    } else {
      shown += "\\x" + hex_text(byte, 2);
    }
  }
  return shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace assay
