// A text file of somebody else's, line by line, its words with the places where they stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/base/text.hpp"
#include "tb/vectors/bytes.hpp"
#include "tb/vectors/lines.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {

struct Word {
  std::string text;
  std::size_t column = 1;  // of its first character, from 1
};

class TextLines {
 public:
  // Throws Error, as all of these do.
  explicit TextLines(const std::string& path);

  // The next line, without its end; good until the one after it is asked for.
  bool next(std::string_view& line);

  // The next line that has words.
  bool next_with_words(std::vector<Word>& words);

  const std::string& file() const { return file_; }
  std::uint64_t number() const { return number_; }  // of the line read last, from 1

  // "FILE, line 3, column 12: SENTENCE"; column 0 is the whole line.
  [[noreturn]] void fail(std::size_t column, const std::string& sentence) const;

  // Fails where this text, which begins at the column, cannot stand in a vector file.
  void expect_utf8(std::size_t column, std::string_view text) const;

 private:
  [[noreturn]] void refuse_long_line();

  std::string file_;
  ByteSource source_;
  LineBuffer lines_;
  bool ended_ = false;
  std::uint64_t number_ = 0;
};

// What stands between spaces and tabs.
std::vector<Word> words_of(std::string_view line);

// Calls read(); what it throws as a ScanError is a fault at this place of the line read last.
template <class Read>
auto at_place(const TextLines& lines, std::size_t column, Read&& read) -> decltype(read()) {
  try {
    return read();
  } catch (const ScanError& error) {
    lines.fail(column, error.message);
  }
}

}  // namespace assay
