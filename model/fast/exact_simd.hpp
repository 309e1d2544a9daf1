// The vector loops of exact sums, for whichever instruction set this machine has.
#pragma once

#include <cstdint>

namespace assay {

// Pointers to one tile's first row and first column.
struct ExactRun {
  const double* a = nullptr;  // rows: a_stride apart
  std::int64_t a_stride = 0;
  const double* b = nullptr;  // a panel
  int steps = 0;
  int terms = 0;                  // of a step
  double no_sum = 0;              // what a sum of products begins with: -0 where zeros have IEEE's signs
  double* acc = nullptr;          // tile_rows x panel_columns: c, then d
  std::uint64_t* redo = nullptr;  // the same; not zero: leave this element to core
};

void exact_rows(const ExactRun& run);   // tile_rows rows of A
void exact_lanes(const ExactRun& run);  // A is a panel too; the first row of the tile

}  // namespace assay
