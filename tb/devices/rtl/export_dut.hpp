// The DUT file of a wiring that export_sv writes.
#pragma once

#include <string>

#include "tb/devices/rtl/export_sv.hpp"

namespace assay {

struct ExportedWiring {
  std::string claim;   // a line of the DUT file: what the unit computes
  std::string file;    // that holds the wiring; relative to the DUT file, or absolute
  std::string module;  // its name
  ExportTiming timing = ExportTiming::combinational;
};

// All ports of the wiring by the names of what a case brings, its handshake, and every place of the plan as a probe.
std::string export_dut(const Plan& plan, const ExportedWiring& wiring);

}  // namespace assay
