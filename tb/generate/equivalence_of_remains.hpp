// Arguments about what remains beside a number: a NaN that is read as zero, the exponent of a zero, ones that were
// lost.
#pragma once

#include "tb/generate/mutated_place.hpp"

namespace assay {

// Why the changed word of this place changes no d; empty where nothing here says so.
std::string_view equivalence_of_remains(const MutatedPlace& place);

}  // namespace assay
