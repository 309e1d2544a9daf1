#include "model/systemc/acc.hpp"

#include "model/core/acc.hpp"
#include "model/core/special.hpp"

namespace assay::systemc {

void AccSelect::work() { start.give(Numbers({start_of(plan().datapath.start, c.take()[0])})); }

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
