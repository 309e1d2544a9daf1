// A DUT as gates over the bits of a case: its ports bound as the DUT file says, its registers read through.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/prove/netlist.hpp"
#include "tb/prove/shown.hpp"

namespace assay {

struct UnitGates {
  ShownPlaces places;
  std::vector<Lit> d;
  std::vector<std::pair<std::string, Lit>> answers;  // wires that have to be true for each case, and may not be
  int registers = 0;                                 // on the way from operands to d, the same on every way
  std::string clocked;  // how registers were read, as a sentence; empty where there are none
  std::string tagged;   // whether each d has its case's tag, as a sentence; empty where there are none
};

// Throws Error where proofs do not take units of this form, before anything of theirs is read.
void check_provable(const Dut& dut);

// Into `gates`, which has the operands. Throws Error.
UnitGates unit_gates(const Dut& dut, const Claim& claim, const Plan& plan, const Netlist& netlist,
                     const std::vector<OperandGates>& operands, Gates& gates);

}  // namespace assay
