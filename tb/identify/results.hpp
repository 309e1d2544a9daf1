// What a datapath gives for many cases: by a kernel, which core's tests hold to core, where they are worth making one.
#pragma once

#include <vector>

#include "model/core/dot.hpp"
#include "model/fast/kernel.hpp"
#include "tb/devices/device.hpp"

namespace assay::identify {

// As `dot` and `Kernel` take them; the cases stay where they are.
std::vector<Operand> operands_of(const std::vector<Case>& cases);

std::vector<Code> results_of(const Kernel& kernel, const std::vector<Operand>& operands);
std::vector<Code> results_of(const Plan& plan, const std::vector<Operand>& operands);

}  // namespace assay::identify
