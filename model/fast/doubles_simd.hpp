// The vector loops of adders in 64-bit lanes, for whichever instruction set this machine has.
#pragma once

#include <cstdint>

#include "model/core/plan.hpp"

namespace assay {

inline constexpr int doubles_adders = 6;   // of a step or finish, at most
inline constexpr int doubles_groups = 16;  // of an adder, and lanes of a plan

// Pointers to one tile's first row.
struct DoublesRun {
  const double* a = nullptr;  // rows, a_stride apart; or a panel
  const std::uint16_t* a_exponents = nullptr;
  const double* a_scales = nullptr;  // block after block, with their exponents
  const std::int64_t* a_scale_exponents = nullptr;
  std::int64_t a_stride = 0, a_scale_stride = 0;
  const double* b = nullptr;  // a panel
  const std::uint16_t* b_exponents = nullptr;
  const double* b_scales = nullptr;
  const std::int64_t* b_scale_exponents = nullptr;
  int instructions = 0;
  int group_terms = 0;      // of products, filled up to a multiple of four
  int product_groups = 0;   // in a step
  int exponent_offset = 0;  // exponent word + this = nominal exponent of a product
  double* acc = nullptr;    // tile_rows x panel_columns: c, then d
  std::uint64_t* redo = nullptr;
};

void doubles_rows(const Plan& plan, const DoublesRun& run);   // tile_rows rows of A
void doubles_lanes(const Plan& plan, const DoublesRun& run);  // A is a panel too; the first row of the tile

}  // namespace assay
