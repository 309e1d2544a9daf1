// Arguments about roundings that repeat: what was rounded so before, or is rounded so again.
#pragma once

#include "tb/generate/mutated_place.hpp"

namespace assay {

// The argument; empty where there is none. `no_minus_zero`: no sum of the adder there becomes -0.
std::string_view equivalence_of_roundings(const MutatedPlace& place, bool no_minus_zero);

// Why both results make the same of what is too large, where `directed` lets the cut choose; empty where they may not:
// rounding to nearest takes it to infinity, as `infinity` does, and rounding toward zero to the greatest number, as
// `largest` does.
std::string_view overflow_alike(const ResultPlan& x, const ResultPlan& y);

}  // namespace assay
