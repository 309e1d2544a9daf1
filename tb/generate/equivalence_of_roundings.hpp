// Arguments about roundings that repeat: what was rounded so before, or is rounded so again.
#pragma once

#include "tb/generate/mutated_place.hpp"

namespace assay {

// The argument; empty where there is none. `no_minus_zero`: no sum of the adder there becomes -0.
std::string_view equivalence_of_roundings(const MutatedPlace& place, bool no_minus_zero);

// Whether both results make the same of what is too large, because they round to nearest: of either kind, that takes it
// to infinity, where `directed` lets the cut choose, as `infinity` does.
bool overflows_alike(const ResultPlan& x, const ResultPlan& y);

}  // namespace assay
