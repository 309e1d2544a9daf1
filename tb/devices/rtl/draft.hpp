// A DUT file to fill in, from the ports of a module.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/rtl/ports.hpp"

namespace assay {

// Clock, reset, handshake and operands are guessed from names; what the module's header cannot tell is marked. Of `dut`
// only what the module is read with counts: sources and their settings.
std::string dut_draft(const Dut& dut, const std::vector<RtlPort>& ports);

}  // namespace assay
