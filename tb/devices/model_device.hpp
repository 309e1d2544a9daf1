// The reference model as a device.
#pragma once

#include <memory>
#include <string>

#include "tb/devices/device.hpp"

namespace assay {

// `plan` must outlive the device. Offers every place of the trace.
std::unique_ptr<Device> model_device(const Plan& plan, const std::string& name = "model");

}  // namespace assay
