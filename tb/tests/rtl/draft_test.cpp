// The draft of a DUT file, from the ports of a module.
#include "tb/devices/rtl/draft.hpp"

#include <gtest/gtest.h>

#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

RtlPort in(const std::string& name, int width, int elements = 0) { return {name, true, width, elements}; }
RtlPort out(const std::string& name, int width) { return {name, false, width, 0}; }

std::string drafted(const std::vector<std::string>& sources, const std::string& top,
                    const std::vector<RtlPort>& ports) {
  Dut dut;
  dut.sources = sources;
  dut.top = top;
  return dut_draft(dut, ports);
}

TEST(DutDraft, GuessesFromNamesAndMarksWhatItCannotKnow) {
  const std::vector<RtlPort> ports{in("a_i", 256),        in("b_vec_i", 16, 16), in("acc_i", 32),
                                   in("clk_i", 1),        in("fmt_i", 3),        out("flags_o", 5),
                                   in("in_valid_i", 1),   out("in_ready_o", 1),  in("out_ready_i", 1),
                                   out("out_valid_o", 1), out("result_o", 32),   in("rst_ni", 1)};
  EXPECT_EQ(drafted({"pkg.sv", "unit.sv"}, "unit", ports),
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
      drafted({"u.sv"}, "u",
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

// No operand of a claim is left out in silence: the draft would look complete and not run.
TEST(DutDraft, MarksWhatTheClaimBringsAndNoPortIsCalled) {
  const Plan plan = plan_of_text(
      "name: m\nlike: fused_f25\nk: 4\noperands: {a: f16, b: i4, c: f32, d: f32, mask: {}, zero_b: {format: i4, "
      "block: 2}}\n");
  const DraftClaim claim{"datapath: m.yaml", plan};
  Dut dut;
  dut.sources = {"u.sv"};
  dut.top = "u";
  const auto draft = [&](const char* mask) {
    return dut_draft(dut, {in("a_i", 64), in("b_i", 16), in("c_i", 32), in(mask, 4), out("d_o", 32)}, &claim);
  };
  EXPECT_NE(draft("sel_i").find("  zero_b: {port: <PORT>, width: 4}\n"), std::string::npos) << draft("sel_i");
  EXPECT_NE(draft("sel_i").find("  mask: {port: <PORT>, width: 1}\n"), std::string::npos);
  EXPECT_NE(draft("mask_i").find("  mask: {port: mask_i, width: 1}  # ? 4 bits in all\n"), std::string::npos)
      << draft("mask_i");
}

// Widths alone tell a tile; how its elements lie they do not.
TEST(DutDraft, KnowsATileByItsWidths) {
  const Plan plan = plan_of_text("name: m\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  const DraftClaim claim{"datapath: m.yaml", plan};
  Dut dut;
  dut.sources = {"u.sv"};
  dut.top = "u";
  const auto draft = [&](int a, int b, int c, int d) {
    return dut_draft(dut, {in("a_i", a), in("b_i", b), in("c_i", c), out("d_o", d)}, &claim);
  };
  const std::string square = draft(128, 192, 192, 192);
  EXPECT_NE(square.find(R"(tile: {rows: 2, columns: 3}  # ?
ports:
  a: {port: a_i, width: 16, by: <row, or element>}  # ? 128 bits in all
  b: {port: b_i, width: 16, by: <column, or element>}  # ? 192 bits in all
  c: {port: c_i, width: 32, by: <row, or column>}  # ? 192 bits in all
  d: {port: d_o, width: 32, by: <row, or column>}  # ? 192 bits in all
)"),
            std::string::npos)
      << square;
  const std::string row = draft(64, 192, 96, 96);
  EXPECT_NE(row.find("  a: {port: a_i, width: 16}  # ? 64 bits in all\n"), std::string::npos) << row;
  EXPECT_NE(row.find("  d: {port: d_o, width: 32}  # ? 96 bits in all\n"), std::string::npos) << row;
  for (const std::string& other :
       {draft(64, 64, 32, 32), draft(128, 192, 192, 32), draft(128, 192, 64, 192), draft(120, 192, 192, 192)})
    EXPECT_EQ(other.find("tile:"), std::string::npos) << other;
}

TEST(DutDraft, KnowsTheOtherHandshakes) {
  const auto draft = [](const std::vector<RtlPort>& ports) { return drafted({"u.sv"}, "u", ports); };
  EXPECT_NE(draft({in("a", 8), out("d", 8)}).find("handshake: combinational\n"), std::string::npos);
  EXPECT_NE(draft({in("clock", 1), in("reset", 1), in("vld_in", 1), out("vld_out", 1)})
                .find("reset: {port: reset, active: high}  # ?\nhandshake: {kind: valid, in_valid: vld_in, out_valid: "
                      "vld_out}  # ?\n"),
            std::string::npos);
  EXPECT_NE(
      draft({in("clk", 1), in("en", 1)}).find("handshake: {kind: fixed_latency, latency: <CLOCK EDGES>, enable: en}\n"),
      std::string::npos);
}

// A sign and a length stand beside the vectors; a and b are those that are named and as wide as each other.
TEST(DutDraft, PrefersPortsThatPairUp) {
  const std::string draft = drafted(
      {"u.sv"}, "u",
      {in("a_len_i", 4), in("a_sign_i", 16), in("a_vec_i", 256), in("b_bias_i", 8), in("b_sign_i", 16),
       in("b_vec_i", 256), in("c_i", 32), in("cfg_valid_i", 1), in("clk_i", 1), in("op_valid_i", 1),
       out("op_ready_o", 1), out("d_o", 32), in("res_ready_i", 1), out("dbg_valid_o", 1), out("res_valid_o", 1)});
  EXPECT_NE(draft.find("  a: {port: a_vec_i, width"), std::string::npos) << draft;
  EXPECT_NE(draft.find("  b: {port: b_vec_i, width"), std::string::npos) << draft;
  EXPECT_NE(draft.find("handshake: {kind: valid_ready, in_valid: op_valid_i, in_ready: op_ready_o, out_valid: "
                       "res_valid_o, out_ready: res_ready_i}  # ?\n"),
            std::string::npos)
      << draft;
  EXPECT_NE(draft.find("  cfg_valid_i: <HEXADECIMAL VALUE>"), std::string::npos) << draft;
  EXPECT_NE(draft.find("#   dbg_valid_o: 1 bit"), std::string::npos) << draft;
}

// Ports that fit no handshake are still named.
TEST(DutDraft, DropsNoPortOfAHandshake) {
  const std::string half = drafted({"u.sv"}, "u", {in("clk", 1), in("in_valid", 1), out("in_ready", 1), out("d", 32)});
  EXPECT_NE(half.find("handshake: {kind: fixed_latency, latency: <CLOCK EDGES>}  # ? or valid, valid_ready with "
                      "in_valid\n"),
            std::string::npos)
      << half;
  EXPECT_NE(half.find("  in_valid: <HEXADECIMAL VALUE>"), std::string::npos) << half;
  EXPECT_NE(half.find("#   in_ready: 1 bit"), std::string::npos) << half;
  const std::string most =
      drafted({"u.sv"}, "u", {in("clk", 1), in("in_valid", 1), out("out_valid", 1), in("out_ready", 1), out("d", 32)});
  EXPECT_NE(most.find("handshake: {kind: valid, in_valid: in_valid, out_valid: out_valid}  # ? without out_ready\n"),
            std::string::npos)
      << most;
  EXPECT_NE(most.find("  out_ready: <HEXADECIMAL VALUE>"), std::string::npos) << most;
}

TEST(DutDraft, KeepsWhatTheModuleWasReadWith) {
  Dut dut;
  dut.sources = {"my unit.sv"};
  dut.include_dirs = {"include"};
  dut.defines = {{"SYNTHESIS", ""}};
  dut.parameters = {{"TERMS", "8"}, {"REGISTERS", "4'b0101"}};
  dut.options = {"-f", "files.f"};
  dut.top = "u";
  const std::string draft = dut_draft(dut, {});
  EXPECT_NE(draft.find(R"(sources:
  - "my unit.sv"
include_dirs:
  - include
defines:
  SYNTHESIS: ""
parameters:
  TERMS: 8
  REGISTERS: "4'b0101"
options:
  - "-f"
  - files.f
top: u
)"),
            std::string::npos)
      << draft;
}

}  // namespace
}  // namespace assay
