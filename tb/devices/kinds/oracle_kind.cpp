#include "tb/devices/kinds/oracle_kind.hpp"

#include "model/config/home.hpp"
#include "tb/oracle/device/oracle_device.hpp"

namespace assay {
namespace {}  // namespace

std::unique_ptr<Device> open_oracle(const DeviceRequest& request) {
  const Subject& subject = request.subject;
  if (!subject.instruction) {
    throw Error{"The oracle knows the instructions of the catalogue by name; it cannot judge a datapath of your own.",
                Ending::not_here};
  }
  return oracle_device(subject.plan, subject.instruction->architecture, subject.instruction->name,
                       home() + "/tb/oracle/instructions.csv");
}

}  // namespace assay
