#include "tb/scoreboard/xml.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

// How many bytes the UTF-8 sequence at the start of `text` has; 0 where there is none.
//   0xxxxxxx   110xxxxx 10xxxxxx   1110xxxx 10xxxxxx 10xxxxxx   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  const bool no_character = first == 0xef && second == 0xbf && byte(2) >= 0xbe;  // U+FFFE, U+FFFF
  return overlong || surrogate || beyond || no_character ? 0 : length;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; }

constexpr std::string_view in_text = "<>&";
constexpr std::string_view in_attribute = "<>&\"\n\t";  // where a line break as it stands would be read as a space

std::string escaped(std::string_view text, std::string_view special) {
  std::string xml;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0 || is_control(c)) {
      xml += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else if (special.find(c) != std::string_view::npos) {
      xml += fmt::format("&#{};", static_cast<int>(c));
    } else {
      xml += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return xml;
}

}  // namespace

std::string xml_text(std::string_view text) { return escaped(text, in_text); }
std::string xml_attribute(std::string_view text) { return escaped(text, in_attribute); }

}  // namespace assay
