#include "model/systemc/encode.hpp"

#include "model/core/encode.hpp"
#include "model/core/flags.hpp"

namespace assay::systemc {

Encoder::Encoder(const sc_core::sc_module_name& name, const Context& context, int place)
    : StageModule(name, context), place_(place) {}

void Encoder::work() {
  const Number left = number.take()[0];
  const Code stored = encode(left, plan().d, plan().nan);
  publish(place_, [stored](TraceWriter& trace) { trace.put(u128{stored}); });
  if (plan().datapath.flags) publish_flags(flags_of(left, *plan().datapath.flags));
  d.give(stored);
}

void Encoder::publish_flags(unsigned raised) {
  publish(place_ + 1, [raised](TraceWriter& trace) { put_flags(trace, raised); });
}

}  // namespace assay::systemc
