// RTL against core: the same d and the same bits at every place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "tb/devices/rtl/export_sv.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t seed = 20;

fs::path dut_file(const std::string& name) { return source_folder() / "configs/dut" / (name + ".yaml"); }

std::string listed(const Comparison& result) {
  std::string text;
  for (const std::string& line : result.details) text += line + "\n";
  return text;
}

TEST(RtlEquality, TheCommittedWiringEqualsCoreEverywhere) {
  const Plan plan = plan_of_unit(committed_unit());
  const auto device = start_rtl(read_dut_file(dut_file("fused_f25_f16").string()), plan);
  ASSERT_TRUE(device->offers_trace());
  const Comparison result = compare_with_core(plan, *device, generated_cases(plan, seed, 4000));
  EXPECT_EQ(result.cases, 4000u);
  EXPECT_EQ(result.same, result.cases) << listed(result);
}

// Every pair of awkward codes in every role: as a[i] x b[i] beside an ordinary product, and as c.
TEST(RtlEquality, AwkwardCodesInEveryRole) {
  const Plan plan = plan_of_unit(committed_unit());
  const std::vector<Code> halves{0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00,
                                 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfc01};
  const std::vector<Code> singles{0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000,
                                  0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xff800001};
  std::vector<Case> cases;
  for (const Code a : halves) {
    for (const Code b : halves) {
      for (const Code c : singles) {
        Case one;
        one.number = cases.size();
        one.a.assign(16, 0);
        one.b.assign(16, 0);
        one.a[cases.size() % 16] = a;
        one.b[cases.size() % 16] = b;
        one.c = c;
        cases.push_back(one);
      }
    }
  }
  const auto device = start_rtl(read_dut_file(dut_file("fused_f25_f16").string()), plan);
  const Comparison result = compare_with_core(plan, *device, cases);
  EXPECT_EQ(result.cases, 14u * 14u * 13u);
  EXPECT_EQ(result.same, result.cases) << listed(result);
}

TEST(RtlEquality, TheFaultyTwinDiffersFirstWhereItIsBroken) {
  const Plan plan = plan_of_unit(committed_unit());
  const auto device = start_rtl(read_dut_file(dut_file("fused_f25_f16_fault_align").string()), plan);
  const Comparison result = compare_with_core(plan, *device, generated_cases(plan, seed, 4000));
  EXPECT_EQ(result.cases, 4000u);
  EXPECT_GE(result.first.size(), 100u);
  const auto broken = static_cast<std::size_t>(plan.find_place("step[0].sum.align[5]"));
  for (const std::size_t place : result.first) ASSERT_EQ(plan.places[place].name, plan.places[broken].name);
}

TEST(RtlEquality, RecordedSilicon) {
  const char* shared = std::getenv("ASSAY_SHARED");
  const fs::path folder = shared != nullptr ? fs::path(shared) : source_folder().parent_path() / "shared";
  const fs::path file = folder / "captured/h100_fp16_fp32.jsonl";
  if (!fs::exists(file)) GTEST_SKIP() << "There is no " << file << "; set ASSAY_SHARED to the folder with captured/.";
  const Plan plan = plan_of_unit(committed_unit());
  VectorReader reader(file.string());
  std::vector<Case> cases(200);
  for (Case& one : cases) ASSERT_TRUE(reader.next(case_shape(plan, reader.header().pad), one));
  const auto device = start_rtl(read_dut_file(dut_file("fused_f25_f16").string()), plan);
  const std::vector<Answer> answers = device->run(cases, false);
  ASSERT_EQ(answers.size(), 200u);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i].ok()) << answers[i].error;
    EXPECT_EQ(answers[i].d, *cases[i].d) << "case " << i;
  }
}

