#include "model/core/plain_sums.hpp"

#include <algorithm>

namespace assay {
namespace {

bool negates(const CircuitBlock& block) {
  return std::any_of(block.sums.begin(), block.sums.end(), [](const SumNode& node) {
    return std::any_of(node.items.begin(), node.items.end(), [](const SumItem& item) { return item.negate; });
  });
}

bool is_whole(const AdderPlan& adder) {
  const bool once = std::all_of(adder.inputs.begin(), adder.inputs.end(),
                                [](const InputPlan& input) { return input.words.again.empty(); });
  return once && !adder.window.lost_at && !adder.errata.minus_one;
}

}  // namespace

bool adds_as_given(const Plan& plan) {
  return plan.datapath.start != Start::none && !negates(plan.circuit.step) && !negates(plan.circuit.finish);
}

bool adds_whole_products(const Plan& plan) {
  return !plan.is_sliced() && !plan.datapath.product.empty &&
         std::all_of(plan.adders.begin(), plan.adders.end(), is_whole) &&
         std::all_of(plan.finish.begin(), plan.finish.end(), is_whole);
}

}  // namespace assay
