// exec:COMMAND: a program that speaks JSON lines on its standard input and output, behind a shell.
#pragma once

#include "tb/devices/kinds/kind.hpp"
#include "tb/devices/process.hpp"

namespace assay {

std::unique_ptr<Device> exec_device(const Plan& plan, const VectorHeader& header, const std::string& command,
                                    std::chrono::milliseconds timeout = ProcessOptions{}.timeout);

std::unique_ptr<Device> open_exec(const DeviceRequest& request);

}  // namespace assay
