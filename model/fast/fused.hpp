// The kernel of fused steps in 32-bit lanes: every step one flat sum of products and accumulator, cut toward zero.
//
// Inside, a finite operand is its value as a float and its nominal exponent as a byte. Per step and lane:
//
//   e      = the largest exponent of the products that are not zero, and the accumulator's
//   term   = trunc(a x b x 2^(F - e))            32-bit integers, summed in one register or two
//   result = sum x 2^(e - F)                     cut toward zero by the conversion itself, or rounded to half
//
// Why no step of this rounds but where the datapath does:
//   - a x b has at most 24 significant bits and an exponent between -100 and 126: exact and normal;
//   - times a power of two it is exact again, unless it falls below 2^-126; then trunc makes 0 of it either way;
//   - |term| < 4 x 2^F, and a register takes no more terms than fit (`fused_shape` counts); where two registers
//     are added the carry out of bit 31 is noticed, and the element redone by core;
//   - the thread rounds toward zero, so that the conversion of the sum to a float cuts below its leading 24 bits, and
//     the product with 2^(e - F) once more below 2^-149: two cuts toward zero are one.
// Where every instruction starts from zero and c is added last, as IEEE has it, the sums of several instructions come
// first and the additions of c after them, by the machine's own, to the nearest. Two halves add up in floats: rounding
// to 24 >= 2 x 11 + 2 bits first changes nothing.
// Accumulators from 2^127 on (infinities and NaNs among them), operands that are not finite or lie outside the range
// above are left to core, each where it occurs.
//
// Staged steps sum their products first, in one sum or in two of which the smaller is cut down to the larger's window,
// and meet the accumulator in a second window:
//
//   D      = the sum of trunc(a x b x 2^(F - e)), e the products' own window       |D| <= 2^30, 24 <= F
//   w      = the larger of e and the accumulator's exponent
//   high   = floor(D x 2^(e - w)) + floor(acc x 2^(F - w))                         32-bit integers
//   below  = the next eight bits of D x 2^(e - w), of which the datapath keeps some
//   result = (high + below / 2^8) x 2^(w - F)                                      cut down at the leading one, nearest
//
// Besides what holds above:
//   - the shift w - e stops at 31: beyond that the accumulator stands in its own window, an even number of at least
//     2^24, and what D adds, half a unit at most, is rounded off however it was cut;
//   - the cut at the leading one reaches no further than `below`, since that one is below bit 31 of `high`; of a
//     negative sum it is that of ~high, since any bit below makes the magnitude less than -high;
//   - `high` without its last eight bits is a float, so are these and `below` together: their sum rounds once, to the
//     nearest, and w >= -100 keeps it above 2^-149.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "model/core/operand_codes.hpp"
#include "model/core/plan.hpp"
#include "model/fast/doubles.hpp"
#include "model/fast/floats.hpp"
#include "model/fast/fused_simd.hpp"
#include "model/fast/matrix.hpp"
#include "model/fast/pack.hpp"
#include "model/fast/staged_simd.hpp"
#include "model/fast/tile.hpp"

namespace assay {

using FusedOperand = Decoded<float, std::uint8_t>;

class FusedDecoder {
 public:
  // Of a nominal exponent e the kernel has base + e, or base - e where `descending`; of a zero it has `zero`.
  struct Exponents {
    int least = 0, greatest = 0;
    int base = 0;
    bool descending = false;
    std::uint8_t zero = 0;
  };

  FusedDecoder(OperandCodes codes, Exponents exponents);
  FusedOperand zero() const { return {0, exponents_.zero, true}; }
  FusedOperand unfit() const { return {0, exponents_.zero, false}; }
  // The operand times 2^exponent.
  FusedOperand scaled(FusedOperand operand, int exponent) const;
  FusedOperand operator()(Code code) const {
    if (is_half_) return of_half(static_cast<std::uint32_t>(code));
    const Code used = codes_.format.used(code);
    return table_.empty() ? decoded(used) : table_[used];
  }

