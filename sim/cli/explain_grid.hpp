// Bits under each other: columns of falling weight, long runs of equal columns folded, broken into bands that fit a
// line.
#pragma once

#include <string>
#include <vector>

#include "tb/oracle/dyadic.hpp"

namespace assay {

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

// Runs of one character as [0 x 112].
std::string folded_runs(const std::string& text);

}  // namespace assay
