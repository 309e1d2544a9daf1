// The draft of a DUT file, from the ports of a module.
#include "tb/devices/rtl/draft.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

RtlPort in(const std::string& name, int width, int elements = 0) { return {name, true, width, elements}; }
RtlPort out(const std::string& name, int width) { return {name, false, width, 0}; }

TEST(DutDraft, GuessesFromNamesAndMarksWhatItCannotKnow) {
  const std::vector<RtlPort> ports{in("a_i", 256),        in("b_vec_i", 16, 16), in("acc_i", 32),
                                   in("clk_i", 1),        in("fmt_i", 3),        out("flags_o", 5),
                                   in("in_valid_i", 1),   out("in_ready_o", 1),  in("out_ready_i", 1),
                                   out("out_valid_o", 1), out("result_o", 32),   in("rst_ni", 1)};
  EXPECT_EQ(dut_draft({"pkg.sv", "unit.sv"}, "unit", ports),
            R"(# Lines that end in `?` are guesses; what stands in <> only you can tell. docs/rtl.md explains each key.
instruction: <ARCHITECTURE:INSTRUCTION, or datapath: FILE>
sources:
  - pkg.sv
  - unit.sv
top: unit
clock: clk_i
reset: {port: rst_ni, active: low}  # ?
handshake: {kind: valid_ready, in_valid: in_valid_i, in_ready: in_ready_o, out_valid: out_valid_o, out_ready: out_ready_i}  # ?
ports:
  a: {port: a_i, width: <BITS OF AN ELEMENT>}  # ? 256 bits in all
  b: {port: "b_vec_i[]", width: 16}  # ? 16 elements
  c: acc_i  # ? 32 bits
  d: result_o  # ? 32 bits
constants:  # every other input
  fmt_i: <HEXADECIMAL VALUE>  # 3 bits
# Outputs not named above, which may be probes (`probes: {places: {PLACE: PORT}}`):
#   flags_o: 5 bits
)");
}

TEST(DutDraft, KnowsWhatElseACaseBringsByItsPort) {
  const std::string draft =
      dut_draft({"u.sv"}, "u",
                {in("a_i", 32), in("b_i", 32), in("c_i", 32), in("operand_tensor_i", 32), in("operand_zero_a_i", 8),
                 in("scale_a_i", 8), in("scale_b", 8, 4), out("d_o", 32)});
  EXPECT_NE(draft.find(R"(ports:
  a: {port: a_i, width: <BITS OF AN ELEMENT>}  # ? 32 bits in all
  b: {port: b_i, width: <BITS OF AN ELEMENT>}  # ? 32 bits in all
  c: c_i  # ? 32 bits
  d: d_o  # ? 32 bits
  tensor: {port: operand_tensor_i, width: <BITS OF AN ELEMENT>}  # ? 32 bits in all
  zero_a: {port: operand_zero_a_i, width: <BITS OF AN ELEMENT>}  # ? 8 bits in all
  scale_a: {port: scale_a_i, width: <BITS OF AN ELEMENT>}  # ? 8 bits in all
  scale_b: {port: "scale_b[]", width: 8}  # ? 4 elements
)"),
            std::string::npos)
      << draft;
}

TEST(DutDraft, KnowsTheOtherHandshakes) {
  const auto draft = [](const std::vector<RtlPort>& ports) { return dut_draft({"u.sv"}, "u", ports); };
  EXPECT_NE(draft({in("a", 8), out("d", 8)}).find("handshake: combinational\n"), std::string::npos);
  EXPECT_NE(draft({in("clock", 1), in("reset", 1), in("vld_in", 1), out("vld_out", 1)})
                .find("reset: {port: reset, active: high}  # ?\nhandshake: {kind: valid, in_valid: vld_in, out_valid: "
                      "vld_out}  # ?\n"),
            std::string::npos);
  EXPECT_NE(
      draft({in("clk", 1), in("en", 1)}).find("handshake: {kind: fixed_latency, latency: <CLOCK EDGES>, enable: en}\n"),
      std::string::npos);
}

}  // namespace
}  // namespace assay
