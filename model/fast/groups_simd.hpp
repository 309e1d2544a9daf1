// The vector loops of scaled groups of small integers, for whichever instruction set this machine has.
#pragma once

#include <cstdint>

namespace assay {

struct GroupsShape {
  int keep = 0;      // F
  int groups = 0;    // of a step
  int pairs = 0;     // of terms, of a group
  int words = 0;     // of a bit for each term, of a group
  int exponent = 0;  // of a group before its scales
  int floor = 0;     // of the sum's window
};

// What a zero counts with where exponents are compared, and each of two scales with one of them zero.
inline constexpr int groups_no_exponent = -(1 << 20);

// Lines of one operand, each a sequence of groups, and for each group: its pairs, its words, its scale.
//
//   rows      row 0: group 0, 1, ..   row 1: ..          each group x0 x1 x2 ..
//   a panel   group 0: x0 of lines 0 to 15, x1 of lines 0 to 15, ..   group 1: ..
struct GroupsLines {
  const std::int32_t* pairs = nullptr;   // | t1 | t0 |   two integers of 16 bits
  const std::uint32_t* words = nullptr;  // which terms are not zero
  const double* scales = nullptr;
  const std::int32_t* exponents = nullptr;  // of scales, or groups_no_exponent
};

// Pointers to one tile's first row and first column.
struct GroupsRun {
  GroupsLines a, b;
  std::int64_t a_groups = 0;  // of a row
  int first_row = 0;          // of A; acc and redo begin there
  int steps = 0;
  float* acc = nullptr;           // tile_rows x panel_columns, in and out
  std::uint32_t* redo = nullptr;  // the same; not zero: leave this element to core
};

void groups_rows(const GroupsShape& shape, const GroupsRun& run);   // tile_rows rows of A
void groups_lanes(const GroupsShape& shape, const GroupsRun& run);  // A is a panel too; the first row of the tile

}  // namespace assay
