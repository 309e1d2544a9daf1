// A DUT file to fill in, from the ports of a module.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/rtl/ports.hpp"

namespace assay {

// What the unit is to compute: its line of the DUT file, and what that says of widths and counts.
struct DraftClaim {
  std::string line;  // "instruction: hopper:wgmma.m64nNk16.f32.f16.f16"
  const Plan& plan;
};

// Clock, reset, handshake and operands are guessed from names, and with a claim what its widths tell; what neither
// tells is marked. A port of width 0 is an interface. Of `dut` only what the module is read with counts: sources and
// their settings.
std::string dut_draft(const Dut& dut, const std::vector<RtlPort>& ports, const DraftClaim* claim = nullptr);

}  // namespace assay
