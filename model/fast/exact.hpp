// The kernel of exact sums: all products of a step and the accumulator added exactly, and rounded once to the nearest
// float.
//
// Inside, an operand is a double, and an unrounded sum is two of them: the nearest double and what that leaves.
//
//   products   p0 + p1 + ..   ->   value + rest
//   acc                       ->   value' + rest'          acc + value
//   to odd                         value' + (rest' + rest) the nearest double of odd significand, where it is none
//   result                         the nearest float
//
// Why no step of this rounds but the last:
//   - a product has at most 53 significant bits, and none leaves 2^-880 to 2^880;
//   - what the sums of products leave below them adds up in one double (`sums_fit` counts), whose last bit is less than
//     that of any product: so its sum with theirs is unrounded after three additions;
//   - a number rounded to odd is on the same side as the exact one of every number of a bit less, so that rounding it
//     once more to 24 <= 53 - 2 bits is like rounding the exact one. So for the inner sum to odd: where it rounds,
//     rest' is not zero, thus |value'| >= |value| / 2, and the inner sum ends far below the last bits of value'.
// With AVX-512 sums are first taken as doubles alone: operands of like size lose nothing in them, which the vector
// unit's flag shows, and only where it shows something is the above done.
// A zero has the sign that it has of sums to the nearest: IEEE's where they begin with -0, else +.
// Sums from 2^127 on (infinities and NaNs among them) and operands that are not finite are left to core, each where it
// occurs.
#pragma once

#include <memory>
#include <optional>

#include "model/core/plan.hpp"
#include "model/fast/exact_simd.hpp"
#include "model/fast/float_reader.hpp"
#include "model/fast/pack.hpp"

namespace assay {

class ExactKernel {
 public:
  using Pack = assay::Pack<double, NoExponent>;

  // `plan` must outlive the kernel. Nothing where the plan is none of exact sums.
  static std::optional<ExactKernel> of(const Plan& plan);

  static constexpr std::string_view name = "exact sums";

  // What one line of A or B takes in a pack.
  std::size_t line_bytes(int instructions) const;
  Pack pack_rows(const Gemm& gemm, int first, int count) const;
  Pack pack_panel(const Gemm& gemm, int first, int count) const;
  void tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const;

  // Rows of A as a panel, to be multiplied by a panel of B lane by lane into the first row of a tile.
  Pack pack_cases(const Gemm& gemm, int count) const;
  void lanes(const Pack& a, const Pack& b, Tile& tile) const;

 private:
  explicit ExactKernel(const Plan& plan);

  ExactRun run_of(const Pack& a, const Pack& b) const;
  void run(ExactRun run, int rows, void (*loops)(const ExactRun&), Tile& tile) const;

  const Plan* plan_;
  float zero_;  // `zero_of` the result
  FloatReader<double> a_, b_, c_;
};

}  // namespace assay
