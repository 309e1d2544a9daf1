#include "model/fast/core_path.hpp"

namespace assay {

CorePath::CorePath(const Plan& plan)
    : plan_(&plan),
      a_(static_cast<std::size_t>(plan.k)),
      b_(static_cast<std::size_t>(plan.k)),
      scale_a_(static_cast<std::size_t>(plan.scales)),
      scale_b_(static_cast<std::size_t>(plan.scales)) {}

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
    acc = dot({a_.data(), b_.data(), acc, scale_a_.data(), scale_b_.data()});
  }
  return acc;
}

}  // namespace assay
