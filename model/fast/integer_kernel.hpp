// The kernel of integer sums of 32 bits. Those that wrap are, whatever the order and the steps, the sum of all products
// and c modulo 2^32. Of those that stop at the ends each step's products, which do not reach 2^31, are added to what
// came before.
#pragma once

#include <optional>

#include "model/core/plan.hpp"
#include "model/fast/integer_simd.hpp"
#include "model/fast/pack.hpp"

namespace assay {

class IntegerKernel {
 public:
  using Pack = assay::Pack<std::int32_t, NoExponent>;

  // `plan` must outlive the kernel. Nothing where the plan is another.
  static std::optional<IntegerKernel> of(const Plan& plan);

  static constexpr std::string_view name = "integers";

  // What one line of A or B takes in a pack.
  std::size_t line_bytes(int instructions) const;
  Pack pack_rows(const Gemm& gemm, int first, int count) const;
  Pack pack_panel(const Gemm& gemm, int first, int count) const;
  void tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const;

  Pack pack_cases(const Gemm& gemm, int count) const;
  void lanes(const Pack& a, const Pack& b, Tile& tile) const;

 private:
  IntegerKernel(const Plan& plan, std::int64_t step, bool subtracts)
      : plan_(&plan), step_(step), subtracts_(subtracts) {}

  const Plan* plan_;
  std::int64_t step_;  // as IntegerRun has it
  bool subtracts_;     // products: they are those of -a
};

}  // namespace assay
