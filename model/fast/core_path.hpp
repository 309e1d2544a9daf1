// Single elements by model/core: for plans without a kernel, and for what a kernel leaves alone.
#pragma once

#include <vector>

#include "model/core/dot.hpp"
#include "model/fast/matrix.hpp"

namespace assay {

// Working memory; one a thread.
class CorePath {
 public:
  explicit CorePath(const Plan& plan);

  // Element (i, j) of D.
  Code element(const Gemm& gemm, int i, int j);
  Code dot(const Operand& operand) { return assay::dot(*plan_, operand, registers_); }

 private:
  void take_more(const Gemm& gemm, int i, int j, int instruction);

  const Plan* plan_;
  Registers registers_;
  std::vector<Code> a_, b_, scale_a_, scale_b_, more_;
};

}  // namespace assay
