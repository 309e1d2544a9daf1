// Cases of more terms than the instruction takes: several instructions along K, each one's d the next one's c.
#pragma once

#include "tb/devices/device.hpp"

namespace assay {

// Instruction `step` of a case, onto `c`.
Case instruction_of(const Plan& plan, const Case& whole, std::size_t step, Code c);

// One answer a case, without a trace. Cases of plan.k terms go to the device as they are.
std::vector<Answer> run_chained(Device& device, const Plan& plan, const std::vector<Case>& cases);

// The device, which takes cases of several instructions so; it offers no traces. `plan` outlives it.
std::unique_ptr<Device> chained(std::unique_ptr<Device> device, const Plan& plan);

}  // namespace assay
