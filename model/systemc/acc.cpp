#include "model/systemc/acc.hpp"

#include "model/core/special.hpp"

namespace assay::systemc {

void AccSelect::work() {
  const Numbers given = c.take();
  start.give(plan().datapath.start == Start::c ? given : Numbers({Number::zero()}));
}

Accumulator::Accumulator(const sc_core::sc_module_name& name, const Context& context, int place)
    : StageModule(name, context), place_(place) {}

void Accumulator::work() {
  const Numbers added = sum.take();
  const Decision special = decision.take();
  const Numbers result = special.made ? Numbers({step_decision(plan(), special.number)}) : added;
  publish(place_, result);
  acc.give(result);
}

}  // namespace assay::systemc
