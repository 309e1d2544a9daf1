#include "tb/generate/exact_steps.hpp"

#include <algorithm>

#include "model/core/plain_sums.hpp"

namespace assay {
namespace {

using Sum = std::vector<ScaledItem>;

bool loses_nothing(const AdderPlan& a) {
  return std::all_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.words.loses_nothing(); });
}

bool only_scales(const FactorPlan& f) { return !f.round && !f.zero_point && f.zero_points < 0; }

void multiply(Sum& sum, const std::vector<int>& scales, bool by_pair) {
  for (ScaledItem& item : sum) {
    item.scales.insert(item.scales.end(), scales.begin(), scales.end());
    if (by_pair) item.scales.push_back(-1);
  }
}

// Of the values of the steps' block, each term of which stands as its place in the step.
std::optional<Sum> exact_step(const Plan& p) {
  const CircuitBlock& block = p.circuit.step;
  std::vector<Sum> values;
  for (int term = 0; term < block.terms; ++term) {
    Sum product{{term, {}}};
    for (const auto* scales : {&p.factor_a.scales, &p.factor_b.scales, &p.product_scales}) {
      multiply(product, *scales, false);
    }
    multiply(product, {}, p.datapath.product.times_scales);
    values.push_back(std::move(product));
  }
  values.push_back({{-1, {}}});
  for (const SumNode& node : block.sums) {
    const AdderPlan& adder = p.adders[static_cast<std::size_t>(node.adder)];
    const bool rounds = !adder.results.empty(), last = &node == &block.sums.back();
    if (rounds != last || !loses_nothing(adder)) return std::nullopt;
    Sum sum;
    for (const SumItem& taken_in : node.items) {
      const Sum& taken = values[static_cast<std::size_t>(taken_in.value)];
      sum.insert(sum.end(), taken.begin(), taken.end());
    }
    multiply(sum, adder.scales, adder.times_scales);
    values.push_back(std::move(sum));
  }
  return values.back();
}

}  // namespace

std::optional<std::vector<std::vector<ScaledItem>>> exact_steps(const Plan& plan) {
  if (!adds_whole_products(plan) || plan.product_round || !only_scales(plan.factor_a) || !only_scales(plan.factor_b))
    return std::nullopt;
  std::optional<Sum> one = exact_step(plan);
  if (!one) return std::nullopt;
  for (ScaledItem& item : *one) std::sort(item.scales.begin(), item.scales.end());
  std::vector<Sum> steps;
  for (int i = 0; i < plan.lanes * plan.steps; ++i) {
    Sum step = *one;
    for (ScaledItem& item : step) {
      if (item.index >= 0) item.index = plan.order_of(i)[item.index];
    }
    std::stable_sort(step.begin(), step.end(),
                     [](const ScaledItem& x, const ScaledItem& y) { return x.index < y.index; });
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace assay
