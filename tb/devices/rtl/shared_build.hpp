// RTL that is built once and used by many machines: a copy of the build in a folder that all of them see, found by the
// content of the DUT file and its sources. Who uses it needs neither Verilator nor a compiler.
#pragma once

#include <string>

#include "model/core/plan.hpp"
#include "tb/devices/rtl/dut.hpp"

namespace assay {

// Copies the build that `program` (build_rtl) stands in. Another one of the same content is left as it is. Throws
// Error.
void share_build(const Dut& dut, const Claim& claim, const Plan& plan, const std::string& program,
                 const std::string& folder);

// The program of that copy. Throws Error where there is none, it is damaged, or what it was made of has changed.
std::string shared_program(const Dut& dut, const Claim& claim, const Plan& plan, const std::string& folder);

}  // namespace assay
