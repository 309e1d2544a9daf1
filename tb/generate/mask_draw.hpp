// Masks that a case may bring.
#pragma once

#include <vector>

#include "model/core/plan.hpp"
#include "tb/generate/random.hpp"

namespace assay {

// How much of it is on, where it may be any: all; most of it; as the bits fall.
enum class MaskKind { all, most, any };

// `wanted`: of each product how much its elements say. Of a pattern those that say more are on before others are, so
// that a family's terms are not switched off where it can be helped.
std::vector<Code> drawn_mask(const CaseOperand& mask, const std::vector<int>& wanted, MaskKind kind, Draws draws);

// Legal patterns of one group, in order: 1100, 1010, .. of take 2 among 4. Of groups with more than 64, the first of
// them; without a pattern none.
std::vector<std::vector<Code>> group_patterns(const Mask& words);

}  // namespace assay
