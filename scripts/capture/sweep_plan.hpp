// What the two sides of a sweep, the host's and the device's, say to each other.
#pragma once

#include <cstdint>

// A function of both sides, where nvcc or hipcc read it.
#if defined __CUDACC__ || defined __HIPCC__
#define ASSAY_SWEEP __host__ __device__
#else
#define ASSAY_SWEEP
#endif

namespace assay::capture {

// A code from its sign down; an integer has no exponent, and all its bits are mantissa.
struct CodeLayout {
  int exponent = 0, mantissa = 0;
  int ieee = 1;  // exponents of all ones are infinities and NaN
};

ASSAY_SWEEP inline int bits_of(const CodeLayout& f) { return f.mantissa + (f.exponent == 0 ? 0 : 1 + f.exponent); }

// none: random operands. pair: every code of 16 bits, or every two of 8, of a row with every of a column; c is zero the
// first time all have met, and random then. one_with_c: every code of 8 bits with every of 8 and every c of 16.
enum class Every : int { none, pair, one_with_c };

struct SweepPlan {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  // tile of this launch, of all of the sweep
  std::uint64_t tiles = 0;  // in this launch
  int m = 0, n = 0, k = 0;
  int among = 0;  // of a sparse A: of so many neighbours half are there
  Every every = Every::none;
  CodeLayout a, b, c;
};

// Of a tile.
ASSAY_SWEEP inline std::uint64_t elements_of_a(const SweepPlan& plan) {
  return static_cast<std::uint64_t>(plan.m) * static_cast<unsigned>(plan.k);
}
ASSAY_SWEEP inline std::uint64_t elements_of_b(const SweepPlan& plan) {
  return static_cast<std::uint64_t>(plan.n) * static_cast<unsigned>(plan.k);
}
ASSAY_SWEEP inline std::uint64_t elements_of_d(const SweepPlan& plan) {
  return static_cast<std::uint64_t>(plan.m) * static_cast<unsigned>(plan.n);
}

// Of a tile: its elements, the words that hold them, and of how many pieces a word may be.
struct SweptOperand {
  int elements = 0, words = 0, pieces = 0;
};
// word |= code of element >> right << left
struct SweptPiece {
  std::int32_t element = -1;
  std::int16_t right = 0, left = 0;
};
// Where an element begins.
struct SweptSpot {
  std::int32_t word = 0, bit = 0;
};

// What a launch found: how many elements differ, and the numbers of some of them.
inline constexpr int differing_kept = 15;
struct Differing {
  unsigned long long count = 0;
  unsigned long long element[differing_kept] = {};
};

}  // namespace assay::capture
