// A Plan compiled for speed: whole matrices and batches of dot products, equal to model/core on every bit.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "model/fast/core_path.hpp"
#include "model/fast/doubles.hpp"
#include "model/fast/exact.hpp"
#include "model/fast/fused.hpp"
#include "model/fast/groups.hpp"
#include "model/fast/ieee.hpp"
#include "model/fast/integer_kernel.hpp"

namespace assay {

// No kernel: element by element.
struct ByCore {
  static constexpr std::string_view name = "core";
};

class Kernel {
 public:
  // `plan` must outlive the kernel. Which path runs it follows from the plan's properties alone.
  explicit Kernel(const Plan& plan);

  const Plan& plan() const { return plan_; }
  // What runs it: "core" where no kernel fits.
  std::string_view path() const;

  // Empty where `gemm` can run; else a sentence that says what does not fit.
  std::string problem(const Gemm& gemm) const;
  void gemm(const Gemm& gemm, int threads = 1) const;
  // The bytes that `gemm` allocates for decoded operands: no more than twice those of the matrices, but always enough
  // for one panel of B and, for each thread, one block of rows of A.
  std::size_t workspace(const Gemm& gemm, int threads = 1) const;

  // d[i] of operands[i] for each i below `count`; the cases are independent of each other.
  void batch(const Operand* operands, std::size_t count, Code* d, int threads = 1) const;

 private:
  using Path = std::variant<ByCore, Fused, GroupsKernel, DoublesKernel, ExactKernel, IeeeKernel<float>,
                            IeeeKernel<double>, IntegerKernel>;
  static Path path_for(const Plan& plan);

  const Plan& plan_;
  Path path_;
};

}  // namespace assay