 private:
  FusedOperand decoded(Code used) const;
  FusedOperand decoded(const Number& n) const;
  FusedOperand leading_part_of_float(std::uint32_t bits) const;
  // A table of 65,536 operands would not stay in a core's caches beside whatever works between two batches of cases.
  FusedOperand of_half(std::uint32_t code) const {
    const std::uint32_t magnitude = code & 0x7fff;
    if (magnitude == 0) return zero();
    const int exponent = static_cast<int>(std::max(magnitude >> 10, 1U)) - 15;
    if (magnitude >= 0x7c00 || !in_range(exponent)) return unfit();
    return {float_of_half(code), byte_of(exponent), true};
  }
  bool in_range(int exponent) const { return exponent >= exponents_.least && exponent <= exponents_.greatest; }
  std::uint8_t byte_of(int exponent) const {
    return static_cast<std::uint8_t>(exponents_.base + (exponents_.descending ? -exponent : exponent));
  }

  OperandCodes codes_;
  Exponents exponents_;
  bool is_half_ = false;
  std::vector<FusedOperand> table_;  // of every code, where they are few
  std::optional<int> bits_below_;    // of a float, where the format is its leading part
};

class Fused {
 public:
  using Pack = assay::Pack<float, std::uint8_t>;
  static std::optional<Fused> of(const Plan& plan);  // nothing where the plan's steps are neither fused nor staged

  static constexpr std::string_view name = "32-bit lanes";

  // What one line of A or B takes in a pack.
  std::size_t line_bytes(int instructions) const;
  Pack pack_rows(const Gemm& gemm, int first, int count) const;
  Pack pack_panel(const Gemm& gemm, int first, int count) const;
  // Rows `row` and on of A across one panel of B.
  void tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const;

  // Rows of A as a panel, to be multiplied by a panel of B lane by lane into the first row of a tile.
  Pack pack_cases(const Gemm& gemm, int count) const;
  void lanes(const Pack& a, const Pack& b, Tile& tile) const;

 private:
  using Shape = std::variant<FusedShape, StagedShape>;

  Fused(const Plan& plan, const Shape& shape);
  const FusedShape& fused() const { return std::get<FusedShape>(shape_); }

  // Of the scales of some lines, which are powers of two; nothing where one is not finite.
  struct BlockExponents {
    int blocks = 0;  // of a line
    std::vector<std::optional<int>> exponents;
    std::vector<int> block_of_term;

    std::optional<int> of(int line, int t) const {
      const int block = block_of_term[static_cast<std::size_t>(t)];
      return exponents[static_cast<std::size_t>(line) * static_cast<std::size_t>(blocks) +
                       static_cast<std::size_t>(block)];
    }
  };
  BlockExponents block_exponents(const OperandLines& from, const Matrix& scales) const;
  // Of A or B, times the scale of its block where the products are scaled.
  template <class Packed>
  Pack pack(const FusedDecoder& decoder, const OperandLines& from, const Matrix& scales, const Packed& packed) const;
  int steps_of(const Pack& a) const;
  void run(FusedRun run, bool a_is_panel, const std::vector<char>& a_fits, int row, int rows,
           const std::vector<char>& b_fits, Tile& tile) const;
  void run_from_c(const FusedRun& run, bool a_is_panel) const;
  void run_from_zero(const FusedRun& run, bool a_is_panel) const;
  // Of `some` instructions from the `first` on, each into a tile of its own.
  void sums_from_zero(FusedRun run, bool a_is_panel, int first, int some, float* sums) const;

  Shape shape_;
  bool c_is_half_, d_is_half_, c_is_late_;
  float zero_;  // `zero_of` the last result
  int k_, steps_;
  Sources sources_;
  int scales_ = 0, scale_block_ = 0;  // of an instruction; no scales: 0
  std::shared_ptr<const FusedDecoder> a_, b_;
  std::shared_ptr<const DoubleDecoder> scale_;
};

}  // namespace assay
