// rtl:DUT.yaml: RTL that Verilator builds into a program, from its DUT file.
#pragma once

#include "tb/devices/kinds/kind.hpp"

namespace assay {

std::unique_ptr<Device> open_rtl(const DeviceRequest& request);
std::vector<Subject> rtl_subjects(const std::string& spec, const std::string& argument, const Catalogue& catalogue,
                                  std::ostream& log);
// The hash of what open_rtl built just now, not of what its files may hold when a sheet is written.
std::vector<DeviceFact> rtl_facts(const DeviceRequest& request);
// What open_rtl builds, into DeviceRequest::builds.
void share_rtl(const DeviceRequest& request);
double rtl_bare_rate(const DeviceRequest& request, double seconds);

}  // namespace assay
