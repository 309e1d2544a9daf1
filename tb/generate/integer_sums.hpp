// Sums of integers that end in one clamp, or in none that can act.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

// Whether each product, and c, enters d as often in both and with the same sign: inputs with `negate` turn signs from
// step to step. Modulo 2^64, as sums that wrap have it. Of plans without `finish`.
bool weighs_alike(const Plan& x, const Plan& y);

// Whether both add the same whole numbers exactly and clamp or wrap no more than the last sum, each in the same way; or
// clamp sums that then only grow, in the same way; or no sum of either leaves the range of d. For a mutation that
// changes no operand.
bool sum_integers_alike(const Plan& x, const Plan& y);

}  // namespace assay
