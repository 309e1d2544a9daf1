#include "model/base/printable.hpp"

#include <algorithm>
#include <utility>

#include "model/base/hex.hpp"
#include "model/base/utf8.hpp"

namespace assay {
namespace {

constexpr std::string_view colours[] = {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"};

// Controls, marks of direction, and what has no width.
constexpr std::pair<char32_t, char32_t> unseen[] = {{0x00, 0x08},     {0x0b, 0x1f},     {0x7f, 0x9f},
                                                    {0x061c, 0x061c}, {0x200b, 0x200f}, {0x2028, 0x202e},
                                                    {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}};

bool is_unseen(char32_t code) {
  return std::any_of(std::begin(unseen), std::end(unseen),
                     [code](const auto& range) { return code >= range.first && code <= range.second; });
}

// The colour that `text` begins with; `maybe` where more of the text has to come before one knows.
std::string_view colour_at(std::string_view text, bool& maybe) {
  for (const std::string_view colour : colours) {
    if (text.substr(0, colour.size()) == colour) return colour;
    maybe = maybe || colour.substr(0, text.size()) == text;
  }
  return {};
}

// Moves the complete characters from the front of `text` to the result; `at_end` all that is left.
std::string taken_from(std::string& text, bool colour, bool at_end) {
  std::string result;
  std::string_view rest = text;
  while (!rest.empty()) {
    bool unfinished = false;
    const std::string_view own = colour && rest[0] == '\x1b' ? colour_at(rest, unfinished) : std::string_view{};
    const Character next = first_character(rest);
    if (!at_end && own.empty() && (unfinished || !next.whole)) break;
    const std::size_t bytes = std::max<std::size_t>(own.empty() ? next.bytes : own.size(), 1);
    if (!own.empty() || (next.bytes != 0 && !is_unseen(next.code))) {
      result += rest.substr(0, bytes);
    } else if (next.bytes != 0) {
      result += "\\u" + hex_text(next.code, 4);
    } else {
      result += "\\x" + hex_text(static_cast<unsigned char>(rest[0]), 2);
    }
    rest.remove_prefix(bytes);
  }
  text.erase(0, text.size() - rest.size());
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string rest(text);
  return taken_from(rest, false, true);
}

bool PrintableBuffer::hand_on(bool at_end) {
  const std::string text = taken_from(held_, colour_, at_end);
  const auto size = static_cast<std::streamsize>(text.size());
  return to_.sputn(text.data(), size) == size;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  held_ += traits_type::to_char_type(c);
  return hand_on(false) ? c : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
  held_.append(text, static_cast<std::size_t>(size));
  return hand_on(false) ? size : 0;
}

int PrintableBuffer::sync() { return hand_on(true) && to_.pubsync() == 0 ? 0 : -1; }

}  // namespace assay
