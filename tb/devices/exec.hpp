// The device `exec:COMMAND`: a process device whose command line goes through the shell.
#pragma once

#include "tb/devices/process.hpp"

namespace assay {

inline std::unique_ptr<Device> exec_device(const Plan& plan, const VectorHeader& header, const std::string& command,
                                           std::chrono::milliseconds timeout = ProcessOptions{}.timeout) {
  ProcessOptions options;
  options.argv = {"/bin/sh", "-c", command};
  options.name = "exec:" + command;
  options.timeout = timeout;
  return process_device(plan, header, options);
}

}  // namespace assay
