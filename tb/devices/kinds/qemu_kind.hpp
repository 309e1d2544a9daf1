// qemu:MACHINE: units of another processor, emulated: assay-host, built for that processor, under qemu-user.
#pragma once

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_qemu(const DeviceRequest& request);
std::vector<Subject> qemu_subjects(const std::string& spec, const std::string& machine, const Catalogue& catalogue,
                                   std::ostream& log);
std::vector<DeviceFact> qemu_facts(const DeviceRequest& request);
std::vector<std::string> qemu_names();

}  // namespace assay
