#include "model/systemc/stage.hpp"

#include <algorithm>

namespace assay::systemc {

// A method, not a thread: it needs no stack of its own. With FIFOs of depth 1 it is a sixth faster, with deep ones
// alike.
StageModule::StageModule(const sc_core::sc_module_name& name, const Context& context)
    : sc_core::sc_module(name), context_(context) {
  SC_HAS_PROCESS(StageModule);
  SC_METHOD(run);
  if (context.reset != nullptr) sensitive << *context.reset;
  dont_initialize();
}

void StageModule::attach(Pin& pin, sc_core::sc_event_finder& changed) {
  pins_.push_back(&pin);
  sensitive << changed;
}

void StageModule::publish(int first_place, const Numbers& numbers) {
  publish(first_place, [numbers](TraceWriter& trace) {
    for (const Number& number : numbers) trace.put(number);
  });
}

bool StageModule::ready() const {
  return std::all_of(pins_.begin(), pins_.end(), [](const Pin* pin) { return pin->ready(); });
}

// Whether to come back later, once for each case.
bool StageModule::stalled() {
  if (!context_.timing.stall || std::exchange(waited_, false)) return false;
  const int cycles = context_.timing.stall(name(), number_);
  if (cycles == 0) return false;
  const sc_core::sc_time length(cycles, sc_core::SC_NS);
  if (context_.reset != nullptr) {
    next_trigger(length, (*context_.reset)->value_changed_event());
  } else {
    next_trigger(length);
  }
  waited_ = true;
  return true;
}

void StageModule::begin_again() {
  for (Pin* pin : pins_) pin->empty();
  number_ = 0;
  waited_ = false;
}

void StageModule::run() {
  if (in_reset()) return begin_again();
  while (ready() && !stalled()) {
    work();
    ++number_;
  }
}

}  // namespace assay::systemc
