#include "tb/prove/shown.hpp"

namespace assay {

void stand_for(std::vector<Lit>& map, Lit l, Lit with) {
  if (!is_constant(l)) map[node_of(l)] = inverted_if(with, is_inverted(l));
}

std::vector<Lit> of_shown(const std::vector<Lit>& made, const std::vector<int>& places, const ModelGates& model,
                          const ShownPlaces& unit, Gates& gates) {
  std::vector<Lit> map(gates.size(), lit_none);
  for (const int place : places) {
    const std::vector<Lit>& bits = model.places[static_cast<std::size_t>(place)];
    const auto& shown = unit[static_cast<std::size_t>(place)];
    for (std::size_t bit = 0; shown && bit < bits.size(); ++bit) stand_for(map, bits[bit], (*shown)[bit]);
  }
  return copied_within(gates, made, map);
}

}  // namespace assay
