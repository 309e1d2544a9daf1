// systemc: the model as SystemC modules, in a program of its own.
#pragma once

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_systemc(const DeviceRequest& request);

}  // namespace assay
