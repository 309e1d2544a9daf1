// The program around one Verilated DUT.
#pragma once

#include <string>

#include "model/core/plan.hpp"
#include "tb/devices/rtl/dut.hpp"

namespace assay {

// The C++ text of main.cpp: how the operands get into the ports, where d and the places of the trace come out, and
// when.
// With `waves`, also how every signal gets into an FST file.
std::string glue_text(const Dut& dut, const Claim& claim, const Plan& plan, bool waves);

}  // namespace assay
