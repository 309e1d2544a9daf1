// What the RTL of a DUT file claims to compute.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tb/devices/rtl/dut.hpp"
#include "tb/subject/subject.hpp"

namespace assay {

// "FILE#PORT=HEX,PORT=HEX": constants of the file held at other values.
struct HeldDut {
  std::string file;
  std::vector<PortConstant> held;
};

// Of what follows "rtl:" in `device`. Throws Error where what follows # is no list of ports and values.
HeldDut held_dut(const std::string& argument, const std::string& device);

// A unit as a device names it, "rtl:dut.yaml#mode=1".
struct NamedUnit {
  Dut dut;
  std::vector<PortConstant> held;  // in place of the file's
};
// Throws Error where `device` names no RTL.
NamedUnit named_unit(const std::string& device);

// The DUT's claim to compute the subject. Throws Error where it has none.
const Claim& claim_of(const Dut& dut, const Subject& subject, const Catalogue& catalogue);

// The same, with the constants that the device's name holds.
Claim claim_of(const NamedUnit& unit, const Subject& subject, const Catalogue& catalogue);

// What build_rtl builds of the claim; where the ports do not fit it, the error says what they would. Throws Error.
std::string build_claimed(const Dut& dut, const Subject& subject, const Catalogue& catalogue, std::ostream* progress,
                          bool waves = false);

// All that the DUT claims by name; `log` hears where that is not all it claims. Throws Error where it claims
// nothing but whatever it is asked for, or the same twice.
std::vector<Subject> subjects_of_claims(const Dut& dut, const Catalogue& catalogue, std::ostream& log);

}  // namespace assay
