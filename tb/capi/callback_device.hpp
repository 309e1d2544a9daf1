// A function of the caller's as a device.
#pragma once

#include <memory>

#include "tb/capi/assay.h"
#include "tb/devices/device.hpp"

namespace assay::capi {

// `plan` outlives it.
std::unique_ptr<Device> callback_device(const Plan& plan, const assay_device& device);

}  // namespace assay::capi
