// Arguments that hold whatever is multiplied and added: of slices that take the same bits, and of steps that add the
// same products in another order.
#pragma once

#include "tb/generate/mutated_place.hpp"

namespace assay {

// The argument; empty where there is none.
std::string_view equivalence_of_pieces(const MutatedPlace& place);

}  // namespace assay
