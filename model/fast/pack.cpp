#include "model/fast/pack.hpp"

namespace assay {

Sources sources_of_sums(const Plan& plan, int multiple) {
  const CircuitBlock& block = plan.circuit.step;
  Sources sources;
  for (int instance = 0; instance < plan.lanes * plan.steps; ++instance) {
    const int* order = plan.order_of(instance);
    for (const SumNode& node : block.sums) {
      for (const SumItem& item : node.items) {
        if (block.kind(item.value) == ValueKind::term) sources.push_back(order[item.value]);
      }
      while (sources.size() % static_cast<std::size_t>(multiple) != 0) sources.push_back(-1);
    }
  }
  return sources;
}

}  // namespace assay
