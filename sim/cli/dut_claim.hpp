// What a device claims to compute, as the subject of a command.
#pragma once

#include "sim/cli/subject.hpp"
#include "tb/devices/host/units.hpp"
#include "tb/devices/rtl/dut.hpp"

namespace assay {

// "rtl:FILE#PORT=HEX,PORT=HEX": constants of the file held at other values.
struct RtlDevice {
  std::string file;
  std::vector<PortConstant> held;
};

// Nothing for every other device. Throws DeviceError where what follows # is no list of ports and values.
std::optional<RtlDevice> rtl_device_of(const std::string& device);

// FILE of it; nothing for every other device.
std::optional<std::string> dut_file_of(const std::string& device);

// The unit of "host:UNIT", nullptr for every other device. Throws DeviceError where there is no such unit.
const HostUnit* host_unit_of(const std::string& device);

// The DUT's claim to compute the subject. Throws DeviceError where it has none.
const Claim& claim_of(const Dut& dut, const Subject& subject, const Catalogue& catalogue);

// The subject that was asked for; where nothing was, all that the DUT of "rtl:FILE" claims or the host's unit executes.
// Throws DeviceError where a DUT claims nothing but whatever it is asked for.
std::vector<Subject> subjects_for(const SubjectOptions& options, const std::string& device, const Catalogue& catalogue,
                                  const Console& console);

// The first of them, for commands that take one; where there are several, `console.err` hears which is taken.
Subject subject_for(const SubjectOptions& options, const std::string& device, const Catalogue& catalogue,
                    const Console& console);

}  // namespace assay
