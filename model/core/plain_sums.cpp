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
  const bool holds = std::none_of(adder.results.begin(), adder.results.end(),
                                  [](const ResultPlan& result) { return result.words.bits.has_value(); });
  const Window& w = adder.window;
  return once && holds && !w.lost_at && w.raise == 0 && w.step_from == 0 && adder.sticky != Sticky::at_result &&
         adder.cancelled == Cancelled::window && !adder.errata.minus_one;
}

}  // namespace

std::optional<bool> turned_values(const CircuitBlock& block, ValueKind kind) {
  int turned = 0, values = 0;
  for (const SumNode& node : block.sums) {
    for (const SumItem& item : node.items) {
      if (block.kind(item.value) != kind) continue;
      ++values;
      turned += item.negate ? 1 : 0;
    }
  }
  if (turned != 0 && turned != values) return std::nullopt;
  return turned != 0;
}

bool keeps_nans(const Datapath& words) {
  return words.nans_a == Nans::keep && words.nans_b == Nans::keep && words.nans_c == Nans::keep;
}

bool adds_as_given(const Plan& plan) {
  return plan.datapath.start != Start::none && !negates(plan.circuit.step) && !negates(plan.circuit.finish);
}

bool adds_whole_products(const Plan& plan) {
  const bool rounds_into_registers = plan.product_round && plan.product_round->words.bits;
  return !plan.in_pieces() && !plan.datapath.product.empty && !plan.counts_zeros() && !plan.steps_factors() &&
         keeps_nans(plan.datapath) && !rounds_into_registers &&
         std::all_of(plan.adders.begin(), plan.adders.end(), is_whole) &&
         std::all_of(plan.finish.begin(), plan.finish.end(), is_whole);
}

}  // namespace assay
