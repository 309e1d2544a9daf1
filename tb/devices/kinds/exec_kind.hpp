// exec:COMMAND: a program that speaks JSON lines on its standard input and output.
#pragma once

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_exec(const DeviceRequest& request);

}  // namespace assay
