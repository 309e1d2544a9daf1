// Two results of one matrix product: how many elements differ, by how much and where.
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/format.hpp"

namespace assay {

bool is_nan_code(const Format& format, Code code);

// How many steps from one representable value to the next lie between two codes, neither of them NaN: none between +0
// and -0, one from the greatest number to infinity.
std::uint64_t ulps_between(const Format& format, Code x, Code y);

// Two NaNs are equal, whichever they are; +0 and -0 are not.
bool same_result(const Format& format, Code x, Code y);

struct Difference {
  std::uint64_t elements = 0, differ = 0;
  std::uint64_t nan_in_one = 0;  // of those that differ: they have no distance
  std::uint64_t greatest = 0;    // ulps
  double mean = 0;               // ulps, of those that differ and have a distance
  int row = 0, column = 0;       // of the greatest
};

Difference difference(const Format& format, const std::vector<Code>& x, const std::vector<Code>& y, int columns);

// A matrix reduced to a small map: each tile stands for a few elements.
struct HeatTile {
  int elements = 0, differ = 0;
  std::uint64_t greatest = 0;  // ulps
  bool nan_in_one = false;     // of some element
};

struct HeatMap {
  int rows = 0, columns = 0;    // of tiles
  int height = 0, width = 0;    // of a tile, in elements; those at the lower and right edge may be smaller
  std::vector<HeatTile> tiles;  // row by row
};

// No more tiles than `most_rows` x `most_columns`, and no more than elements.
HeatMap heat_map(const Format& format, const std::vector<Code>& x, const std::vector<Code>& y, int columns,
                 int most_rows, int most_columns);

}  // namespace assay
