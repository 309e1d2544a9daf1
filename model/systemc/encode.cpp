#include "model/systemc/encode.hpp"

#include "model/core/encode.hpp"

namespace assay::systemc {

Encoder::Encoder(const sc_core::sc_module_name& name, const Context& context, int place)
    : StageModule(name, context), place_(place) {}

void Encoder::work() {
  const Code stored = encode(number.take()[0], plan().d, plan().nan);
  publish(place_, [stored](TraceWriter& trace) { trace.put(u128{stored}); });
  d.give(stored);
}

}  // namespace assay::systemc
