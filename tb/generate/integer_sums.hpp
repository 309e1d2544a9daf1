// Sums of integers that end in one clamp, or in none that can act.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

// Whether both add the same whole numbers exactly and clamp or wrap no more than the last sum, each in the same way; or
// no sum of either leaves the range of d. For a mutation that changes neither operands nor signs.
bool sum_integers_alike(const Plan& x, const Plan& y);

}  // namespace assay
