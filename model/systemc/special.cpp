#include "model/systemc/special.hpp"

#include "model/core/acc.hpp"

namespace assay::systemc {

SpecialDetector::SpecialDetector(const sc_core::sc_module_name& name, const Context& context, int place, int instance)
    : StageModule(name, context), place_(place), step_(instance % plan().steps), order_(plan().order_of(instance)) {}

void SpecialDetector::work() {
  const Numbers all = products.take();
  const Number start = read_acc(plan(), step_, acc.take()[0]);
  const Scales factors = scales.take();
  const StepOperands step{all.begin(), order_, factors.a.begin(), factors.b.begin(), factors.more.begin(), start};
  const Special special = step_special(plan(), step);
  if (plan().datapath.specials == Specials::step)
    publish(place_, [bits = outcome(special)](TraceWriter& trace) { trace.put(u128{bits}); });
  std::vector<Number> values(static_cast<std::size_t>(plan().step_terms) + 1);
  step_values(plan(), step, values.data());
  addend.give(Numbers({values.back()}));
  values.pop_back();
  terms.give(Numbers(std::move(values)));
  decision.give(special.decides() ? Decision{true, special.decision()} : Decision{});
}

}  // namespace assay::systemc
