// model: the reference model on the subject's datapath; model:FILE.yaml and model:ARCHITECTURE:INSTRUCTION: on another.
#pragma once

#include <optional>

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_model(const DeviceRequest& request);
std::unique_ptr<Device> open_other_model(const DeviceRequest& request);

// The plan that "model" or "model:.." runs, where one instruction of it does one of the subject's; nothing for every
// other device. Throws as open_device does.
std::optional<Plan> model_plan(const std::string& spec, const Subject& subject, const Catalogue& catalogue);

}  // namespace assay
