#include "model/core/signs.hpp"

#include <algorithm>

namespace assay {
namespace {

// Of each value of the block, in what the block leaves.
std::vector<int> signs_in(const CircuitBlock& block) {
  std::vector<int> signs(static_cast<std::size_t>(block.values()));
  signs.back() = 1;
  for (std::size_t i = block.sums.size(); i-- > 0;) {
    const SumNode& node = block.sums[i];
    const int sign = signs[static_cast<std::size_t>(block.left_by(i))];
    for (const SumItem& item : node.items) {
      int& of = signs[static_cast<std::size_t>(item.value)];
      if (of == 0) of = item.negate ? -sign : sign;
    }
  }
  return signs;
}

}  // namespace

TermSigns signs_of(const Plan& plan) {
  TermSigns signs;
  signs.products.resize(static_cast<std::size_t>(plan.products()));
  std::vector<int> lanes(static_cast<std::size_t>(plan.lanes), 1);
  if (!plan.finish.empty()) {
    const std::vector<int> finish = signs_in(plan.circuit.finish);
    std::copy_n(finish.begin(), lanes.size(), lanes.begin());
    signs.c = finish[static_cast<std::size_t>(plan.circuit.finish.one())];
  }
  const std::vector<int> step_signs = signs_in(plan.circuit.step);
  for (int lane = 0; lane < plan.lanes; ++lane) {
    int acc = lanes[static_cast<std::size_t>(lane)];
    for (int step = plan.steps - 1; step >= 0; --step) {
      const int* order = plan.step_order(lane, step);
      for (int i = 0; i < plan.step_terms; ++i)
        signs.products[static_cast<std::size_t>(order[i])] = acc * step_signs[static_cast<std::size_t>(i)];
      acc *= step_signs[static_cast<std::size_t>(plan.circuit.step.one())];
    }
    if (plan.datapath.start == Start::c && signs.c == 0) signs.c = acc;
  }
  return signs;
}

}  // namespace assay
