// A page of 100 columns: names on the left, what stands there on the right, bits under each other.
#pragma once

#include <string>
#include <vector>

#include "tb/oracle/dyadic.hpp"

namespace assay::explain {

// Columns of falling weight, long runs of equal columns folded, broken into bands that fit a line.
class BitGrid {
 public:
  // Columns from 2^top down to 2^bottom; the point stands behind 2^point.
  BitGrid(long top, long bottom, long point) : top_(top), bottom_(bottom), point_(point) {}

  // Makes the bands. Where the grid is wider than one, runs in which each of these numbers repeats one bit are folded:
  // [0 x 112] over [1 x 112].
  void fold(const std::vector<exact::Dyadic>& numbers);

  std::size_t bands() const { return bands_.size(); }
  bool folded() const { return folded_; }
  // "bits 2^40 to 2^-23"
  std::string band_name(std::size_t band) const;
  bool has_ones(const exact::Dyadic& x, std::size_t band) const;

  // The bits of |x| in a band; blank above 2^from, nothing below 2^to.
  std::string row(const exact::Dyadic& x, std::size_t band, long from, long to) const;

 private:
  struct Piece {
    long top, bottom;
    bool folded;  // every row repeats one bit
  };
  using Band = std::vector<Piece>;

  static long width(const Piece& piece);  // as printed
  void append(Piece piece);

  long top_, bottom_, point_;
  bool folded_ = false;
  std::vector<Band> bands_;
};

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

}  // namespace assay::explain