// The committed wiring behind ports laid out in every other way that a DUT file can say.
TEST(RtlEquality, AnotherLayoutOfPorts) {
  const Plan plan = plan_of_unit(committed_unit());
  const fs::path folder = scratch_folder();
  write_text(folder / "turned.sv", R"(
module turned #(parameter int Unused = 0) (
  input  logic         enable_i,
  input  logic [127:0] wide_i,
  input  logic [258:0] a_i,
  input  logic [255:0] b_i,
  input  logic [39:0]  packed_i,
  output logic [63:0]  result_o,
  output logic [1:0]   special_o,
  output logic [475:0] align_o
);
  logic [255:0]  a, b;
  logic [1760:0] probe;
  for (genvar i = 0; i < 16; i++) begin : gen_turn
    assign a[16*i +: 16] = a_i[3 + 16*(15-i) +: 16];
    assign b[16*i +: 16] = b_i[16*(15-i) +: 16];
  end
  assign result_o[63:36] = '1;
  assign result_o[3:0]   = `LOW_BITS;
  dot_fused_f25_f16 u_dot (
    .a_i(a), .b_i(b), .c_i(enable_i && wide_i == 128'h123456789 ? packed_i[35:4] : '1),
    .d_o(result_o[35:4]), .probe_o(probe)
  );
  assign special_o = probe[1140:1139];
  assign align_o   = probe[1625:1150];
endmodule
)");
  std::string text = read_text(dut_file("fused_f25_f16"));
  std::string::size_type at = 0;
  while ((at = text.find("../../", at)) != std::string::npos) text.replace(at, 6, source_folder().string() + "/");
  text = text.substr(0, text.find("top:"));
  text += R"(  - turned.sv
defines: {LOW_BITS: "4'd9"}
parameters: {Unused: "3"}
options: [-Wno-UNUSED]
top: turned
handshake: combinational
ports:
  a: {port: a_i, width: 16, offset: 3, order: descending}
  b: {port: b_i, width: 16, order: descending}
  c: packed_i[35:4]
  d: result_o[35:4]
constants: {enable_i: 1, wide_i: 123456789}
probes:
  places:
    step[0].special: special_o
    step[0].sum.align[5]: align_o[167:140]
)";
  write_text(folder / "turned.yaml", text);
  const auto device = start_rtl(read_dut_file((folder / "turned.yaml").string()), plan);
  const std::vector<Case> cases = generated_cases(plan, seed, 500);
  const std::vector<Answer> answers = device->run(cases, true);
  ASSERT_EQ(answers.size(), cases.size());
  Registers registers;
  Trace expected(plan);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Code d = dot(plan, cases[i].operand(), registers, &expected);
    ASSERT_TRUE(answers[i].ok()) << answers[i].error;
    ASSERT_EQ(answers[i].d, d) << "case " << i;
    for (const char* name : {"step[0].special", "step[0].sum.align[5]"}) {
      const int place = plan.find_place(name);
      ASSERT_NE(answers[i].traced[static_cast<std::size_t>(place)], 0) << name;
      ASSERT_TRUE(answers[i].trace->same(place, expected)) << name << ", case " << i;
    }
  }
}

// --- pipelined ---

const Unit& unit_called(const std::string& name) {
  for (const Unit& unit : units()) {
    if (unit.name == name) return unit;
  }
  throw std::runtime_error(name + " is no unit.");
}

// Two steps and groups side by side, stalled on both sides at random.
TEST(PipelinedRtl, EqualsCoreEverywhere) {
  const Plan plan = plan_of_unit(unit_called("dot_even_odd"));
  const fs::path folder = scratch_folder();
  write_text(folder / "dot.sv", export_sv(plan, "dot", ExportTiming::pipelined));
  write_text(folder / "dut.yaml", dut_text(folder, "dot", plan, ExportTiming::pipelined));
  const auto device = start_rtl(read_dut_file((folder / "dut.yaml").string()), plan);
  const Comparison result = compare_with_core(plan, *device, generated_cases(plan, seed, 2000));
  EXPECT_EQ(result.cases, 2000u);
  EXPECT_EQ(result.same, result.cases) << listed(result);
}

// Zero points, scales of one side and random words, which a DUT file names as a case does; operands change as soon as
// they are taken.
TEST(PipelinedRtl, FurtherOperandsOfACaseReachTheirPorts) {
  const Plan plan = plan_of_text(R"(
name: brought
k: 4
operands:
  a: bf16
  b: i4
  c: f32
  d: bf16
  zero_b: {format: u4, block: 2}
  scales: {scale_b: {of: b, format: bf16, block: 2, at: operand}, tensor: {of: a, format: f16, at: sum}}
specials: step
factors: {b: {round: {format: bf16, cut: nearest_even}}}
adders:
  - name: sum
    add: {product: {keep: 24, cut: toward_zero}, acc: {keep: 24, cut: toward_zero}}
    result: [{format: d, cut: stochastic_a, random_bits: 9}]
)");
  const fs::path folder = scratch_folder();
  write_text(folder / "dot.sv", export_sv(plan, "dot", ExportTiming::pipelined));
  write_text(folder / "dut.yaml", dut_text(folder, "dot", plan, ExportTiming::pipelined));
  const auto device = start_rtl(read_dut_file((folder / "dut.yaml").string()), plan);
  const Comparison result = compare_with_core(plan, *device, generated_cases(plan, seed, 2000));
  EXPECT_EQ(result.cases, 2000u);
  EXPECT_EQ(result.same, result.cases) << listed(result);
}

// A tile that gets the n-th case in its element n mod 6, and other codes everywhere else. TILE, CODES (bits of a row of
// A), SCALES (of its scales) and CUTS stand for what the tests put there.
constexpr const char* tile_in_turns = R"(
module turns #(
  parameter logic [CUTS-1:0] Registers = {CUTS{1'b1}}
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              valid_i,
  output logic              ready_o,
  output logic              valid_o,
  input  logic              ready_i,
  input  logic [CODES-1:0]  a_i,
  input  logic [CODES-1:0]  b_i,
  input  logic [31:0]       c_i,
  input  logic [SCALES-1:0] scale_a_i,
  input  logic [SCALES-1:0] scale_b_i,
  output logic [31:0]       d_o,
  output logic [3:0]        flags_o
);
  logic [2:0]          in, out;
  logic [23:0]         flags;
  logic [2*CODES-1:0]  a;
  logic [3*CODES-1:0]  b;
  logic [2*SCALES-1:0] scale_a;
  logic [3*SCALES-1:0] scale_b;
  logic [191:0]        c, d;
  for (genvar i = 0; i < 2; i++) begin : gen_row
    assign a[CODES*i +: CODES]         = (in / 3'd3 == i) ? a_i : ~a_i;
    assign scale_a[SCALES*i +: SCALES] = (in / 3'd3 == i) ? scale_a_i : ~scale_a_i;
  end
  for (genvar j = 0; j < 3; j++) begin : gen_column
    assign b[CODES*j +: CODES]         = (in % 3'd3 == j) ? b_i : ~b_i;
    assign scale_b[SCALES*j +: SCALES] = (in % 3'd3 == j) ? scale_b_i : ~scale_b_i;
  end
  for (genvar e = 0; e < 6; e++) begin : gen_element
    assign c[32*e +: 32] = (in == e) ? c_i : ~c_i;
  end
  assign d_o = d[32*out +: 32];
  assign flags_o = flags[4*out +: 4];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in  <= '0;
      out <= '0;
    end else begin
      if (valid_i && ready_o) in  <= (in == 3'd5) ? '0 : in + 3'd1;
      if (valid_o && ready_i) out <= (out == 3'd5) ? '0 : out + 3'd1;
    end
  end

  TILE #(
    .M(2), .N(3), .ABits(CODES), .BBits(CODES), .CBits(32), .DBits(32), .Cuts(CUTS), .Registers(Registers)
  ) u_mma (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid_i), .ready_o(ready_o), .a_i(a), .b_i(b), .c_i(c),
    .valid_o(valid_o), .ready_i(ready_i), .d_o(d)
  );
endmodule
)";

std::string with(std::string text, const std::string& word, const std::string& put) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += put.size())
    text.replace(at, word.size(), put);
  return text;
}

struct TileOf {
  std::string name, tile, datapath;
  int codes, scales, cuts;
  std::string registers;
  bool flags = false;
};

constexpr const char* flag_probes = R"(
probes:
  places:
    flags.invalid: "flags_o[0]"
    flags.overflow: "flags_o[1]"
    flags.underflow: "flags_o[2]"
    flags.inexact: "flags_o[3]"
)";

void PrintTo(const TileOf& tile, std::ostream* out) { *out << tile.name; }

std::string turns_text(const TileOf& tile) {
  std::string text = tile_in_turns;
  text = with(text, ".d_o(d)", tile.flags ? ".d_o(d), .flags_o(flags)" : ".d_o(d)");
  if (!tile.flags) text = with(text, "assign flags_o", "assign flags = '0;\n  assign flags_o");
  if (tile.scales > 0) {
    text = with(text, ".CBits(32)", ".CBits(32), .ScaleBits(SCALES)");
    text = with(text, ".c_i(c),", ".c_i(c), .scale_a_i(scale_a), .scale_b_i(scale_b),");
  }
  text = with(with(text, "TILE", tile.tile), "CODES", std::to_string(tile.codes));
  return with(with(text, "SCALES", std::to_string(std::max(1, tile.scales))), "CUTS", std::to_string(tile.cuts));
}

class Tile : public testing::TestWithParam<TileOf> {};

TEST_P(Tile, EveryElementEqualsCore) {
  const TileOf& tile = GetParam();
  const Plan plan = plan_of_text(tile.datapath);
  const fs::path folder = scratch_folder();
  write_text(folder / "assay_dot.sv", export_sv(plan, "assay_dot", ExportTiming::pipelined));
  write_text(folder / "turns.sv", turns_text(tile));
  std::string text = dut_text(folder, "turns", plan, ExportTiming::pipelined);
  const std::string file = (source_folder() / "rtl_ref" / (tile.tile + ".sv")).string();
  text.insert(text.find("include_dirs:"), "  - " + file + "\n  - " + (folder / "assay_dot.sv").string() + "\n");
  text.erase(text.find("probes:"), text.find("clock:") - text.find("probes:"));
  if (tile.scales == 0) text += "constants: {scale_a_i: 0, scale_b_i: 0}\n";
  text += "options: [-Wno-WIDTH, -Wno-UNUSED]\nparameters: {Registers: \"" + tile.registers + "\"}\n";
  if (tile.flags) text += flag_probes;
  write_text(folder / "dut.yaml", text);
  const auto device = start_rtl(read_dut_file((folder / "dut.yaml").string()), plan);
  const std::vector<Case> cases = generated_cases(plan, seed, 3000);
  const std::vector<Answer> answers = device->run(cases, tile.flags);
  ASSERT_EQ(answers.size(), cases.size());
  Registers registers;
  Trace expected(plan);
  const int flags = plan.find_place("flags.invalid");
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i].ok()) << answers[i].error;
    ASSERT_EQ(answers[i].d, dot(plan, cases[i].operand(), registers, &expected)) << "case " << i;
    for (int flag = 0; tile.flags && flag < 4; ++flag)
      ASSERT_TRUE(expected.same(flags + flag, *answers[i].trace)) << "case " << i << ", flag " << flag;
  }
}

constexpr const char* small = R"(
name: small
like: fused_f25
k: 4
operands: {a: f16, b: f16, c: f32, d: f32}
)";

constexpr const char* small_scaled = R"(
name: small_scaled
like: group_scaled_f35
k: 8
operands: {a: e2m1, b: e2m1, c: f32, d: f32, scale: {format: ue4m3, block: 4}}
k_order: {step: {terms: 8}}
adders:
  - name: groups
    group: {terms: 4}
)";

constexpr const char* small_with_flags = R"(
name: small_with_flags
k: 4
operands: {a: f16, b: f16, c: f32, d: f32}
specials: step
flags: {of: all, tiny: after}
adders:
  - name: sum
    add: {product: {keep: 25, cut: toward_zero}, acc: {keep: 25, cut: toward_zero}}
    result: [{format: d, cut: nearest_even}]
)";

// Registers after multiplication and reduction, or at the end alone.
INSTANTIATE_TEST_SUITE_P(
    Tiles, Tile,
    testing::Values(TileOf{"Twice", "assay_mma", small, 64, 0, 4, "4'b0101"},
                    TileOf{"Once", "assay_mma", small, 64, 0, 4, "4'b1000"},
                    TileOf{"Scaled", "assay_mma_scaled", small_scaled, 32, 16, 6, "6'b010011"},
                    TileOf{"Flagged", "assay_mma_flags", small_with_flags, 64, 0, 4, "4'b0110", true},
                    TileOf{"ScaledFlagged", "assay_mma_scaled_flags",
                           std::string(small_scaled) + "flags: {of: d, tiny: before}\n", 32, 16, 6, "6'b010011", true}),
    [](const auto& tile) { return tile.param.name; });

}  // namespace
}  // namespace assay
