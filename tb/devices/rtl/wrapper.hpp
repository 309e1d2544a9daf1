// A module around a unit whose ports are structs or interfaces: what a DUT file names as `req_i.a` gets a port of its
// own there, and what else the unit has goes through.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/rtl/dut.hpp"

namespace assay {

inline constexpr const char* wrapper_module = "assay_wrapper";

// The members of ports that the file names: "req_i.a".
std::vector<std::string> members_of(const Dut& dut);
inline bool needs_wrapper(const Dut& dut) { return !members_of(dut).empty(); }

// The port of the wrapper that stands for a port or a member of one: "req_i.a" is "member_req_i_a".
std::string wrapper_port(const std::string& name);

// The wrapper, from SystemVerilog that a preprocessor has been over. Throws Error where the unit's header does not say
// what is needed.
std::string wrapper_text(const Dut& dut, const std::string& preprocessed);

}  // namespace assay
