// What a unit takes of an FPGA, by yosys; and how fast it is there, where a program is installed that places it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/gates/synthesis.hpp"

namespace assay {

struct FpgaFamily {
  std::string name;                                       // "ice40"
  std::string command;                                    // of yosys
  std::vector<std::string> tables, carries, multipliers;  // cells, by what they count as
  // What places and routes it; nothing where Debian has no program for that.
  std::string placer;   // the program
  std::string options;  // the part, which has no multipliers, and the seed
  std::string mapping;  // the command of yosys for that part
};

const std::vector<FpgaFamily>& fpga_families();

// How fast operands may follow each other: the time from registers before the unit to those behind it.
struct PlacedClock {
  double megahertz = 0;
  std::string why_not;  // what the placer says where the unit does not fit; else empty

  bool fits() const { return why_not.empty(); }
};

struct FpgaCost {
  int tables = 0;  // look-up tables
  int carries = 0;
  int multipliers = 0;                     // DSP blocks
  std::optional<PlacedClock> placed = {};  // where that was asked
};

// The placer as it names itself; nothing where the family has none or it is not installed.
std::optional<std::string> placer_version(const FpgaFamily& family);

// The same seed each time, so that the clock is the same, too. `placer` is what placer_version says.
PlacedClock placed_clock(const Plan& plan, const FpgaFamily& family, const std::string& placer,
                         const Synthesis& synthesis);

// Throws Error as `answer_to` does, and where `export-sv` cannot wire the plan.
FpgaCost fpga_cost(const Plan& plan, const FpgaFamily& family, const Synthesis& synthesis);

}  // namespace assay
