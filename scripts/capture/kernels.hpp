// The source of the kernels of one target, a function an instruction. Every kernel is given the registers of its
// operands as scripts/capture/tiles.hpp packs them, executes the instruction once a block of threads, and hands back
// d's.
#pragma once

#include <string>

#include "scripts/capture/targets.hpp"

namespace assay::capture {

std::string kernel_source(const Target& target);

// The function's name: the instruction's, letters, digits and underscores only.
std::string kernel_name(const std::string& instruction);

}  // namespace assay::capture
