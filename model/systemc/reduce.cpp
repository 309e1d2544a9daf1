#include "model/systemc/reduce.hpp"

#include "model/core/reduce.hpp"
#include "model/core/special.hpp"

namespace assay::systemc {

AdderTree::AdderTree(const sc_core::sc_module_name& name, const Context& context, int place, const AdderPlan& adder)
    : StageModule(name, context), place_(place), adder_(adder) {}

void AdderTree::work() {
  const Numbers numbers = items.take();
  const CommonExponent common = window.take();
  const Addends shifted = addends.take();
  Special special;
  ZeroSignFinder zero_sign;
  for (const Number& number : numbers) {
    special.see(number);
    zero_sign.see(number);
  }
  Number made = std::visit([&](const auto& lines) { return total(lines, common.exponent); }, shifted);
  made = as_found(made, common.exponent, adder_);
  made = with_exponent(made, common.empty, adder_.cancelled);
  if (made.is_zero()) made.negative = zero_sign.negative(adder_.zero, adder_.rounds_down());
  made = with_raised(made, special.raised(), common.empty && !zero_sign.only_zeros());
  sum.give(Numbers({special.decides() ? special.decision() : made}));
}

template <class Register>
Number AdderTree::total(const Lines<Addend<Register>>& lines, int exponent) {
  Reduction<Register> reduction;
  for (const Addend<Register>& addend : lines) reduction.add(addend);
  publish(place_, [reduction, sticky = adder_.has_sticky()](TraceWriter& trace) {
    trace.put_sum(reduction.sum, sticky, reduction.lost);
  });
  return reduction.number(exponent, adder_.sum, adder_.sticky);
}

}  // namespace assay::systemc
