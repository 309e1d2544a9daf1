// Outer products of POWER's accumulators.
#pragma once

#include "tb/devices/host/units.hpp"

namespace assay::host {

std::vector<HostUnit> power_units();

}  // namespace assay::host
