// A unit as cells of a library, read from what synthesis wrote, and run: bits in, bits out, sixty-four cases at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tb/gates/liberty.hpp"

namespace assay {

struct MappedGate {
  const CellFunction* function = nullptr;
  std::vector<int> inputs;  // nets
  int output = 0;           // a net
};

struct MappedRegister {
  int data = 0, state = 0;  // nets
};

// Nets are numbered from 0; the first two are always 0 and always 1.
struct MappedUnit {
  std::vector<MappedGate> gates;  // each behind those that it reads, registers apart
  std::vector<MappedRegister> registers;
  std::vector<double> loads;                      // of each net, picofarads: of the inputs that it drives
  std::map<std::string, std::vector<int>> ports;  // of each port its nets, the lowest bit first
  std::map<std::string, int> cells;               // how many of each kind

  std::size_t nets() const { return loads.size(); }
  const std::vector<int>& port(const std::string& name) const;  // throws Error where there is none
};

// BLIF as yosys writes it: .subckt for each cell. The library must live as long as the unit. Throws Error.
MappedUnit read_mapped(const std::string& blif, const CellLibrary& library);

using NetValues = std::vector<std::uint64_t>;  // of each net a word, a bit for each case

NetValues fresh_values(const MappedUnit& unit);
// The outputs of all gates, from the inputs and the registers' states.
void settle(const MappedUnit& unit, NetValues& values);
// Every register takes what stands at its input.
void clock_edge(const MappedUnit& unit, NetValues& values);

}  // namespace assay
