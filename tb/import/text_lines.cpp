#include "tb/import/text_lines.hpp"

#include "model/base/hex.hpp"
#include "model/base/utf8.hpp"

namespace assay {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::size_t at_once = std::size_t{1} << 16;

}  // namespace

TextLines::TextLines(const std::string& path) : file_(path), source_(open_source(path)) {}

bool TextLines::next(std::string_view& line) {
  while (!lines_.next(line)) {
    if (ended_) {
      line = lines_.rest();
      lines_.drop_rest();
      if (line.empty()) return false;
      break;
    }
    if (lines_.rest().size() > longest_line) refuse_long_line();
    const std::size_t bytes = source_(lines_.room(at_once), at_once);
    lines_.filled(bytes);
    ended_ = bytes == 0;
  }
  if (line.size() > longest_line) refuse_long_line();
  ++number_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

void TextLines::refuse_long_line() {
  ++number_;
  fail(0, "the line is longer than 1 MiB, which no line of a recording is.");
}

bool TextLines::next_with_words(std::vector<Word>& words) {
  std::string_view line;
  do {
    if (!next(line)) return false;
    words = words_of(line);
  } while (words.empty());
  return true;
}

void TextLines::fail(std::size_t column, const std::string& sentence) const {
  std::string place = file_ + ", line " + std::to_string(number_);
  if (column > 0) place += ", column " + std::to_string(column);
  throw Error{place + ": " + sentence};
}

void TextLines::expect_utf8(std::size_t column, std::string_view text) const {
  const std::size_t at = no_utf8_at(text);
  if (at == text.npos) return;
  fail(column + at, "the byte " + hex_text(static_cast<unsigned char>(text[at]), 2) +
                        " is no UTF-8, as the text of a vector file is; convert the file, with iconv for example.");
}

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at != line.npos; at = line.find_first_not_of(" \t", at)) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back({std::string(line.substr(at, end - at)), at + 1});
    at = end;
    if (at == line.size()) break;
  }
  return words;
}

}  // namespace assay
