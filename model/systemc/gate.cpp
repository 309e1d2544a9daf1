#include "model/systemc/gate.hpp"

#include "model/core/gate.hpp"

namespace assay::systemc {

void ElementGate::work() {
  const Numbers all = elements.take();
  const Scales brought = scales.take();
  std::vector<Number> made;
  made.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    made.push_back(gate(all[i], is_on(plan(), brought.more.begin(), static_cast<int>(i))));
  gated.give(Numbers(std::move(made)));
}

}  // namespace assay::systemc
