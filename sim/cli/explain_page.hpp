// A page of 100 columns: names on the left, what stands there on the right, bits under each other.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/explain_sums.hpp"

namespace assay {

// One line of bits: sign, what is kept, behind a bar what is cut off, and what it is. Without kept bits, words alone.
struct BitLine {
  std::string name;
  bool negative = false;
  std::string kept, cut, note;
};

class Page {
 public:
  static constexpr std::size_t columns = 100;
  static constexpr std::size_t name_width = 12;  // of "  align[127]"

  const std::string& text() const { return text_; }

  void line(const std::string& text) { text_ += text + "\n"; }
  // Begins a block of lines about one thing.
  void heading(const std::string& name);
  // One thing that a line is enough for; several of them stand together.
  void entry(const std::string& name, const std::string& words);
  // A name and words, which go on under each other where they are many.
  void row(const std::string& name, const std::string& words);
  // The notes of all lines begin in one column; cut-off bits that leave them no room get lines of their own.
  void bits(const std::vector<BitLine>& lines);

 private:
  std::string text_;
  bool in_block_ = true;
};

std::string hex_text(Code code, const Format& format);

// "-1.0110 x 2^-3", the point behind 2^exponent; hexadecimal digits after 0x where there are more bits than `room`.
std::string scientific(const exact::Dyadic& x, long exponent, std::size_t room = 60);
std::string scientific(const Number& n, std::size_t room = 60);
// The same and its decimal value; "+0", "NaN" and the like by themselves, integers as such.
std::string value_text(const Number& n, bool integer = false);

// Bits with a point before the last `fraction_bits` of them.
std::string pointed(std::string bits, long fraction_bits);

// "toward zero" of toward_zero.
std::string spaced(std::string_view word);

// "0|01111111|00000000000000000000001": sign, exponent, significand; for integers the bits alone.
std::string split_code(Code code, const Format& format);

}  // namespace assay
