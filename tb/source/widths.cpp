#include "tb/source/widths.hpp"

#include "model/core/encode.hpp"
#include "model/core/reduce.hpp"
#include "tb/source/c_formats.hpp"

namespace assay {

int widest_magnitude(const Plan& plan) {
  int bits = keeps_payloads(plan) ? payload_bits + 1 : 1;
  const auto see = [&](const Range& range) { bits = std::max(bits, range.significand_bits()); };
  for (const Range* r : {&plan.a_range, &plan.b_range, &plan.c_range, &plan.product_range, &plan.term_range,
                         &plan.acc_range, &plan.factor_a.range, &plan.factor_b.range})
    see(*r);
  if (plan.scale) see(plan.scale_range), see(product_range(plan.scale_range, plan.scale_range));
  for (const CaseOperand& more : plan.more) see(more.range);
  for (const ProductNode& node : plan.circuit.products) see(node.range);
  each_result(plan, [&](const ResultPlan& result) {
    see(result.range);
    if (result.words.at != ResultAt::format || !result.format.rounds_to_list()) return;
    for (const Number& edge : result.format.values().boundaries) bits = std::max(bits, bit_length(edge.magnitude) + 1);
  });
  each_adder(plan, [&](const AdderPlan& adder) {
    const int sum = adder.sum.arithmetic == Arithmetic::native ? adder.sum.sum_width + (adder.has_sticky() ? 1 : 0)
                                                               : readout_bits + 2;
    bits = std::max(bits, sum);
    see(adder.range);
    if (adder.scaled) see(*adder.scaled);
  });
  // A factor is scaled and rounded before its range is noted.
  if (plan.factor_a.round || plan.factor_b.round) bits = std::max(bits, 65);
  return bits;
}

}  // namespace assay
