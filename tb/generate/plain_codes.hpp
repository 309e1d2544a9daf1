// What a case brings beside a, b and c where nothing is said of it.
#pragma once

#include <vector>

#include "model/core/case_operands.hpp"

namespace assay {

// Codes that leave products and sums as they are: scales of one, zero points of zero, a mask with all on or, of a
// pattern, the first of each group; random words of zero.
std::vector<Code> plain_codes(const CaseOperand& operand);

}  // namespace assay
