#include "tb/devices/rtl/export_dut.hpp"

#include <fmt/format.h>

#include "model/config/home.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

constexpr const char* handshake_of_registers = R"(clock: clk_i
reset: {port: rst_ni, active: low}
handshake: {kind: valid_ready, in_valid: valid_i, in_ready: ready_o, out_valid: valid_o, out_ready: ready_i}
)";

std::string port_line(const std::string& operand, const std::string& port, const Format& format) {
  return fmt::format("  {}: {{port: {}, width: {}}}\n", operand, port, format.stored_bits);
}

std::string ports(const Plan& plan) {
  std::string lines = port_line("a", "a_i", plan.a) + port_line("b", "b_i", plan.b) + "  c: c_i\n  d: d_o\n";
  const std::size_t of_pair = plan.scale ? 2 : 0;
  const std::vector<ListOperand> further = further_operands(plan);
  for (std::size_t i = 0; i < further.size(); ++i)
    lines += port_line(further[i].name, (i < of_pair ? "" : "operand_") + further[i].name + "_i", further[i].format);
  return lines;
}

}  // namespace

std::string export_dut(const Plan& plan, const ExportedWiring& wiring) {
  const std::string blocks = home() + "/rtl_ref";
  const bool pipelined = wiring.timing == ExportTiming::pipelined;
  return wiring.claim + "\nsources:\n  - " + json_string(blocks + "/assay_pkg.sv") + "\n  - " +
         json_string(wiring.file) + "\ninclude_dirs: [" + json_string(blocks) + "]\ntop: " + wiring.module +
         "\nports:\n" + ports(plan) + "probes: {port: probe_o, layout: plan}\n" +
         (pipelined ? handshake_of_registers : "handshake: combinational\n");
}

}  // namespace assay
