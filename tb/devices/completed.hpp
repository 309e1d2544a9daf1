// A device that shows some places of a dot product and no d: the model goes on from what it shows.
#pragma once

#include <memory>

#include "tb/devices/device.hpp"

namespace assay {

// Asks `device` for its places in every run, whether anybody else wants them or not. `plan` must outlive it.
std::unique_ptr<Device> completed(const Plan& plan, std::unique_ptr<Device> device);

}  // namespace assay
