#include "tb/devices/kinds/exec_kind.hpp"

namespace assay {

std::unique_ptr<Device> exec_device(const Plan& plan, const VectorHeader& header, const std::string& command,
                                    std::chrono::milliseconds timeout) {
  ProcessOptions options;
  options.argv = {"/bin/sh", "-c", command};
  options.name = "exec:" + command;
  options.timeout = timeout;
  return process_device(plan, header, options);
}

std::unique_ptr<Device> open_exec(const DeviceRequest& request) {
  return exec_device(request.subject.plan, request.subject.header, request.argument);
}

}  // namespace assay
