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

Sources sources_of_steps(const Plan& plan) {
  Sources sources;
  for (int instance = 0; instance < plan.lanes * plan.steps; ++instance) {
    const int* order = plan.order_of(instance);
    sources.insert(sources.end(), order, order + plan.step_terms);
  }
  return sources;
}

void redo_unfit(const std::vector<char>& a, int row, int rows, const std::vector<char>& b, Tile& tile) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j)
      tile.redo[i][j] |= a[static_cast<std::size_t>(row) + i] == 0 || b[j] == 0;
  }
}

void redo_unfit_cases(const std::vector<char>& a, const std::vector<char>& b, Tile& tile) {
  for (std::size_t j = 0; j < panel_columns; ++j) tile.redo[0][j] |= a[j] == 0 || b[j] == 0;
}

}  // namespace assay
