// The vector loops of integer sums, for whichever instruction set this machine has.
#pragma once

#include <cstdint>

namespace assay {

// Pointers to one tile's first row and first column.
struct IntegerRun {
  const std::int32_t* a = nullptr;  // rows: a_stride apart; or a panel
  std::int64_t a_stride = 0;
  const std::int32_t* b = nullptr;  // a panel
  std::int64_t terms = 0;
  std::int64_t step = 0;  // so many terms at a time are added to what came before, and the sum stops at the ends of
                          // 32 bits; 0: all at once, modulo 2^32
  std::int32_t* acc = nullptr;  // tile_rows x panel_columns: c, then d
};

void integer_rows(const IntegerRun& run);   // tile_rows rows of A
void integer_lanes(const IntegerRun& run);  // A is a panel too; the first row of the tile

}  // namespace assay
