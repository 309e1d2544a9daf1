// Dot products and outer products of Arm's Advanced SIMD, SVE and SME.
#pragma once

#include "tb/devices/host/units.hpp"

namespace assay::host {

std::vector<HostUnit> arm_units();

}  // namespace assay::host
