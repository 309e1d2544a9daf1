#include "tb/source/widths.hpp"

#include "model/core/encode.hpp"
#include "model/core/reduce.hpp"
#include "tb/source/c_formats.hpp"

namespace assay {

namespace {

// Of a sum as it is brought to the last bit of the register `index` of its results, before that cuts it.
int bits_before_register(const AdderPlan& adder, std::size_t index) {
  const Result& words = adder.results[index].words;
  if (index > 0) return adder.results[index - 1].range.integer_bits + words.keep + 1;
  const SumPlan& sum = adder.sum;
  const bool stands = sum.fixed_quantum && adder.window.exponent == WindowExponent::fixed;
  if (adder.is_scaled() || (sum.fixed_quantum && !stands)) return readout_bits + 2;
  const int behind_point = stands ? adder.window.at - *sum.fixed_quantum : sum.fraction_bits;
  return sum.sum_width - behind_point + words.keep + 1;
}

}  // namespace

Carried carried_by(const Plan& plan) {
  Carried carried{plan.datapath.start == Start::none, false, plan.datapath.flags.has_value()};
  each_adder(plan, [&](const AdderPlan& adder) { carried.lost = carried.lost || adder.sticky == Sticky::at_result; });
  return carried;
}

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
    for (std::size_t i = 0; i < adder.results.size(); ++i) {
      if (adder.results[i].words.bits) bits = std::max(bits, bits_before_register(adder, i));
    }
    if (adder.scaled) see(*adder.scaled);
  });
  if (plan.rows) bits = std::max(bits, plan.rows->bits + 1);  // in two's complement
  // A factor is scaled and rounded before its range is noted.
  if (plan.factor_a.round || plan.factor_b.round) bits = std::max(bits, 65);
  return carried_by(plan).lost ? bits + 2 : bits;  // lost ones are joined two places below
}

}  // namespace assay
