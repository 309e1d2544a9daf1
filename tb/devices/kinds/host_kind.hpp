// host:UNIT: a unit of the processor this program runs on, in a program of its own.
#pragma once

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_host(const DeviceRequest& request);
std::vector<Subject> host_subjects(const std::string& spec, const std::string& unit, const Catalogue& catalogue,
                                   std::ostream& log);
std::vector<DeviceFact> host_facts(const DeviceRequest& request);
std::vector<std::string> host_names();

}  // namespace assay
