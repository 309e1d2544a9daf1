// Rows of A as a case's mask leaves them, so that kernels need know nothing of masks.
#pragma once

#include <vector>

#include "model/core/dot.hpp"
#include "model/fast/matrix.hpp"

namespace assay {

// Whether a product that is switched off, (+0) x (+0), adds what (+0) x b adds, whatever number b is.
bool gates_as_zero(const Plan& plan);

// Elements of A whose product is switched off are +0 here. Where b is no number the product still is not what it should
// be; kernels leave such elements of D to core anyway.
class GatedRows {
 public:
  GatedRows(const Plan& plan, const Gemm& gemm, int first, int rows);

  // The same product, with these rows alone in A.
  const Gemm& gemm() const { return gemm_; }

 private:
  std::vector<unsigned char> a_;
  Gemm gemm_;
};

// What so many of them take.
std::size_t gated_bytes(const Gemm& gemm, int rows);

// The a of one dot product, gated where it has a mask.
void append_a(std::vector<Code>& to, const Plan& plan, const Operand& operand);

}  // namespace assay
