// Writing JSON lines: bits as hex, numbers, quoted text. Standard library only, so that a device in its own process can
// include it.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

inline void put_hex(char* to, std::uint64_t code, int digits) {
  for (int i = digits - 1; i >= 0; --i, code >>= 4) to[i] = "0123456789abcdef"[code & 15];
}

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

// Any text as a JSON string.
inline void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[] = "\\u0000";
      put_hex(escape + 2, static_cast<unsigned char>(c), 4);
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}

inline std::string json_string(std::string_view text) {
  std::string json;
  append_quoted(json, text);
  return json;
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
      char escape[] = "\\x00";
      put_hex(escape + 2, byte, 2);
      shown += escape;
    }
  }
  return shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace assay
