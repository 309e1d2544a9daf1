#include "model/fast/core_path.hpp"

#include "model/core/matmul.hpp"

namespace assay {

CorePath::CorePath(const Plan& plan)
    : plan_(&plan),
      a_(static_cast<std::size_t>(plan.k)),
      b_(static_cast<std::size_t>(plan.k)),
      scale_a_(static_cast<std::size_t>(plan.scales)),
      scale_b_(static_cast<std::size_t>(plan.scales)),
      more_(static_cast<std::size_t>(plan.more_codes())) {}

Code CorePath::element(const Gemm& gemm, int i, int j) {
  Code acc = gemm.c.get(i, j);
  for (int instruction = 0; instruction < gemm.k / plan_->k; ++instruction) {
    const int first = instruction * plan_->k, first_scale = instruction * plan_->scales;
    for (int t = 0; t < plan_->k; ++t) {
      a_[static_cast<std::size_t>(t)] = gemm.a.get(i, first + t);
      b_[static_cast<std::size_t>(t)] = gemm.b.get(first + t, j);
    }
    for (int t = 0; t < plan_->scales; ++t) {
      scale_a_[static_cast<std::size_t>(t)] = gemm.scale_a.get(i, first_scale + t);
      scale_b_[static_cast<std::size_t>(t)] = gemm.scale_b.get(first_scale + t, j);
    }
    take_more(gemm, i, j, instruction);
    acc = dot({a_.data(), b_.data(), acc, scale_a_.data(), scale_b_.data(), more_.data()});
  }
  return acc;
}

void CorePath::take_more(const Gemm& gemm, int i, int j, int instruction) {
  for (std::size_t m = 0; m < plan_->more.size(); ++m) {
    const CaseOperand& operand = plan_->more[m];
    for (int t = 0; t < operand.count; ++t) {
      const MatrixPlace at = matrix_place(owner_of(operand), {i, j}, gemm.n, instruction * operand.count + t);
      more_[static_cast<std::size_t>(operand.first + t)] = gemm.more[m].get(at.row, at.column);
    }
  }
}

}  // namespace assay
