// The kernel of scaled groups of small integers: the products of a group are summed exactly and multiplied by the
// block's two scales; the groups of a step and the accumulator are one sum cut toward zero, rounded to f32.
//
// Inside, a finite operand is an integer of at most 15 bits and a sign, in units of its format's least number; a scale
// is a double with its nominal exponent beside it. Per step and lane:
//
//   group  = a0 x b0 + a1 x b1 + ..              32-bit integers, two products at a time
//   e      = the largest exponent of groups with a product that is not zero, the accumulator's, and the floor
//   term   = trunc(group x scales x 2^(F - e))   doubles, as is their sum
//   result = sum x 2^(e - F)                     rounded to f32 by the conversion, whose direction the thread has
//
// Why no step of this rounds but where the datapath does:
//   - the formats' greatest numbers say that no sum of a group reaches 2^31;
//   - a group's sum and its two scales' significands have at most 53 bits together;
//   - no exponent leaves -440 to 440, so that 2^(F - e) and its product with two scales are normal doubles; a term that
//     is less than 2^-1022 is 0 after trunc whatever becomes of it before;
//   - the plan says that the sum of a step is no wider than 53 bits and a sign.
// Whether a group counts in e is asked of one bit a term, of a and of b: a sum that cancels keeps its exponent.
// Accumulators from 2^127 on (infinities and NaNs among them), operands and scales that are not finite are left to
// core, each where it occurs.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "model/core/plan.hpp"
#include "model/fast/doubles.hpp"
#include "model/fast/groups_simd.hpp"
#include "model/fast/pack.hpp"

namespace assay {

class GroupsKernel {
 public:
  struct Pack {
    hwy::AlignedFreeUniquePtr<std::int32_t[]> pairs;
    hwy::AlignedFreeUniquePtr<std::uint32_t[]> words;
    hwy::AlignedFreeUniquePtr<double[]> scales;
    hwy::AlignedFreeUniquePtr<std::int32_t[]> exponents;
    std::vector<char> fits;  // each line
    int groups = 0;          // of a line

    GroupsLines lines() const { return {pairs.get(), words.get(), scales.get(), exponents.get()}; }
  };

  static std::optional<GroupsKernel> of(const Plan& plan);  // nothing where the plan is none of such groups

  static constexpr std::string_view name = "integer groups";

  // What one line of A or B takes in a pack.
  std::size_t line_bytes(int instructions) const;
  Pack pack_rows(const Gemm& gemm, int first, int count) const;
  Pack pack_panel(const Gemm& gemm, int first, int count) const;
  void tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const;

  // Rows of A as a panel, to be multiplied by a panel of B lane by lane into the first row of a tile.
  Pack pack_cases(const Gemm& gemm, int count) const;
  void lanes(const Pack& a, const Pack& b, Tile& tile) const;

 private:
  // What each code of one operand stands for.
  struct Integers {
    struct Integer {
      std::int16_t value = 0;
      bool fits = true;
    };
    double unit = 1;  // what an integer of 1 is worth
    std::vector<Integer> table;
  };
  // Rows of A or columns of B in memory: line l is column first + l of both matrices.
  struct Lines {
    const Integers& integers;
    Matrix terms, scales;
    int first = 0, count = 0;
  };
  // Of a pack those lines that are read together.
  struct Some {
    bool panel = false;
    int first = 0, count = 0;

    int in(const Lines& lines) const { return std::min(count, std::max(lines.count - first, 0)); }
  };
  // Where one number of each of them goes.
  struct Place {
    std::size_t first = 0, step = 0;
    int count = 0;
  };
  // One of an instruction: the indices of its terms in k, -1 for one that fills the last pair, and its block of scales.
  struct Group {
    Sources terms;
    int block = 0;
  };

  GroupsKernel(const Plan& plan, const GroupsShape& shape);
  static Integers integers_of(const OperandCodes& codes);

  Pack packed(const Lines& from, bool panel, int instructions) const;
  void pack_terms(Pack& pack, const Lines& from, const Some& some, int group) const;
  void pack_scales(Pack& pack, const Lines& from, const Some& some, int group) const;
  // Where the x-th of the `of` numbers of one kind that a group has goes.
  static Place place(const Pack& pack, const Some& some, int group, int x, int of);
  template <class To, class From>
  static void put(To* to, const Place& place, const std::array<From, panel_columns>& numbers) {
    for (std::size_t l = 0; l < static_cast<std::size_t>(place.count); ++l)
      to[place.first + l * place.step] = static_cast<To>(numbers[l]);
  }
  void run(GroupsRun run, bool a_is_panel, int rows, Tile& tile) const;

  GroupsShape shape_;
  bool c_is_half_;
  float zero_;      // `zero_of` the result
  int direction_;   // of rounding, as <cfenv> has it
  int k_, scales_;  // of an instruction
  std::vector<Group> groups_;
  std::shared_ptr<const Integers> a_, b_;
  std::shared_ptr<const DoubleDecoder> scale_;
};

}  // namespace assay
