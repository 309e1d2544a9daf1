// What a unit takes of an FPGA, by yosys alone: nothing is placed.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/gates/synthesis.hpp"

namespace assay {

struct FpgaFamily {
  std::string name;                                       // "ice40"
  std::string command;                                    // of yosys
  std::vector<std::string> tables, carries, multipliers;  // cells, by what they count as
};

const std::vector<FpgaFamily>& fpga_families();

struct FpgaCost {
  int tables = 0;  // look-up tables
  int carries = 0;
  int multipliers = 0;  // DSP blocks
};

// Throws Error as `answer_to` does, and where `export-sv` cannot wire the plan.
FpgaCost fpga_cost(const Plan& plan, const FpgaFamily& family, const Synthesis& synthesis);

}  // namespace assay
