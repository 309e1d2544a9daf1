// Devices as a command line names them: model, model:FILE.yaml, model:ARCHITECTURE:INSTRUCTION, oracle, systemc,
// rtl:DUT.yaml, host:UNIT, vectors:FILE, exec:COMMAND.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/cli/subject.hpp"
#include "tb/devices/device.hpp"

namespace assay {

// Opens a device for `subject`, which must outlive it. Building RTL says what it does on `console.err`. Throws
// DeviceError or ConfigError.
std::unique_ptr<Device> open_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                    const Console& console);

// As open_device, for RTL that writes all its signals to the FST file `wave`.
std::unique_ptr<Device> open_with_wave(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                       const Console& console, const std::string& wave);

// The plan that "model" or "model:.." runs, where one instruction of it does one of the subject's; nothing for every
// other device. Throws as open_device does.
std::optional<Plan> model_plan(const std::string& spec, const Subject& subject, const Catalogue& catalogue);

// For the help of options that take one.
inline constexpr const char* device_help =
    "model, model:FILE.yaml, model:ARCHITECTURE:INSTRUCTION, oracle, systemc, rtl:DUT.yaml, host:UNIT, vectors:FILE or "
    "exec:COMMAND";

}  // namespace assay
