// The reference model as a device.
#pragma once

#include <memory>
#include <string>

#include "tb/devices/device.hpp"

namespace assay {

// Cases by the hundred that nobody asks a trace of are run by model/fast, which says the same. `plan` must outlive the
// device. Offers every place of the trace.
std::unique_ptr<Device> model_device(const Plan& plan, const std::string& name = "model");

}  // namespace assay
