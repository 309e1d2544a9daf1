// Trees of products whose operands were widened, rounded or cut into pieces on the way in.
#pragma once

#include "tb/oracle/datum.hpp"
#include "tb/oracle/instruction.hpp"
#include "tb/oracle/oracle.hpp"

namespace assay::exact {

// The accumulator in the same window as the products; a zero is +0.
Datum fda_plus_zero(const Instruction& instruction, const OracleOperands& operands);

// The products by themselves, then the accumulator, rounded once.
Datum dot_then_add(const Instruction& instruction, const OracleOperands& operands);

}  // namespace assay::exact
