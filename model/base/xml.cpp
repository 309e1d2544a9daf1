#include "model/base/xml.hpp"

#include "model/base/hex.hpp"
#include "model/base/utf8.hpp"

namespace assay {
namespace {

// What XML may hold: no control character but the tab and the end of a line, and neither U+FFFE nor U+FFFF.
bool is_legal(const Character& c) {
  const bool control = c.code < 0x20 && c.code != '\n' && c.code != '\t';
  return c.bytes != 0 && !control && c.code != 0xfffe && c.code != 0xffff;
}

constexpr std::string_view in_text = "<>&";
constexpr std::string_view in_attribute = "<>&\"\n\t";  // where a line break as it stands would be read as a space

std::string escaped(std::string_view text, std::string_view special) {
  std::string xml;
  while (!text.empty()) {
    const Character next = first_character(text);
    const char c = text[0];
    if (!is_legal(next)) {
      xml += "\\x" + hex_text(static_cast<unsigned char>(c), 2);
    } else if (special.find(c) != std::string_view::npos) {
      xml += "&#" + std::to_string(c) + ";";
    } else {
      xml += text.substr(0, next.bytes);
    }
    text.remove_prefix(is_legal(next) ? next.bytes : 1);
  }
  return xml;
}

}  // namespace

std::string xml_text(std::string_view text) { return escaped(text, in_text); }
std::string xml_attribute(std::string_view text) { return escaped(text, in_attribute); }

}  // namespace assay
