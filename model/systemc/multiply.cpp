#include "model/systemc/multiply.hpp"

#include "model/core/slice.hpp"

namespace assay::systemc {

MultiplierArray::MultiplierArray(const sc_core::sc_module_name& name, const Context& context, int place)
    : StageModule(name, context), place_(place) {}

void MultiplierArray::work() {
  const Numbers left = a.take();
  const Numbers right = b.take();
  std::vector<Number> exact;
  exact.reserve(static_cast<std::size_t>(plan().products()));
  for (int i = 0; i < plan().products(); ++i) {
    const auto element = static_cast<std::size_t>(plan().element_of(i));
    exact.push_back(product_of(plan(), left[element], right[element], i));
  }
  const Numbers made(std::move(exact));
  publish(place_, made);
  products.give(made);
}

}  // namespace assay::systemc
