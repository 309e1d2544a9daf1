// vectors:FILE: what a vector file recorded.
#pragma once

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_vectors(const DeviceRequest& request);

}  // namespace assay
