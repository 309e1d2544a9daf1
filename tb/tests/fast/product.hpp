// One matrix product for a plan, in memory as awkward as the interface allows, and what core makes of it.
#pragma once

#include <vector>

#include "model/core/matmul.hpp"
#include "model/fast/kernel.hpp"

namespace assay {

struct Layout {
  bool transposed = false;  // A and B
  bool in_place = false;    // D is C
  int offset = 0;           // bytes that everything stands off an aligned address
};

// Rows of A and columns of B are those of generated cases, all families among them, and of corner cases.
class MatrixProduct {
 public:
  MatrixProduct(const Plan& plan, int m, int n, int instructions, Layout layout);

  const std::vector<Code>& expected() const { return expected_; }
  std::vector<Code> run(const Kernel& kernel, int threads);
  // Whether `run` wrote beside D.
  bool wrote_beside_d() const;

 private:
  Gemm gemm();

  const Plan& plan_;
  Layout layout_;
  Matrices x_;
  std::vector<Code> expected_;
  std::vector<unsigned char> a_, b_, c_, d_, scale_a_, scale_b_, mask_;
};

}  // namespace assay
