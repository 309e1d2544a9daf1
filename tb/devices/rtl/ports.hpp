// The ports of a Verilated module, and whether a DUT file names them rightly.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/base/error.hpp"
#include "model/core/plan.hpp"
#include "tb/devices/rtl/dut.hpp"

namespace assay {

struct RtlPort {
  std::string name;
  bool input = false;
  int width = 0;
  int elements = 0;     // of an unpacked array; 0: it is none
  bool either = false;  // input or output: a later Verilator does not say it of an array
};

// The error of a claim that the ports do not fit, but which another claim may.
struct Misfit : Error {
  Misfit(const std::string& message, std::vector<RtlPort> of) : Error{message}, ports(std::move(of)) {}
  std::vector<RtlPort> ports;
};

// From the header that Verilator wrote for the top module, sorted by name.
std::vector<RtlPort> read_ports(const std::string& verilated_header);

// Of the place that a probe shows. Throws Error where the datapath has none of its name.
int width_of(const PlaceProbe& probe, const Plan& plan);

// A list of codes that a case of a plan brings.
struct ListOperand {
  std::string name;
  Format format;
  int count = 0;
};
// All but c; a and b come first.
std::vector<ListOperand> list_operands(const Plan& plan);
// Beside a, b and c.
std::vector<ListOperand> further_operands(const Plan& plan);

// How many of its codes are at the unit's ports at once, and in how many times they come: `beats` and `load` of the DUT
// file say so.
struct Portions {
  int times = 1;
  int codes = 0;
};
Portions portions_of(const Dut& dut, const Plan& plan, const ListOperand& operand);
bool is_loaded(const Dut& dut, const std::string& operand);
int beats_of(const Dut& dut, const Plan& plan);       // of a case
int load_beats_of(const Dut& dut, const Plan& plan);  // 0: nothing is loaded

// Every operand, d and every probe must have a port of its kind that is wide enough, and every input must be driven.
// Throws Error, and Misfit where the number or the width of operands is not the plan's.
void check_ports(const Dut& dut, const Claim& claim, const Plan& plan, const std::vector<RtlPort>& ports);

// Above the last bit of a port that an operand or c reaches and below the first, where they are always zero:
// "bits 31 to 16 of port a_i".
std::vector<std::string> bits_beside_operands(const Dut& dut, const Plan& plan, const std::vector<RtlPort>& ports);

// Of ports held at other values than the DUT file's: each must be one of its or the claim's constants, and wide enough.
// Throws Error.
void check_held(const Dut& dut, const Claim& claim, const std::vector<PortConstant>& held,
                const std::vector<RtlPort>& ports);

}  // namespace assay
