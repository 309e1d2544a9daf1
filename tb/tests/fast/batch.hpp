// Cases that have nothing to do with each other, held to core.
#pragma once

#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

// The mask that is meant where none is said; empty where the plan has none.
std::vector<Code> plain_mask(const Plan& plan);

std::vector<Operand> operands_of(const std::vector<Case>& cases);
std::vector<Code> by_core(const Plan& plan, const std::vector<Operand>& operands);

// Kernel::batch gives what core does, on every instruction set.
void expect_batch_equals_core(const Plan& plan, const std::vector<Case>& cases);

}  // namespace assay
