// Widening multiply-adds of RISC-V's vector registers.
#pragma once

#include "tb/devices/host/units.hpp"

namespace assay::host {

std::vector<HostUnit> riscv_units();

}  // namespace assay::host
