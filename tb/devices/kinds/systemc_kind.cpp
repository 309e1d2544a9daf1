#include "tb/devices/kinds/systemc_kind.hpp"

#include "tb/devices/kinds/helper_program.hpp"
#include "tb/devices/process.hpp"

namespace assay {

std::unique_ptr<Device> open_systemc(const DeviceRequest& request) {
  const std::string program =
      helper_in(own_folder(), {"assay-systemc", "The device systemc needs", "-DASSAY_SYSTEMC=ON"});
  // Without SystemC's four lines of copyright on standard error.
  const std::vector<std::string> argv{"env", "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1", program};
  return process_device(request.subject.plan, request.subject.header, {argv, "systemc"});
}

}  // namespace assay
