#include "tb/devices/kinds/exec_kind.hpp"

#include "tb/devices/exec.hpp"

namespace assay {

std::unique_ptr<Device> open_exec(const DeviceRequest& request) {
  return exec_device(request.subject.plan, request.subject.header, request.argument);
}

}  // namespace assay
