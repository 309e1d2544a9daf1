// The matrix instructions of general processors (POWER10, Arm): pairs of products, chains of IEEE operations, and which
// of several NaNs they deliver.
#pragma once

#include "tb/oracle/instruction.hpp"
#include "tb/oracle/oracle.hpp"

namespace assay::exact {

// `instruction` has one of their algorithms: is_of_pairs.
OracleResult pairs(const Instruction& instruction, const OracleOperands& operands);

}  // namespace assay::exact
