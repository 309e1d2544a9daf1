#include "tb/gates/fpga.hpp"

#include <algorithm>
#include <sstream>

#include "tb/devices/device.hpp"
#include "tb/devices/rtl/export_sv.hpp"

namespace assay {
namespace {

std::string script_for(const FpgaFamily& family) {
  return "read_verilog -sv SOURCES datapath.sv\nhierarchy -check -top datapath\n"
         "proc\nflatten\ndelete -output datapath/w:probe_o\nopt -purge\n" +
         family.command + "\ntee -q -o cells.txt stat\n";
}

// "     SB_LUT4     1342" in what stat says.
int counted(const std::string& stat, const std::vector<std::string>& kinds) {
  int count = 0;
  std::istringstream lines(stat);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    int number = 0;
    if (words >> kind >> number && std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) count += number;
  }
  return count;
}

std::optional<FpgaCost> cost_in(const std::string& text) {
  std::istringstream words(text);
  FpgaCost cost;
  std::string rest;
  if (!(words >> cost.tables >> cost.carries >> cost.multipliers) || words >> rest || cost.tables <= 0)
    return std::nullopt;
  return cost;
}

}  // namespace

const std::vector<FpgaFamily>& fpga_families() {
  static const std::vector<FpgaFamily> families{
      {"ice40", "synth_ice40 -dsp -top datapath", {"SB_LUT4"}, {"SB_CARRY"}, {"SB_MAC16"}},
      {"xilinx",
       "synth_xilinx -family xc7 -noiopad -noclkbuf -top datapath",
       {"LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6"},
       {"CARRY4"},
       {"DSP48E1"}}};
  return families;
}

FpgaCost fpga_cost(const Plan& plan, const FpgaFamily& family, const Synthesis& synthesis) {
  const auto read = [&](const SynthesisFolder& folder) {
    const std::string stat = folder.text("cells.txt");
    const int tables = counted(stat, family.tables);
    if (tables == 0) folder.fail("does not say how many look-up tables there are");
    return std::to_string(tables) + " " + std::to_string(counted(stat, family.carries)) + " " +
           std::to_string(counted(stat, family.multipliers)) + "\n";
  };
  const GateQuestion question{export_sv(plan, gates_top), script_for(family), "", read,
                              [](const std::string& kept) { return cost_in(kept).has_value(); }};
  return *cost_in(answer_to(question, synthesis).text);
}

}  // namespace assay
