// The program as a device: it speaks the lines of docs/devices.md over stdin and stdout, and elaborates the instruction
// or datapath of the header that comes first.
#pragma once

#include "model/systemc/timing.hpp"

namespace assay {

int converse(const systemc::Timing& timing);

}  // namespace assay
