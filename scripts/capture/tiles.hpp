// Cases packed into the registers of an instruction, and their results found there again.
//
// A tile is one execution of the instruction. Of its rows and columns every `ways`-th belong to one case, so that each
// case is computed at several positions, which must agree:
//
//        column  0 1 2 3 4 5 6 7
//   row 0        0 . . . 0 . . .      case 0 in rows 0, 4, .. and columns 0, 4, ..; case 1 in 1, 5, ..
//   row 1        . 1 . . . 1 . .      '.': row of one case, column of another; computed and not looked at
//
// From tile to tile the cases move on by one row and column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/layout/layout.hpp"

namespace assay::capture {

struct CapturedCase {
  std::vector<std::uint64_t> a, b, scale_a, scale_b;
  std::vector<std::uint64_t> mask;  // of a sparse A: which elements are there, 1 or 0 each
  std::uint64_t c = 0;
};

// What a kernel is given and gives back: the registers of every tile, tile after tile.
struct PackedOperands {
  layout::Words a, b, c, scale_a, scale_b, indices;
  std::size_t tiles = 0;
};

// An operand with the place of each of its elements worked out once.
class Placed {
 public:
  Placed() = default;
  explicit Placed(const layout::Fragment& fragment);

  std::size_t words() const { return words_; }  // of a tile
  const layout::Coordinates& size() const { return fragment_.size; }
  void put(layout::Words& words, std::size_t tile, const layout::Coordinates& e, std::uint64_t code) const;
  std::uint64_t get(const layout::Words& words, std::size_t tile, const layout::Coordinates& e) const;

 private:
  struct Spot {
    std::size_t word = 0;  // the lane's first ...
    int bit = 0;           // ... and the element's bit from there
  };
  const Spot& spot(const layout::Coordinates& e) const;

  layout::Fragment fragment_;
  std::size_t words_ = 0;
  std::vector<Spot> spots_;
};

class Tiling {
 public:
  // Throws Error where the tables do not hold the instruction. Open n is open_n.
  explicit Tiling(const std::string& instruction);
  // The same with other layouts: for tests.
  Tiling(const layout::NamedShape& shape, const layout::Fragments& fragments);

  const layout::NamedShape& shape() const { return shape_; }
  const layout::Fragments& fragments() const { return fragments_; }
  std::size_t cases_a_tile() const { return static_cast<std::size_t>(ways_ * shape_.blocks); }
  int positions() const { return shape_.m / ways_ * (shape_.n / ways_); }

  PackedOperands pack(const std::vector<CapturedCase>& cases) const;
  // Case by case; throws Error where positions of one case differ.
  std::vector<std::uint64_t> unpack(const layout::Words& d, std::size_t cases) const;

 private:
  // Which case of its tile row (or column) i of block b belongs to.
  std::size_t owner(std::size_t tile, int block, int i) const;
  // A row of a sparse A, with its indices.
  void put_halved(PackedOperands& out, std::size_t tile, int row, const CapturedCase& c) const;

  layout::NamedShape shape_;
  layout::Fragments fragments_;
  int ways_ = 1;
  Placed a_, b_, c_, d_, scale_a_, scale_b_, indices_;
};

// What is wrong with a case's mask, as a sentence; empty where nothing is, and where A is whole and there is none.
std::string wrong_mask(const layout::NamedShape& shape, const std::vector<std::uint64_t>& mask);

}  // namespace assay::capture
