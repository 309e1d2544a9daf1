#include "model/systemc/window.hpp"

namespace assay::systemc {

MaxExponent::MaxExponent(const sc_core::sc_module_name& name, const Context& context, int place, const Window& words,
                         std::vector<const Input*> inputs)
    : StageModule(name, context), place_(place), words_(words), inputs_(std::move(inputs)) {}

void MaxExponent::work() {
  const Numbers numbers = items.take();
  WindowFinder finder(words_);
  for (std::size_t i = 0; i < numbers.size(); ++i) finder.see(numbers[i], *inputs_[i]);
  const int found = finder.exponent();
  const CommonExponent common{found == Number::no_exponent ? 0 : found, finder.empty()};
  publish(place_, [common](TraceWriter& trace) { trace.put(i128{common.exponent}); });
  window.give(common);
}

}  // namespace assay::systemc
