// Arguments about elements of a and b that are rounded before they are multiplied.
#pragma once

#include "tb/generate/mutated_place.hpp"

namespace assay {

// The argument; empty where there is none.
std::string_view equivalence_of_factors(const MutatedPlace& place);

}  // namespace assay
