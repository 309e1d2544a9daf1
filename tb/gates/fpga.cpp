#include "tb/gates/fpga.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/gates/cost.hpp"

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

// A part has fewer pins than a unit has operands: they are shifted in, and of d the parity comes out. Neither is on the
// way from the registers before the unit to those behind it.
constexpr const char* placed_top = "placed";
constexpr const char* between_registers = R"(
module placed (
  input  logic clk_i,
  input  logic in_i,
  output logic out_o
);
  logic [OPERANDS-1:0] operands;
  logic [RESULT-1:0] d, result;
  always_ff @(posedge clk_i) begin
    operands <= {operands[OPERANDS-2:0], in_i};
    result   <= d;
    out_o    <= ^result;
  end
  datapath u_datapath (
    PORTS,
    .d_o(d),
    .probe_o()
  );
endmodule
)";

// "  input  logic [31:0]    a_i,  // element 0 lowest" of the wiring's header is a port of 32 bits.
std::vector<std::pair<std::string, int>> inputs_of(const std::string& wiring) {
  std::vector<std::pair<std::string, int>> ports;
  std::istringstream lines(wiring);
  for (std::string line; std::getline(lines, line) && line != ");";) {
    std::istringstream words(line);
    std::string direction, type, range;
    if (!(words >> direction >> type >> range) || direction != "input" || type != "logic") continue;
    std::string name = range;
    int most = 0;
    if (std::sscanf(range.c_str(), "[%d:0]", &most) == 1) words >> name;
    ports.emplace_back(name.substr(0, name.find(',')), most + 1);
  }
  return ports;
}

std::string placed_sv(const std::string& wiring, int result_bits) {
  int bits = 0;
  std::vector<std::string> ports;
  for (const auto& [name, width] : inputs_of(wiring)) {
    ports.push_back("." + name + "(operands[" + std::to_string(bits) + " +: " + std::to_string(width) + "])");
    bits += width;
  }
  std::string text = replaced(between_registers, "OPERANDS-1", std::to_string(bits - 1));
  text = replaced(text, "OPERANDS-2", std::to_string(bits - 2));
  text = replaced(text, "RESULT-1", std::to_string(result_bits - 1));
  return wiring + replaced(text, "PORTS", joined(ports, ",\n    "));
}

// The version stands in the script, so that another one is asked anew.
std::string placing_script(const FpgaFamily& family, const std::string& placer) {
  return "# " + placer + "\nread_verilog -sv SOURCES datapath.sv\nhierarchy -check -top " + placed_top +
         "\nproc\nflatten\nopt -purge\n" + family.mapping + " -top " + placed_top +
         "\nwrite_json placed.json\nexec -q -- " + family.placer + " " + family.options +
         " --json placed.json -q -l placed.txt\n";
}

// What it says last counts: earlier it only estimates.
std::string read_placed(const SynthesisFolder& folder) {
  const std::string said = folder.text("placed.txt");
  const std::size_t error = said.find("ERROR: ");
  if (error != said.npos) return said.substr(error, said.find('\n', error) - error) + "\n";
  const std::size_t clock = said.rfind("Max frequency for clock");
  if (clock == said.npos) folder.fail("cannot have the unit placed: no clock is said");
  return numbers_text({folder.number_after(said.substr(clock, said.find('\n', clock) - clock), "': ", "the clock")});
}

std::optional<PlacedClock> placed_in(const std::string& text) {
  if (text.rfind("ERROR: ", 0) == 0 && text.back() == '\n') return PlacedClock{0, text.substr(7, text.size() - 8)};
  const auto number = numbers_in(text, 1);
  return number ? std::optional(PlacedClock{number->front(), ""}) : std::nullopt;
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
  static const std::vector<FpgaFamily> families{{"ice40",
                                                 "synth_ice40 -dsp -top datapath",
                                                 {"SB_LUT4"},
                                                 {"SB_CARRY"},
                                                 {"SB_MAC16"},
                                                 "nextpnr-ice40",
                                                 "--hx8k --package ct256 --seed 1 --timing-allow-fail",
                                                 "synth_ice40"},
                                                {"xilinx",
                                                 "synth_xilinx -family xc7 -noiopad -noclkbuf -top datapath",
                                                 {"LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6"},
                                                 {"CARRY4"},
                                                 {"DSP48E1"},
                                                 "",
                                                 "",
                                                 ""}};
  return families;
}

std::optional<std::string> placer_version(const FpgaFamily& family) {
  if (family.placer.empty()) return std::nullopt;
  const auto said = said_by({family.placer, "--version"});
  return said ? std::optional(said->substr(0, said->find('\n'))) : std::nullopt;
}

PlacedClock placed_clock(const Plan& plan, const FpgaFamily& family, const std::string& placer,
                         const Synthesis& synthesis) {
  const GateQuestion question{placed_sv(export_sv(plan, gates_top), plan.d.stored_bits), placing_script(family, placer),
                              "", read_placed, [](const std::string& kept) { return placed_in(kept).has_value(); }};
  return *placed_in(answer_to(question, synthesis).text);
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
