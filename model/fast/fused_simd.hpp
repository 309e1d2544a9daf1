// The vector loops of fused steps, for whichever instruction set this machine has.
#pragma once

#include <cstdint>

namespace assay {

struct FusedShape {
  int keep = 0;                     // F
  int groups = 0;                   // of four terms, in a step
  int first_groups = 0;             // that the first of two sums takes; all of them where one is enough
  int exponent_offset = 0;          // exponent byte + this = exponent field of a float
  bool half_result = false;         // rounded to half, to the nearest; else cut to float
  std::uint32_t result_bits = ~0U;  // that a float result keeps
  std::uint32_t alone_bits = ~0U;   // that the window keeps of an accumulator with no product beside it
  int floor_field = 0;              // the window's floor as an exponent field
  int least_acc_field = 0;          // that of the accumulator's subnormals
  float zero = -0.0F;               // `zero_of` a step's result, which `fused_late_sums` adds
};

// Pointers to one tile's first row and first column.
struct FusedRun {
  const float* a = nullptr;  // rows: a_stride apart
  const std::uint8_t* a_exponents = nullptr;
  std::int64_t a_stride = 0;
  const float* b = nullptr;                   // a panel: term after term
  const std::uint8_t* b_exponents = nullptr;  // of four terms together, column after column
  int steps = 0;
  float* acc = nullptr;           // tile_rows x panel_columns, in and out
  std::uint32_t* redo = nullptr;  // the same; becomes not zero: leave this element to core
};

// Sums that c is added to, one after the other.
struct LateSums {
  const float* sums = nullptr;  // `count` times tile_rows x panel_columns
  int count = 0;
  float* acc = nullptr;  // of FusedRun
  std::uint32_t* redo = nullptr;
};

void fused_rows(const FusedShape& shape, const FusedRun& run);   // tile_rows rows of A
void fused_lanes(const FusedShape& shape, const FusedRun& run);  // A is a panel too; the first row of the tile
void fused_late_sums(const FusedShape& shape, const LateSums& late);

}  // namespace assay
