// What varies where a spec does not say: the words of the base datapath that make sense for its formats.
#pragma once

#include "tb/explore/study.hpp"

namespace assay::design {

// As `vary` would say it. For each adder that cuts what it adds: how many bits it keeps, from the mantissa of its
// factors to that of d and what the sum's length can hide, each `stride`-th of these from the greatest on, and how they
// are cut; then how d is rounded, and how many terms a step takes. Throws Error where the datapath has none of these.
std::string usual_axes(const DatapathFile& base, int stride);

}  // namespace assay::design
