// RISC-V's vector units: fused multiply-adds with signs turned before the sum, and bulk-normalised dot products.
#pragma once

#include "tb/oracle/instruction.hpp"
#include "tb/oracle/oracle.hpp"

namespace assay::exact {

// Of the algorithms that start with riscv_.
bool is_of_riscv(Algorithm algorithm);
OracleResult riscv(const Instruction& instruction, const OracleOperands& operands);

}  // namespace assay::exact
