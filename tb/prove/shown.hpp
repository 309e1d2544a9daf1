// What a unit shows of its stages, and what is said of it in the model's words.
#pragma once

#include <optional>
#include <vector>

#include "tb/prove/model_gates.hpp"

namespace assay {

// The bits of each of the plan's places: nothing where the unit does not show it.
using ShownPlaces = std::vector<std::optional<std::vector<Lit>>>;

// Where `l` is met, `with` stands.
void stand_for(std::vector<Lit>& map, Lit l, Lit with);

// What is made of these places of the model, made of those that the unit shows in their stead.
std::vector<Lit> of_shown(const std::vector<Lit>& made, const std::vector<int>& places, const ModelGates& model,
                          const ShownPlaces& unit, Gates& gates);

}  // namespace assay
