// A multiplier narrower than its operands, run in phases: each multiplies one slice of a by one slice of b, adds the
// products in two groups, and these onto d, which the next phase reads.
#pragma once

#include "tb/oracle/instruction.hpp"
#include "tb/oracle/oracle.hpp"

namespace assay::exact {

// Numbers without NaN, infinity or subnormals; d's code.
Code grouped_nearest(const Instruction& instruction, const OracleOperands& operands);

// Operands are sign and magnitude. The unit is said to hold d so, too; the recorded results have it as two's
// complement, and so it is here.
Code integer_magnitudes(const Instruction& instruction, const OracleOperands& operands);

}  // namespace assay::exact
