// Text as JSON has it. Standard library only: a device in its own process includes it too.
#pragma once

#include <string>
#include <string_view>

#include "model/base/hex.hpp"

namespace assay {

// Any text as a JSON string.
inline void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u" + hex_text(static_cast<unsigned char>(c), 4);
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

}  // namespace assay
