// The model with one or more of its stages computed by a program of somebody's, which is asked for the bits of each of
// their places as the model comes to it (docs/devices.md).
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "tb/devices/device.hpp"

namespace assay {

struct StageProgram {
  std::string command;                        // for /bin/sh
  std::string name;                           // what messages call the device
  std::chrono::milliseconds timeout{60'000};  // longest wait for an answer, or for the greeting
};

// Starts the program and reads its greeting. `plan` must outlive the device. Throws Error where the program cannot be
// started, greets wrongly or computes no place of the plan.
std::unique_ptr<Device> model_with_program(const Plan& plan, const StageProgram& program);

}  // namespace assay
