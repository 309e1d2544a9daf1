// A DUT's module as gates: yosys reads it, and writes it as an AIGER file with a list of whose bits its inputs are.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "tb/devices/rtl/dut.hpp"
#include "tb/prove/gates.hpp"

namespace assay {

struct Netlist {
  Gates gates;
  // By port and bit, counted from 0. An input's literal is that of its node; so is a register's, beside what it holds
  // next. An input of no port is a value that the RTL leaves open: an x, a z, or what nothing drives.
  std::map<std::string, std::map<int, Lit>> inputs, outputs;
  struct Register {
    Lit now = lit_false, next = lit_false;
  };
  std::vector<Register> registers;
  std::string sha256;  // of what yosys wrote
};

// Read once and kept under ${XDG_CACHE_HOME:-~/.cache}/assay/prove by the content of the sources; `progress`, where
// given, is told what takes long. Throws Error.
Netlist netlist_of(const Dut& dut, std::ostream* progress);

// Of all that it is read from, and of what reads it. Throws Error.
std::string sources_sha256(const Dut& dut);

// Verilog for yosys's techmap: cells that give an x for some operands, an index out of range and division by zero,
// where yosys's own gates give what is least. As docs/examples/formal/giving_x.v has it, too.
std::string cells_giving_x();

// The texts of two files: yosys's gates, and whose bits their inputs and outputs are. Throws Error.
Netlist parse_netlist(const std::string& aiger, const std::string& map, const std::string& where);

}  // namespace assay
