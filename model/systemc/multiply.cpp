#include "model/systemc/multiply.hpp"

#include "model/core/multiply.hpp"

namespace assay::systemc {

MultiplierArray::MultiplierArray(const sc_core::sc_module_name& name, const Context& context, int place)
    : StageModule(name, context), place_(place) {}

void MultiplierArray::work() {
  const Numbers left = a.take();
  const Numbers right = b.take();
  std::vector<Number> exact;
  exact.reserve(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) exact.push_back(multiply(left[i], right[i]));
  const Numbers made(std::move(exact));
  publish(place_, made);
  products.give(made);
}

}  // namespace assay::systemc
