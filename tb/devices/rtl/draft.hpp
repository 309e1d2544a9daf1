// A DUT file to fill in, from the ports of a module.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/rtl/ports.hpp"

namespace assay {

// Clock, reset, handshake and operands are guessed from names; what the module's header cannot tell is marked.
std::string dut_draft(const std::vector<std::string>& sources, const std::string& top,
                      const std::vector<RtlPort>& ports);

}  // namespace assay
