// oracle: exact rationals, for the instructions of the catalogue.
#pragma once

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_oracle(const DeviceRequest& request);

}  // namespace assay
