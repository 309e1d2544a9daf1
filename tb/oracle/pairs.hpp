// The matrix instructions of general processors (POWER10, Arm): pairs of products, chains of IEEE operations, and which
// of several NaNs they deliver.
#pragma once

#include "tb/oracle/instruction.hpp"
#include "tb/oracle/oracle.hpp"

namespace assay::exact {

// Of the algorithms that start with power_ and arm_.
bool is_of_pairs(Algorithm algorithm);
OracleResult pairs(const Instruction& instruction, const OracleOperands& operands);

}  // namespace assay::exact
