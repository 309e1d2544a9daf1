// The vector loops of steps that sum their products first and meet the accumulator late, for whichever instruction set
// this machine has.
#pragma once

#include <cstdint>

#include "model/fast/fused_simd.hpp"

namespace assay {

inline constexpr int staged_never_lost = 255;  // no two floats are so far apart

struct StagedShape {
  int keep = 0;                  // F: of the products, of their sums, and of the accumulator
  int sums = 1;                  // of products, side by side in a step: one or two
  int groups = 0;                // of four terms, in each of them
  int exponent_offset = 0;       // exponent byte + this = exponent field of a float
  std::uint32_t below_bits = 0;  // of the eight bits below 2^-F, those that the dot sum keeps beside the accumulator
  std::uint32_t most_cut = 0;    // what the cut at the leading one takes of them, were that one in bit 31
  int lost_below = staged_never_lost;  // an accumulator further than this below the window is dropped whole
};

void staged_rows(const StagedShape& shape, const FusedRun& run);   // tile_rows rows of A
void staged_lanes(const StagedShape& shape, const FusedRun& run);  // A is a panel too; the first row of the tile

}  // namespace assay
