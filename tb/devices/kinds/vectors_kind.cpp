#include "tb/devices/kinds/vectors_kind.hpp"

#include <filesystem>
#include <ostream>

#include "tb/devices/vectors_device.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {

// A stream is read once only, by the device itself.
std::unique_ptr<Device> open_vectors(const DeviceRequest& request) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(request.argument, ignored)) {
    const VectorHeader header = VectorReader(request.argument).header();
    const std::string warning = other_datapath(request.argument, header, request.subject);
    if (!warning.empty()) request.log << "assay: warning: " << warning << "\n";
  }
  return vectors_device(request.subject.plan, request.argument);
}

}  // namespace assay
