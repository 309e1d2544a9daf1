// What those can count on who know sums as most units make them. Each asks for itself and leaves the other plans to
// core.
#pragma once

#include <optional>

#include "model/core/plan.hpp"

namespace assay {

// Whether each sum adds its inputs as they are, and something before the first: no input has `negate`, and `start` is
// not `none`.
bool adds_as_given(const Plan& plan);

// Whether each a is multiplied by its b as a whole and goes on as one number, a zero product has no exponent, a NaN
// stays one, items are cut once at most, windows stand at the largest exponent and are never lost, a sum keeps its
// window's exponent and remembers what it lost right below, registers are never full, and sums are what they should be:
// no `slices`, `rows`, `empty` of products and factors, `nans`, `again`, `lost_at`, `raise`, `from`, `cancelled`,
// `sticky: at_result`, `bits` and `errata`.
bool adds_whole_products(const Plan& plan);

// Whether the signs of a kind of values are turned: of all of the block's, or of none; nothing where of some.
std::optional<bool> turned_values(const CircuitBlock& block, ValueKind kind);

// Whether every NaN of a, b and c is read as one.
bool keeps_nans(const Datapath& words);

}  // namespace assay
