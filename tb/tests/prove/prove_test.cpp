// Whole proofs: units that are right are proved, what is planted is refuted, and what is no proof is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "model/base/error.hpp"
#include "model/base/files.hpp"
#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/prove/report.hpp"
#include "tb/source/model_sv.hpp"
#include "tb/subject/subject.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* wide = "name: eight\nlike: fused_f25\nk: 1\noperands: {a: e4m3, b: e4m3, c: f32, d: f32}\n";

// The same with a sum of 11 bits: what a proof says of a unit does not hang on its width, but its minutes do.
constexpr const char* eight_bits = R"(
name: eight
specials: step
nan: 7fffffff
k: 1
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
adders:
  - name: sum
    add: {product: {keep: 11, cut: toward_zero}, acc: {keep: 11, cut: toward_zero}}
    window: {exponent: largest, floor: -133}
    result: [{format: f32, cut: toward_zero, overflow: infinity, minus_zero: never}]
)";

// What rounds the rounded sum again counts on its leading one.
constexpr const char* twice_rounded = R"(
name: twice_rounded
k: 4
operands: {a: e2m1, b: e2m1, c: e4m3fnuz, d: e4m3fnuz}
specials: step
nan: 80
adders:
  - name: sum
    add: {product: {keep: 13, cut: down}, acc: {keep: 11, cut: nearest_away}}
    result: [{at: leading_one, keep: 9, cut: up, least_exponent: -8}, {format: d, cut: nearest_away, overflow: largest}]
)";

bool has_yosys() { return said_by({"yosys", "-V"}).has_value(); }
#define NEEDS_YOSYS \
  if (!has_yosys()) GTEST_SKIP() << "yosys reads the RTL of these proofs and is not installed here."

struct Change {
  std::string is, becomes;
};

// A proof ends as soon as it is done: on a machine that others keep busy, it may take ten times as long.
constexpr int most_seconds = 1200;

// A unit as export-sv wires it, with changes to its text, and the lines that end its DUT file.
class UnitFile {
 public:
  explicit UnitFile(const std::string& datapath, const std::vector<Change>& changes = {},
                    const std::string& probes = "probes: {port: probe_o, layout: plan}\n")
      : plan(plan_of_text(datapath)), folder_(std::make_shared<Scratch>()) {
    std::string text = export_sv(plan, "unit");
    for (const Change& change : changes) {
      EXPECT_NE(text.find(change.is), std::string::npos) << change.is;
      text = replaced(text, change.is, change.becomes);
    }
    write(text, "handshake: combinational\n" + probes);
  }
  UnitFile(const std::string& datapath, const std::string& text, const std::string& rest)
      : plan(plan_of_text(datapath)), folder_(std::make_shared<Scratch>()) {
    write(text, rest);
  }

  Proof prove(const ProofOptions& options = {most_seconds, 2, 4096, false}) const try {
    return proof(options);
  } catch (const Error& error) {
    throw std::runtime_error(error.message);  // one that GoogleTest can print
  }
  Proof prove(const Simulated& simulated) const try {
    const Dut unit = dut();
    return assay::prove({unit, unit.claims.front(), simulated}, plan, {most_seconds, 2, 4096, false}, nullptr);
  } catch (const Error& error) {
    throw std::runtime_error(error.message);
  }
  std::string refusal() const try {
    proof({most_seconds, 2, 4096, false});
    return "";
  } catch (const Error& error) {
    return replaced(error.message, (folder_->path() / "unit.yaml").string(), "unit.yaml");
  }
  std::string text(const Proof& proof) const {
    return proof_text({"rtl:unit.yaml", "unit", "--datapath unit"}, plan, proof);
  }

  // The same unit, changed in its text.
  const UnitFile& with(const Change& change) const {
    const std::string text = read_text(folder_->path() / "unit.sv");
    EXPECT_NE(text.find(change.is), std::string::npos) << change.is;
    write_text(folder_->path() / "unit.sv", replaced(text, change.is, change.becomes));
    return *this;
  }
  // @ stands for the unit's folder.
  void prepend(const std::string& text) const {
    const std::string own = read_text(folder_->path() / "unit.sv");
    write_text(folder_->path() / "unit.sv", text + replaced(own, "@", folder_->path().string()));
  }
  void write_beside(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_->path() / name).parent_path());
    write_text(folder_->path() / name, text);
  }

  // The operands are this unit's.
  Proof prove_same_as(const UnitFile& reference) const try {
    const Dut unit = dut(), expected = reference.dut();
    return prove_same({unit, unit.claims.front()}, {expected, expected.claims.front()}, plan,
                      {most_seconds, 2, 4096, false}, nullptr);
  } catch (const Error& error) {
    throw std::runtime_error(error.message);
  }
  std::string text_beside(const Proof& proof) const {
    return proof_text({"rtl:unit.yaml", "unit", "--datapath unit", {}, "rtl:other.yaml"}, plan, proof);
  }

  Dut dut() const { return read_dut_file((folder_->path() / "unit.yaml").string()); }

  Plan plan;

 private:
  Proof proof(const ProofOptions& options) const {
    const Dut unit = dut();
    return assay::prove({unit, unit.claims.front()}, plan, options, nullptr);
  }
  void write(const std::string& sv, const std::string& rest) const {
    write_text(folder_->path() / "unit.sv", sv);
    const std::string rtl = (source_folder() / "rtl_ref").string();
    const auto width = [](int bits) { return std::to_string(bits); };
    write_text(folder_->path() / "unit.yaml",
               "instruction: \"*\"\nsources: [" + rtl + "/assay_pkg.sv, unit.sv]\ninclude_dirs: [" + rtl +
                   "]\ntop: unit\nports:\n  a: {port: a_i, width: " + width(plan.a.stored_bits) +
                   "}\n  b: {port: b_i, width: " + width(plan.b.stored_bits) + "}\n  c: c_i\n  d: d_o\n" + rest);
  }

  std::shared_ptr<Scratch> folder_;
};

const PlaceProof& at(const Proof& proof, const std::string& name) {
  for (const PlaceProof& p : proof.places) {
    if (p.name == name) return p;
  }
  ADD_FAILURE() << "there is no place " << name;
  return proof.places.front();
}

// A refuted place shows operands for which core has what it says is right, and something else is there.
void expect_shown(const UnitFile& unit, const PlaceProof& p) {
  ASSERT_EQ(p.answer, ProofAnswer::refuted) << p.name;
  ASSERT_TRUE(p.one);
  Registers registers;
  Trace expected(unit.plan);
  dot(unit.plan, p.one->operand(), registers, &expected);
  const int place = p.place >= 0 ? p.place : unit.plan.places.find("encode");
  EXPECT_EQ(p.expected, expected.at(place).hex());
  EXPECT_NE(p.got, p.expected);
}

// --- what is right ---

class Proved : public testing::TestWithParam<const char*> {};

TEST_P(Proved, ForAllOperands) {
  NEEDS_YOSYS;
  const UnitFile unit(GetParam());
  const Proof proof = unit.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
  EXPECT_EQ(proof.hidden, 0U);
  EXPECT_EQ(proof.places.size(), unit.plan.places.size() + 1);
  EXPECT_GE(proof.cases, 4096U);
}

INSTANTIATE_TEST_SUITE_P(
    Units, Proved,
    testing::Values(wide, twice_rounded,
                    "name: pairs\nlike: fused_f25\nk: 2\noperands: {a: e2m1, b: e2m1, c: f32, d: f32}\n",
                    "name: sixes\nlike: fused_f25\nk: 2\noperands: {a: e3m2, b: e2m3, c: f32, d: f32}\n"),
    [](const auto& unit) { return plan_of_text(unit.param).datapath.name; });

// Of nine addends no solver finds it: the RTL's + is read with carries that the algebra knows.
TEST(Proving, SeesThroughASumInAnotherOrder) {
  NEEDS_YOSYS;
  const UnitFile unit("name: eights\nlike: fused_f25\nk: 8\noperands: {a: e2m1, b: e2m1, c: f32, d: f32}\n");
  const Proof proof = unit.prove({most_seconds, 2, 640, false});
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
  EXPECT_EQ(at(proof, "step[0].sum.reduce").engines, "sums");
}

// The package of a model as a unit: C, which the model's gates are made of, and SystemVerilog are the same in every
// stage.
std::string unit_of_package(const Plan& plan, const std::string& package) {
  const auto port = [](const char* direction, const std::string& bits, const char* name) {
    return std::string("  ") + direction + " logic [" + bits + "-1:0] " + name;
  };
  return package + "module unit (\n" + port("input ", std::to_string(plan.k * plan.a.stored_bits), "a_i,\n") +
         port("input ", std::to_string(plan.k * plan.b.stored_bits), "b_i,\n") +
         port("input ", std::to_string(plan.c.stored_bits), "c_i,\n") +
         port("output", std::to_string(plan.d.stored_bits), "d_o,\n") +
         port("output", "unit_pkg::PlacesBits", "probe_o\n") +
         ");\n  assign d_o = unit_pkg::dot(a_i, b_i, c_i);\n  assign probe_o = unit_pkg::places(a_i, b_i, "
         "c_i);\nendmodule\n";
}

// Each step adds to what the one before it left: any accumulator, of which a proof knows its range and its kind.
TEST(Proving, GoesFromStepToStep) {
  NEEDS_YOSYS;
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Four minutes of two cores: with ASSAY_FULL=1.";
  for (const char* sizes : {"k: 12\nk_order: {step: {terms: 4}}\n", "k: 3\nk_order: {step: {terms: 1}}\n"}) {
    const UnitFile unit("name: steps\nlike: fused_f25\noperands: {a: e4m3, b: e4m3, c: f32, d: f32}\n" +
                        std::string(sizes));
    const Proof proof = unit.prove({600, 2, 20000, false});
    EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
  }
}

// Operands of which no engine tries all values, and whose product it is.
TEST(Proving, SeesThroughAProductOfFloats) {
  NEEDS_YOSYS;
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Half a minute of two cores: with ASSAY_FULL=1.";
  const UnitFile unit("name: floats\nlike: fused_f25\nk: 1\noperands: {a: f32, b: f32, c: f32, d: f32}\n");
  const Proof proof = unit.prove({600, 2, 20000, false});
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
}

// Of 53 bits each: the last carry of its sum is never set.
TEST(Proving, SeesThroughAProductOfDoubles) {
  NEEDS_YOSYS;
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "One to four minutes of two cores: with ASSAY_FULL=1.";
  const UnitFile unit(R"(
name: doubles
specials: step
nan: 7fffffffffffffff
adders:
  - name: sum
    add: {product: {keep: 54, cut: toward_zero}, acc: {keep: 54, cut: toward_zero}}
    window: {exponent: largest, floor: -1100}
    result: [{format: f64, cut: toward_zero, overflow: infinity, minus_zero: never}]
k: 1
operands: {a: f64, b: f64, c: f64, d: f64}
)");
  const Proof proof = unit.prove({600, 2, 20000, false});
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
}

constexpr const char* all_probed = "handshake: combinational\nprobes: {port: probe_o, layout: plan}\n";

std::string package_of(const Plan& plan) { return model_as_sv(plan, {"unit_pkg", "a test", "assay", "0"}); }

// yosys takes longest: one reading proves the stages before a fault and refutes the one where it is.
TEST(Proving, ThePackageIsTheModelUpToAPlantedFault) {
  NEEDS_YOSYS;
  const std::string integers = read_whole_file(source_dir() + "/docs/examples/formal/unit.yaml", 1, "a datapath");
  const Plan plan = plan_of_text(integers);
  const std::string package = package_of(plan), is = "left = low[7] ? -low : low";
  ASSERT_NE(package.find(is), std::string::npos);
  const UnitFile wrong(integers, unit_of_package(plan, replaced(package, is, "left = low")), all_probed);
  const Proof proof = wrong.prove();
  ASSERT_EQ(proof.places.size(), plan.places.size() + 1);
  for (const PlaceProof& p : proof.places) {
    const bool before = p.place >= 0 && p.place <= plan.places.find("step[0].sum.reduce");
    EXPECT_EQ(p.answer == ProofAnswer::proved, before) << p.name << "\n" << wrong.text(proof);
  }
  expect_shown(wrong, at(proof, "step[0].sum.round"));
}

TEST(Proving, ThePackageIsTheModelInEveryStage) {
  NEEDS_YOSYS;
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "A minute of one core: with ASSAY_FULL=1.";
  const std::string integers = read_whole_file(source_dir() + "/docs/examples/formal/unit.yaml", 1, "a datapath");
  for (const std::string& datapath : {std::string(eight_bits), integers}) {
    const Plan plan = plan_of_text(datapath);
    const UnitFile unit(datapath, unit_of_package(plan, package_of(plan)), all_probed);
    const Proof proof = unit.prove();
    EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
    EXPECT_EQ(proof.places.size(), plan.places.size() + 1);
  }
}

TEST(Proving, NeedsNoProbes) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits, std::vector<Change>{}, "");
  const Proof proof = unit.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
  EXPECT_EQ(proof.places.size(), 1U);
  EXPECT_EQ(proof.hidden, unit.plan.places.size());
}

// A unit of somebody else's, flags beside d: the last place is none of d.
TEST(Proving, HoldsFlagsBesideD) {
  NEEDS_YOSYS;
  const fs::path gallery = fs::path(source_dir()) / "rtl_ref/gallery/status";
  const auto read = [&](const char* name) { return read_whole_file((gallery / name).string(), 1, "a file"); };
  const std::string rest =
      "handshake: combinational\nprobes:\n  places: {flags.invalid: \"fflags_o[4]\", flags.overflow: \"fflags_o[2]\",\n"
      "           flags.underflow: \"fflags_o[1]\", flags.inexact: \"fflags_o[0]\"}\n";
  std::string text = replaced(read("status.sv"), "module status ", "module unit ");
  for (const auto& [is, becomes] :
       {std::pair("op_a_i", "a_i"), std::pair("op_b_i", "b_i"), std::pair("result_o", "d_o"),
        std::pair("(\n  input  logic [3:0] a_i,", "(\n  input  logic [3:0] c_i,\n  input  logic [3:0] a_i,")})
    text = replaced(text, is, becomes);
  const UnitFile right(read("small_product.yaml"), text, rest);
  const Proof proof = right.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << right.text(proof);
  EXPECT_EQ(proof.places.size(), 5U);

  const UnitFile wrong(read("small_product.yaml"), replaced(text, "bit Fault = 1'b0", "bit Fault = 1'b1"), rest);
  const Proof refuted = wrong.prove();
  EXPECT_EQ(refuted.unit, ProofAnswer::refuted);
  for (const PlaceProof& p : refuted.places)
    EXPECT_EQ(p.answer, p.name == "flags.underflow" ? ProofAnswer::refuted : ProofAnswer::proved) << p.name;
}

// Both ways through the circuit, one after the other.
TEST(Proving, NeedsOneThread) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits);
  const Proof proof = unit.prove({most_seconds, 1, 4096, false});
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
}

TEST(Proving, SaysWhatItRestsOn) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits);
  const Proof proof = unit.prove();
  const std::string text = unit.text(proof);
  for (const char* line :
       {"rtl:unit.yaml held to unit\n", "equal to core at every place in 4480 cases\n",
        "  multiply[0]                  proved (all 2^16 inputs; ",
        "  step[0].sum.align[0] to [1]  proved (all 2^47 inputs; ",
        "proved: for all 2^48 operands d is the model's, and so are the bits at the 12 places it shows",
        "The word for it: yosys for what the RTL says, CaDiCaL (no checker"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  const PlaceProof& align = at(proof, "step[0].sum.align[0]");
  EXPECT_EQ(align.under.count("step[0].sum.window is not below multiply[0]"), 1U) << text;
  const nlohmann::json json = proof_json({"rtl:unit.yaml", "unit", "--datapath unit"}, unit.plan, proof);
  EXPECT_EQ(json["answer"], "proved");
  EXPECT_EQ(json["operand_bits"], 48);
  EXPECT_EQ(json["places"].size(), 13U);
  EXPECT_EQ(json["places"][12]["place"], "d");
}

// --- a unit that was built otherwise ---

UnitFile second_style(const std::vector<Change>& changes = {}, int k = 4) {
  std::string text = read_whole_file((source_folder() / "tb/tests/prove/second_style.sv").string(), 1, "a file");
  text = replaced(text, "module second_style #(", "module unit #(");
  const int wider = k == 4 ? 0 : k == 8 ? 1 : 2;  // than a sum of five addends
  text = replaced(text, "int K = 4", "int K = " + std::to_string(k));
  text = replaced(text, "SumWidth = 31", "SumWidth = " + std::to_string(31 + wider));
  text = replaced(text, "SumExtra = 6'd0", "SumExtra = 6'd" + std::to_string(wider));
  for (const Change& change : changes) {
    EXPECT_NE(text.find(change.is), std::string::npos) << change.is;
    text = replaced(text, change.is, change.becomes);
  }
  std::string rest = "handshake: combinational\nprobes:\n  places:\n";
  const auto slice = [](const char* port, int width, int index) {
    return "\"" + (port + ("[" + std::to_string(width * (index + 1) - 1))) + ":" + std::to_string(width * index) +
           "]\"\n";
  };
  for (int i = 0; i < k; ++i) rest += "    multiply[" + std::to_string(i) + "]: " + slice("multiply_o", 31, i);
  for (int i = 0; i <= k; ++i) rest += "    step[0].sum.align[" + std::to_string(i) + "]: " + slice("align_o", 28, i);
  const std::string halves =
      "name: halves\nlike: fused_f25\nk: " + std::to_string(k) + "\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
  return UnitFile(halves, text, rest + "    step[0].sum.window: window_o\n    step[0].sum.reduce: reduce_o\n");
}

// Its cases alone; with ASSAY_FULL for all operands.
TEST(SecondStyle, IsNotCalledWrong) {
  NEEDS_YOSYS;
  const bool is_full = quick_or_full(0, 1) != 0;
  const UnitFile unit = second_style();
  const Proof proof = unit.prove({is_full ? 1000 : 0, 2, 1024, false});
  EXPECT_EQ(proof.places.size(), 12U);
  for (const PlaceProof& p : proof.places) EXPECT_NE(p.answer, ProofAnswer::refuted) << p.name;
  if (is_full) {
    EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
  }
}

TEST(SecondStyle, IsProvedWithManyAddends) {
  NEEDS_YOSYS;
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Three minutes of two cores: with ASSAY_FULL=1.";
  for (const int k : {8, 16}) {
    const UnitFile unit = second_style({}, k);
    const Proof proof = unit.prove({1000, 2, 1024, false});
    EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
    for (const char* place : {"step[0].sum.align[0]", "step[0].sum.reduce"})
      EXPECT_NE(at(proof, place).under.size(), 0U) << unit.text(proof);
  }
}

// It reads its window before that is biased: for one value of three operands as one more, which no case shows.
TEST(SecondStyle, IsNotProvedWhereItReadsSomethingElseThanItShows) {
  NEEDS_YOSYS;
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Two minutes: with ASSAY_FULL=1.";
  const UnitFile unit = second_style({{".distance_i(largest - exponent[9*i +: 9])",
                                       ".distance_i(largest - exponent[9*i +: 9] + "
                                       "{8'd0, {a_i[31:0], c_i} == 64'h3a51_4049_4049_0fdb})"}});
  const Proof proof = unit.prove({most_seconds, 2, 1024, false});
  EXPECT_EQ(at(proof, "multiply[3]").answer, ProofAnswer::proved) << unit.text(proof);
  for (const char* place : {"step[0].sum.align[0]", "step[0].sum.align[3]"})
    EXPECT_NE(at(proof, place).answer, ProofAnswer::proved) << unit.text(proof);
}

TEST(SecondStyle, ShowsAShifterThatLosesAStage) {
  NEEDS_YOSYS;
  const UnitFile unit = second_style({{"by8 = distance_i[3] ?", "by8 = distance_i[3] & ~distance_i[2] ?"}});
  const Proof proof = unit.prove({0, 2, 1024, false});
  EXPECT_NE(at(proof, "multiply[0]").answer, ProofAnswer::refuted);
  EXPECT_NE(at(proof, "step[0].sum.window").answer, ProofAnswer::refuted);
  expect_shown(unit, at(proof, "step[0].sum.align[0]"));
}

// --- what is wrong ---

TEST(Proving, FindsABlockThatKeepsTooLittle) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits, {{".Keep            (11)", ".Keep            (10)"}});
  const Proof proof = unit.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::refuted);
  expect_shown(unit, at(proof, "d"));
  EXPECT_EQ(at(proof, "multiply[0]").answer, ProofAnswer::proved);
  EXPECT_EQ(at(proof, "step[0].sum.window").answer, ProofAnswer::proved);
  EXPECT_NE(unit.text(proof).find("assay explain --reference model --device rtl:unit.yaml --datapath unit --a "),
            std::string::npos)
      << unit.text(proof);
}

UnitFile wrong_for_one(const std::string& which) {
  return UnitFile(eight_bits,
                  {{".code_o  (d_o)", ".code_o  (d_right)"},
                   {"  assign probe_o", "  assign d_o = d_right ^ {31'd0, " + which + "};\n  assign probe_o"},
                   {"  // encode\n", "  logic [31:0] d_right;\n  // encode\n"}});
}

// Where the unit names the operands for which it is wrong, they are a case.
TEST(Proving, TriesWhatTheUnitNames) {
  NEEDS_YOSYS;
  const UnitFile unit = wrong_for_one("{a_i, b_i, c_i} == 48'h3a51_4049_0fdb");
  const Proof proof = unit.prove();
  const PlaceProof& d = at(proof, "d");
  expect_shown(unit, d);
  EXPECT_EQ(d.engines, "cases");
  EXPECT_EQ(d.one->c, 0x40490fdbU);
}

// Wrong for one c of 2^32, which no gate names: no case shows it, a solver does.
TEST(Proving, FindsWhatNoCaseShows) {
  NEEDS_YOSYS;
  const UnitFile unit = wrong_for_one("c_i + 32'h1234_5678 == 32'h527d_6653");
  const Proof proof = unit.prove();
  const PlaceProof& d = at(proof, "d");
  expect_shown(unit, d);
  EXPECT_EQ(d.engines, "CaDiCaL");
  EXPECT_EQ(d.one->c, 0x40490fdbU);
  EXPECT_EQ(at(proof, "step[0].acc").answer, ProofAnswer::proved);
}

// What NaN and infinity decide is left out: every place before is right.
TEST(Proving, RefusesAStageThatIsLeftOut) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits, {{".number_i(step0_acc),\n    .code_o", ".number_i(step0_sum_round),\n    .code_o"}});
  const Proof proof = unit.prove();
  expect_shown(unit, at(proof, "d"));
  EXPECT_EQ(at(proof, "step[0].acc").answer, ProofAnswer::proved);
}

// A probe that shows something else is refused, though d is right.
TEST(Proving, RefusesACutInTheWrongPlace) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits, std::vector<Change>{},
                      "probes: {places: {\"decode.a[0]\": \"probe_o[11:0]\", \"decode.b[0]\": \"probe_o[11:0]\"}}\n");
  const Proof proof = unit.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::refuted);
  EXPECT_EQ(at(proof, "decode.a[0]").answer, ProofAnswer::proved);
  expect_shown(unit, at(proof, "decode.b[0]"));
  EXPECT_EQ(at(proof, "d").answer, ProofAnswer::proved);
  EXPECT_NE(unit.text(proof).find("d is right for all operands.\n"), std::string::npos);
}

// A unit that is right only where an exponent is in a range is no proof: ranges are not assumed.
TEST(Proving, AssumesNoRange) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits,
                      {{".exponent_i   (step0_sum_exponent[15:8])",
                        ".exponent_i   ({step0_sum_exponent[15] & step0_sum_exponent[14] | step0_sum_exponent[15], "
                        "step0_sum_exponent[14:8] & {7{~(c_i[30:0] == 31'h00800001)}}})"}});
  const Proof proof = unit.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::refuted) << unit.text(proof);
}

TEST(Proving, IsOpenWithoutTime) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits);
  const Proof proof = unit.prove({0, 2, 640, false});
  EXPECT_EQ(proof.unit, ProofAnswer::open);
  EXPECT_EQ(at(proof, "d").answer, ProofAnswer::open);
  EXPECT_NE(unit.text(proof).find("of 32 bits proved; "), std::string::npos);
  EXPECT_NE(unit.text(proof).find(" cases differ nowhere"), std::string::npos) << unit.text(proof);
  EXPECT_NE(unit.text(proof).find("open: "), std::string::npos);
}

TEST(Proving, SaysOnceWhatIsOpenOfNumberedPlaces) {
  NEEDS_YOSYS;
  const UnitFile unit("name: pairs\nlike: fused_f25\nk: 2\noperands: {a: e2m1, b: e2m1, c: f32, d: f32}\n");
  const std::string text = unit.text(unit.prove({0, 2, 640, false}));
  EXPECT_NE(text.find("  multiply[0] to [1]           open (6 of 11 bits "), std::string::npos) << text;
  EXPECT_EQ(text.find("  multiply[1] "), std::string::npos) << text;
}

TEST(Proving, IsHeardOfAsItGoes) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits);
  std::mutex mutex;
  std::vector<double> heard;
  ProofOptions options{most_seconds, 2, 640, false};
  options.at = [&](double seconds) {
    const std::lock_guard<std::mutex> lock(mutex);
    heard.push_back(seconds);
  };
  const Proof proof = unit.prove(options);
  ASSERT_FALSE(heard.empty());
  EXPECT_LE(*std::max_element(heard.begin(), heard.end()), proof.seconds);
}

// --- a unit held to another one ---

constexpr const char* clocked =
    "clock: clk_i\nreset: {port: rst_ni, active: low}\nhandshake: {kind: valid_ready, in_valid: valid_i, in_ready: "
    "ready_o, "
    "out_valid: valid_o, out_ready: ready_i}\nprobes: {port: probe_o, layout: plan}\n";

constexpr const char* bytes = "name: bytes\nlike: integer\nk: 1\noperands: {a: i8, b: i8, c: i32, d: i32}\n";

// The same sum in other words.
std::string unit_of_bytes(const std::string& d) {
  return "module unit (input logic signed [7:0] a_i, input logic signed [7:0] b_i, input logic signed [31:0] c_i,\n"
         "             output logic signed [31:0] d_o);\n  assign d_o = " +
         d + ";\nendmodule\n";
}

TEST(ProvingSame, NeedsNoModel) {
  NEEDS_YOSYS;
  // Both are two more than the model where c is zero.
  const std::string bug = "32'((c_i == 0) ? 2 : 0)";
  const UnitFile one(bytes, unit_of_bytes("c_i + a_i * b_i + " + bug), "handshake: combinational\n");
  const UnitFile other(bytes, unit_of_bytes("~(~c_i - a_i * b_i) + " + bug), "handshake: combinational\n");
  EXPECT_EQ(one.prove({0, 2, 4096, false}).unit, ProofAnswer::refuted);
  const Proof proof = other.prove_same_as(one);
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << other.text_beside(proof);
  EXPECT_FALSE(proof.is_of_model);
  const std::string text = other.text_beside(proof);
  for (const char* part : {"rtl:unit.yaml held to rtl:other.yaml, with the operands of unit\n",
                           "the model has no part in this\n", "proved: for all 2^48 operands d is the reference's ("})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// A pipeline and what stands in no register; of one the places are hidden.
TEST(ProvingSame, HoldsPlacesThatBothShow) {
  NEEDS_YOSYS;
  const UnitFile combinational(eight_bits);
  const UnitFile pipelined(eight_bits, export_sv(plan_of_text(eight_bits), "unit", ExportTiming::pipelined), clocked);
  const Proof both = pipelined.prove_same_as(combinational);
  EXPECT_EQ(both.unit, ProofAnswer::proved) << pipelined.text_beside(both);
  EXPECT_EQ(both.places.size(), combinational.plan.places.size() + 1);
  const UnitFile hiding(eight_bits, std::vector<Change>{}, "");
  const Proof proof = pipelined.prove_same_as(hiding);
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << pipelined.text_beside(proof);
  EXPECT_EQ(proof.places.size(), 1U);
  EXPECT_EQ(proof.hidden, combinational.plan.places.size());
}

// No case shows it, and neither side is the model.
TEST(ProvingSame, FindsOperandsThatTellThemApart) {
  NEEDS_YOSYS;
  const UnitFile one(bytes, unit_of_bytes("c_i + a_i * b_i + 1"), "handshake: combinational\n");
  const UnitFile other(bytes,
                       unit_of_bytes("c_i + a_i * b_i + $signed({31'd0, {a_i, b_i, c_i} != 48'h3a51_4049_0fdb})"),
                       "handshake: combinational\n");
  const Proof proof = other.prove_same_as(one);
  ASSERT_EQ(proof.unit, ProofAnswer::refuted);
  const PlaceProof& d = at(proof, "d");
  EXPECT_EQ(d.one->a, (std::vector<Code>{0x3a}));
  EXPECT_EQ(d.one->b, (std::vector<Code>{0x51}));
  EXPECT_EQ(d.one->c, 0x40490fdbU);
  EXPECT_EQ(d.expected, "40492236");
  EXPECT_EQ(d.got, "40492235");
  EXPECT_NE(other.text_beside(proof).find("assay explain --reference rtl:other.yaml --device rtl:unit.yaml "),
            std::string::npos)
      << other.text_beside(proof);
}

// --- what is kept ---

TEST(Proving, TakesWhatAnEarlierRunProved) {
  NEEDS_YOSYS;
  const ProofOptions keeping{most_seconds, 2, 640, true};
  fs::remove_all(cache_folder("prove") / "proved");
  EXPECT_EQ(UnitFile(eight_bits).prove(keeping).unit, ProofAnswer::proved);
  const Proof again = UnitFile(eight_bits).prove(keeping);
  EXPECT_EQ(again.unit, ProofAnswer::proved);
  for (const PlaceProof& p : again.places) EXPECT_TRUE(p.was_kept) << p.name;
  // With a fault, what stands before it is taken, and nothing that it changes.
  const UnitFile wrong(eight_bits, {{".Keep            (11)", ".Keep            (10)"}});
  const Proof changed = wrong.prove(keeping);
  EXPECT_TRUE(at(changed, "multiply[0]").was_kept);
  EXPECT_EQ(at(changed, "d").answer, ProofAnswer::refuted);
  EXPECT_EQ(changed.unit, ProofAnswer::refuted);
}

// --- clocked units ---

TEST(Proving, ReadsThroughRegisters) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits, export_sv(plan_of_text(eight_bits), "unit", ExportTiming::pipelined), clocked);
  const Proof proof = unit.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << unit.text(proof);
  EXPECT_NE(proof.clocked.find(" read through: each case, taken at any clock edge"), std::string::npos)
      << proof.clocked;
  EXPECT_NE(proof.clocked.find("pauses, stalls, and what comes first after a reset, are left to cases"),
            std::string::npos)
      << proof.clocked;
}

// d = c + a b, so many registers after a and b, and after c.
std::string small_pipeline(int after_a, int after_c, const std::string& more = "") {
  std::string text =
      "module unit (input logic clk, input logic [7:0] a_i, input logic [7:0] b_i, input logic [31:0] c_i, "
      "output logic [31:0] d_o);\n";
  text +=
      "  logic signed [15:0] p0;\n  logic signed [31:0] c0;\n  assign p0 = $signed(a_i) * $signed(b_i);\n  assign c0 = "
      "c_i;\n";
  for (int i = 1; i <= after_a; ++i)
    text += "  logic signed [15:0] p" + std::to_string(i) + ";\n  always_ff @(posedge clk) p" + std::to_string(i) +
            " <= p" + std::to_string(i - 1) + ";\n";
  for (int i = 1; i <= after_c; ++i)
    text += "  logic signed [31:0] c" + std::to_string(i) + ";\n  always_ff @(posedge clk) c" + std::to_string(i) +
            " <= c" + std::to_string(i - 1) + ";\n";
  return text + "  assign d_o = p" + std::to_string(after_a) + " + c" + std::to_string(after_c) + more +
         ";\nendmodule\n";
}

std::string of_latency(int latency) {
  return "clock: clk\nhandshake: {kind: fixed_latency, latency: " + std::to_string(latency) + "}\n";
}

TEST(Proving, HoldsAPipelineToItsLatency) {
  NEEDS_YOSYS;
  const Proof proof = UnitFile(bytes, small_pipeline(3, 3), of_latency(3)).prove();
  EXPECT_EQ(proof.unit, ProofAnswer::proved);
  EXPECT_EQ(
      proof.clocked,
      "Its 3 registers were read through: each case, taken at any clock edge, gives this d while the unit is enabled; "
      "pauses, and what comes first after a reset, are left to cases.");
  EXPECT_NE(UnitFile(bytes, small_pipeline(3, 3), of_latency(2))
                .refusal()
                .find("`latency` is 2, but 3 registers lie between"),
            std::string::npos);
}

TEST(Proving, RefusesPipelinesThatMixCases) {
  NEEDS_YOSYS;
  EXPECT_NE(
      UnitFile(bytes, small_pipeline(3, 2), of_latency(3)).refusal().find("proofs take pipelines in which all ways"),
      std::string::npos);
}

TEST(Proving, RefusesAState) {
  NEEDS_YOSYS;
  std::string text = small_pipeline(2, 2, " + state");
  text = replaced(text, "  assign p0",
                  "  logic [31:0] state;\n  always_ff @(posedge clk) state <= state + c_i;\n  assign p0");
  EXPECT_EQ(UnitFile(bytes, text, of_latency(2)).refusal(),
            "unit.yaml: registers of this unit depend on themselves while it takes a case at each clock edge, and "
            "proofs take "
            "pipelines, which keep no state.");
}

// The same with a valid bit, and how it becomes the one beside d.
std::string with_valid(const std::string& out_valid, const std::string& in_ready = "1'b1") {
  std::string text = small_pipeline(1, 1);
  text = replaced(text, "output logic [31:0] d_o);",
                  "input logic v_i, input logic r_i, output logic r_o, output logic v_o, output logic [31:0] d_o);\n"
                  "  logic v1, v2;\n  always_ff @(posedge clk) v1 <= v_i;\n  always_ff @(posedge clk) v2 <= v1;\n"
                  "  wire hit = a_i == 8'h5a && b_i == 8'ha5 && c_i == 32'h12345678;\n  logic hit1;\n"
                  "  always_ff @(posedge clk) hit1 <= hit;\n");
  return replaced(text, "endmodule", "  assign v_o = " + out_valid + ";\n  assign r_o = " + in_ready + ";\nendmodule");
}

constexpr const char* ready =
    "clock: clk\nconstants: {r_i: 1}\nhandshake: {kind: valid, in_valid: v_i, out_valid: v_o}\n";
constexpr const char* waiting =
    "clock: clk\nhandshake: {kind: valid_ready, in_valid: v_i, out_valid: v_o, in_ready: r_o, out_ready: r_i}\n";

TEST(Proving, HoldsValidToD) {
  NEEDS_YOSYS;
  EXPECT_EQ(UnitFile(bytes, with_valid("v1"), ready).prove().unit, ProofAnswer::proved);
  EXPECT_EQ(UnitFile(bytes, with_valid("v1", "r_i | ~v1"), waiting).prove().unit, ProofAnswer::proved);
  const std::string late = UnitFile(bytes, with_valid("v2"), ready).refusal();
  EXPECT_NE(late.find("says that there is a result 2 edges after its operands came, but d is there 1 edge after."),
            std::string::npos)
      << late;
  const std::string early = UnitFile(bytes, with_valid("v_i | ~v_i"), ready).refusal();
  EXPECT_NE(early.find("a result 0 edges after its operands came, but d is there 1 edge after."), std::string::npos)
      << early;
}

// What is one constant is there as what it is.
TEST(Proving, HoldsAReadyThatIsOneConstantToIt) {
  NEEDS_YOSYS;
  EXPECT_EQ(UnitFile(bytes, with_valid("v1", "1'b1"), waiting).prove().unit, ProofAnswer::proved);
  const Proof never = UnitFile(bytes, with_valid("v1", "1'b0"), waiting).prove();
  EXPECT_EQ(never.unit, ProofAnswer::refuted);
  const auto refused = std::find_if(never.places.begin(), never.places.end(),
                                    [](const PlaceProof& p) { return p.answer == ProofAnswer::refuted; });
  ASSERT_NE(refused, never.places.end());
  EXPECT_EQ(refused->name, "in_ready");
}

// A code whose top bit is always 0, and a place that shows the same bits.
TEST(Proving, ReadsBitsThatAreConstantOrShownTwice) {
  NEEDS_YOSYS;
  const std::string text = R"(
name: unsigned
k: 1
operands: {a: e2m1, b: e2m1, c: ue4m3, d: ue4m3}
specials: operation
nan: "7f"
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: d, cut: nearest_even, overflow: nan, infinity: largest, nan: largest, negative: nan}]
)";
  const UnitFile right(text);
  const Proof proof = right.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::proved) << right.text(proof);
  const UnitFile wrong(text, {{"[7:0]     d_o,", "[7:0]     d_o, code_o,"},
                              {".code_o  (d_o)", ".code_o  (code_o)"},
                              {"endmodule", "  assign d_o = code_o | 8'h80;\nendmodule"}});
  EXPECT_EQ(wrong.prove().unit, ProofAnswer::refuted);
}

// Ports whose lowest bit is not bit 0, and one that is counted upwards, are read by the places of their bits.
TEST(Proving, CountsThePortsBitsFromTheLowest) {
  NEEDS_YOSYS;
  std::string text = unit_of_bytes("c_i + a_i * b_i");
  for (const auto& [is, becomes] : std::vector<std::pair<std::string, std::string>>{
           {"[7:0] a_i", "[8:1] a_i"}, {"[7:0] b_i", "[0:7] b_i"}, {"[31:0] d_o", "[35:4] d_o"}}) {
    ASSERT_NE(text.find(is), std::string::npos) << is << " in " << text;
    text = replaced(text, is, becomes);
  }
  EXPECT_EQ(UnitFile(bytes, text, "handshake: combinational\n").prove().unit, ProofAnswer::proved);
  const std::string wrong = replaced(text, "c_i + a_i", "c_i - a_i");
  EXPECT_EQ(UnitFile(bytes, wrong, "handshake: combinational\n").prove().unit, ProofAnswer::refuted);
}

// One case of 2^48 gets no answer, which no number of cases shows.
TEST(Proving, RefutesAnAnswerThatIsNotGiven) {
  NEEDS_YOSYS;
  const UnitFile dropped(bytes, with_valid("v1 & ~hit1"), ready), busy(bytes, with_valid("v1", "~hit"), waiting);
  const Proof of_valid = dropped.prove(), of_ready = busy.prove();
  const auto refuted = [](const Proof& proof, const std::string& name) {
    return std::any_of(proof.places.begin(), proof.places.end(), [&](const PlaceProof& p) {
      return p.name == name && p.answer == ProofAnswer::refuted && p.one && p.one->a == std::vector<Code>{0x5a} &&
             p.one->b == std::vector<Code>{0xa5} && p.one->c == 0x12345678;
    });
  };
  EXPECT_TRUE(refuted(of_valid, "out_valid")) << dropped.text(of_valid);
  EXPECT_TRUE(refuted(of_ready, "in_ready")) << busy.text(of_ready);
  EXPECT_EQ(of_valid.places.back().answer, ProofAnswer::proved) << dropped.text(of_valid);
}

// The same with a tag of two bits, and how it becomes the one beside d.
UnitFile with_tag(const std::string& tag_out, const std::string& more = "") {
  std::string text =
      replaced(with_valid("v1"), "input logic v_i,", "input logic [1:0] t_i, output logic [1:0] t_o, input logic v_i,");
  text = replaced(text, "endmodule",
                  "  logic [1:0] t1, t2;\n  always_ff @(posedge clk) t1 <= t_i;\n"
                  "  always_ff @(posedge clk) t2 <= t1;\n" +
                      more + "  assign t_o = " + tag_out + ";\nendmodule");
  return {bytes, text, replaced(ready, "out_valid: v_o", "out_valid: v_o, tag_in: t_i, tag_out: t_o, tag_bits: 2")};
}

TEST(Proving, HoldsTagsToD) {
  NEEDS_YOSYS;
  const UnitFile right = with_tag("t1");
  const Proof proof = right.prove();
  EXPECT_EQ(proof.tagged, "Each d has its case's tag.");
  EXPECT_NE(right.text(proof).find("\ntags: Each d has its case's tag.\n"), std::string::npos) << right.text(proof);
  const auto refused = [](const std::string& tag_out, const std::string& why) {
    const std::string refusal = with_tag(tag_out).refusal();
    EXPECT_NE(refusal.find("`tag_out`, port t_o, has to be the tag of the case whose d is there, but " + why),
              std::string::npos)
        << refusal;
  };
  refused("t2", "bit 0 of it comes 2 edges after `tag_in`, and d 1 edge after its operands.");
  refused("{t1[1], 1'b0}", "bit 0 of it is one constant.");
  refused("{t1[0], t1[1]}", "of a case whose `tag_in` is 0x");
}

// Of a tag that is looked at, one of 16 would do; of what a tag may change, cases show some and gates the rest.
TEST(Proving, RefusesResultsThatLookAtTheirTag) {
  NEEDS_YOSYS;
  const auto refusal = [](const std::string& is, const std::string& becomes) {
    const UnitFile right = with_tag("t1");
    return right.with({is, becomes}).refusal();
  };
  EXPECT_NE(refusal("assign v_o = v1", "assign v_o = v1 & ~&t1")
                .find("`out_valid` of a case depends on its tag, port t_i: with tag 0x3 it is another than with 0."),
            std::string::npos);
  EXPECT_NE(
      refusal("assign d_o =", "assign d_o = {31'd0, t1 == 2'd2} ^").find("d of a case depends on its tag, port t_i: "),
      std::string::npos);
  EXPECT_NE(refusal("assign d_o =", "assign d_o = {31'd0, t1 == 2'd2 && hit1} ^")
                .find("d may depend on the tag, port t_i, and proofs take units whose results do not look at it."),
            std::string::npos);
}

// One of 2^48 operands, which no number of cases shows, and tags that a memory of the unit's keeps.
TEST(Proving, SaysOfWhichTagsItDoesNotKnow) {
  NEEDS_YOSYS;
  const std::string memory =
      "  logic [1:0] kept [2];\n  logic at;\n  always_ff @(posedge clk) at <= ~at;\n"
      "  always_ff @(posedge clk) kept[at] <= t_i;\n";
  for (const UnitFile& unit : {with_tag("t1 ^ {1'b0, hit1}"), with_tag("kept[~at]", memory)}) {
    const Proof proof = unit.prove();
    EXPECT_EQ(proof.unit, ProofAnswer::proved);
    EXPECT_EQ(proof.tagged,
              "Whether each d has its case's tag is not proved: `tag_out` is more than `tag_in` behind registers.");
  }
}

// --- what yosys reads ---

constexpr const char* nibbles =
    "name: nibbles\nk: 1\noperands: {a: i4, b: i4, c: i8, d: i8}\nspecials: numbers\n"
    "adders: [{name: sum, add: {product: exact, acc: exact}, "
    "result: [{format: d, cut: toward_zero, overflow: wrap}]}]\n";

// r is the right result.
UnitFile of_nibbles(const std::string& body, const std::string& parameters = "", const std::string& rest = "") {
  return {nibbles,
          "module unit " + parameters +
              "(input logic [3:0] a_i, b_i, input logic [7:0] c_i, output logic [7:0] d_o);\n"
              "  wire signed [7:0] p = $signed(a_i) * $signed(b_i);\n  wire [7:0] r = p + c_i;\n" +
              body + "endmodule\n",
          "handshake: combinational\n" + rest};
}

// What a source includes, beside it or in a folder of a folder, and what a memory begins with: nothing of it stands in
// the list of sources.
TEST(Reading, IsDoneAgainWhereAnythingChanged) {
  NEEDS_YOSYS;
  const auto answers = [](const std::string& name, const std::string& body, const std::string& right,
                          const std::string& wrong, const std::string& before = "") {
    UnitFile unit = of_nibbles(body);
    unit.prepend(before);
    std::vector<ProofAnswer> found;
    for (const std::string& text : {right, wrong, right}) {
      unit.write_beside(name, text);
      found.push_back(unit.prove().unit);
    }
    return found;
  };
  const std::vector<ProofAnswer> expected{ProofAnswer::proved, ProofAnswer::refuted, ProofAnswer::proved};
  const std::string wrong_once = "  assign d_o = r ^ {7'd0, c_i == 8'h5a & `BUG};\n";
  EXPECT_EQ(answers("bug.svh", wrong_once, "`define BUG 1'b0\n", "`define BUG 1'b1\n", "`include \"bug.svh\"\n"),
            expected);
  EXPECT_EQ(
      answers("sub/bug.svh", wrong_once, "`define BUG 1'b0\n", "`define BUG 1'b1\n", "`include \"sub/bug.svh\"\n"),
      expected);
  EXPECT_EQ(answers("bug.hex",
                    "  logic bug [0:1];\n  initial $readmemh(\"@/bug.hex\", bug);\n"
                    "  assign d_o = r ^ {7'd0, bug[c_i == 8'h5a]};\n",
                    "0\n0\n", "0\n1\n"),
            expected);
}

TEST(Reading, TakesParametersAsVerilogHasThem) {
  NEEDS_YOSYS;
  const std::string body = "  assign d_o = P < 0 && S == \"yes\" ? r : ~r;\n";
  const std::string header = "#(parameter P = 0, parameter S = \"no\")";
  EXPECT_EQ(of_nibbles(body, header, "parameters: {P: -1, S: '\"yes\"'}\n").prove().unit, ProofAnswer::proved);
  EXPECT_EQ(of_nibbles(body, header, "parameters: {P: 1, S: '\"yes\"'}\n").prove().unit, ProofAnswer::refuted);
  EXPECT_EQ(of_nibbles(body, header).prove().unit, ProofAnswer::refuted);
}

// What is assumed is not: the unit is held to the model there, too.
TEST(Reading, PassesOverAssertions) {
  NEEDS_YOSYS;
  for (const char* word : {"assert", "assume", "cover"}) {
    const std::string said = std::string("  always_comb ") + word + " (a_i != 4'd3);\n";
    EXPECT_EQ(of_nibbles("  assign d_o = r;\n" + said).prove().unit, ProofAnswer::proved) << word;
    EXPECT_EQ(of_nibbles("  assign d_o = r ^ {7'd0, a_i == 4'd3};\n" + said).prove().unit, ProofAnswer::refuted);
  }
}

// Whatever gives an x gives anything, for the one c for which `bug` sees it; yosys by itself takes what is least.
TEST(Reading, TakesAnXForAnyValue) {
  NEEDS_YOSYS;
  for (const char* bug : {"  wire x = 1'bx;\n  wire bug = at & (x == 1'b0);\n", "  wire bug = at & 1'bx;\n",
                          "  wire bug = at & !(1'bx | c_i[0]);\n", "  wire bug = at & (4'bx + a_i == 4'd3);\n",
                          "  wire bug = at & (4'bxx10 < a_i);\n", "  wire bug = at & ^{1'bx, a_i};\n",
                          "  wire free, other;\n  wire bug = at & (free == other);\n",
                          "  logic [1:0] x;\n  always_comb case (at) 1'b1: x = 'x; default: x = 0; endcase\n"
                          "  wire bug = x == 2'd1;\n",
                          "  wire [7:0] v = 8'd0;\n  wire [3:0] i = at ? 4'd9 : 4'd1;\n  wire bug = v[i];\n",
                          "  wire [7:0] v = c_i;\n  wire bug = at & v[9];\n",
                          "  wire [4:0] v = 0;\n  wire [2:0] i = at ? 3'd6 : 3'd1;\n  wire bug = |v[i +: 2];\n",
                          "  logic m [0:2];\n  initial begin m[0] = 0; m[1] = 0; m[2] = 0; end\n"
                          "  wire [1:0] i = {at, 1'b1};\n  wire bug = m[i];\n",
                          "  logic m [0:3];\n  initial begin m[0] = 0; m[1] = 0; m[2] = 0; end\n"
                          "  wire [1:0] i = {at, 1'b1};\n  wire bug = m[i];\n",
                          "  wire [3:0] q = 4'd7 / {3'd0, !at};\n  wire bug = q == 4'd0;\n",
                          "  wire [3:0] q = 4'd7 % {3'd0, !at};\n  wire bug = q != 4'd0;\n",
                          "  wire [3:0] q = $signed(4'd7) / $signed({3'd0, !at});\n  wire bug = at & q == 4'd0;\n"}) {
    const std::string at = "  wire at = c_i == 8'h5a;\n";
    const UnitFile unit = of_nibbles(at + bug + "  assign d_o = r ^ {7'd0, bug};\n");
    const Proof proof = unit.prove();
    EXPECT_EQ(proof.unit, ProofAnswer::refuted) << bug << unit.text(proof);
    EXPECT_GT(proof.open_values, 0U) << bug;
    EXPECT_EQ(proof.places.back().one->c, 0x5aU) << bug;
    const UnitFile unseen = of_nibbles(at + bug + "  assign d_o = at & bug & !at ? ~r : r;\n");
    EXPECT_EQ(unseen.prove().unit, ProofAnswer::proved) << bug;
  }
}

// A temporary that nothing reads where nothing was assigned is open in yosys, and so is what nothing drives.
TEST(Reading, HoldsWhateverAnOpenValueIs) {
  NEEDS_YOSYS;
  const UnitFile unread = of_nibbles(
      "  logic g;\n  always_comb begin\n    d_o = r; g = 0;\n    if (a_i[0]) begin\n"
      "      if (b_i[0]) g = r[0]; else g = r[1];\n"
      "      d_o = g == (b_i[0] ? r[0] : r[1]) ? r : ~r;\n    end\n  end\n");
  const Proof proof = unread.prove();
  EXPECT_EQ(proof.unit, ProofAnswer::proved);
  EXPECT_GT(proof.open_values, 0U);
  EXPECT_EQ(proof.input_bits, 16U);
  const UnitFile undriven = of_nibbles("  logic g;\n  assign d_o = r ^ {7'd0, g};\n");
  const Proof refuted = undriven.prove();
  EXPECT_EQ(refuted.unit, ProofAnswer::refuted);
  EXPECT_TRUE(refuted.places.back().by_open);
  EXPECT_NE(undriven.text(refuted).find(" with some value of what the RTL leaves open; by cases)"), std::string::npos)
      << undriven.text(refuted);
  EXPECT_FALSE(of_nibbles("  logic g;\n  assign d_o = ~r ^ {7'd0, g};\n").prove().places.back().by_open);
}

TEST(Reading, RefusesAZ) {
  NEEDS_YOSYS;
  const std::string refusal = of_nibbles("  wire z = 1'bz;\n  assign d_o = r ^ {7'd0, z};\n").refusal();
  EXPECT_NE(refusal.find("unit.yaml: a net of unit is given z ("), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("unit.sv:4), and proofs take units whose nets are all driven; give it 0, or x where its value "
                         "is nobody's."),
            std::string::npos)
      << refusal;
}

// At one edge it stands for what it is there; at two it may be two things.
TEST(Reading, TakesAnOpenValueAtOneEdge) {
  NEEDS_YOSYS;
  const auto unit = [](const std::string& open) {
    return UnitFile(
        nibbles,
        "module unit (input logic clk, input logic [3:0] a_i, b_i, input logic [7:0] c_i, output logic [7:0] "
        "d_o);\n  logic signed [7:0] p;\n  logic [7:0] c, r;\n  logic g, g_q, h;\n"
        "  always_ff @(posedge clk) {p, c} <= {8'($signed(a_i) * $signed(b_i)), c_i};\n"
        "  always_ff @(posedge clk) g_q <= g;\n  assign r = p + c;\n" +
            open + "  always_ff @(posedge clk) d_o <= r ^ {7'd0, h};\nendmodule\n",
        "clock: clk\nhandshake: {kind: fixed_latency, latency: 2}\n");
  };
  const Proof unread =
      unit(
          "  always_comb begin\n    h = 0;\n    if (p[0]) begin\n      if (c[0]) h = r[0]; else h = r[1];\n"
          "      h = h ^ (c[0] ? r[0] : r[1]);\n    end\n  end\n")
          .prove();
  EXPECT_EQ(unread.unit, ProofAnswer::proved);
  EXPECT_EQ(unit("  assign h = g ^ g;\n").prove().unit, ProofAnswer::proved);
  EXPECT_EQ(unit("  assign h = g_q;\n").prove().unit, ProofAnswer::refuted);
  EXPECT_EQ(
      unit("  assign h = g ^ g_q;\n").refusal(),
      "unit.yaml: a value that the RTL leaves open, as x or undriven, is seen at two clock edges, and a proof has one "
      "for it; drive it.");
}

TEST(Reading, IsHeldToASimulator) {
  NEEDS_YOSYS;
  const UnitFile unit = of_nibbles("  assign d_o = r;\n");
  const auto simulated = [&](Code wrong) {
    return [&unit, wrong](const std::vector<Case>& cases) {
      std::vector<Answer> answers(cases.size());
      for (std::size_t i = 0; i < cases.size(); ++i) {
        Registers registers;
        answers[i].d = dot(unit.plan, cases[i].operand(), registers) ^ (cases[i].c == 0x7f ? wrong : 0);
      }
      return answers;
    };
  };
  EXPECT_EQ(unit.prove(simulated(0)).simulated, "the gates of unit give the d of Verilator's program in 1,024 cases");
  try {
    unit.prove(simulated(1));
    ADD_FAILURE() << "It was proved.";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("yosys and Verilator read this RTL differently"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--c 7f d is "), std::string::npos) << error.what();
  }
  // What is open may be another thing in a simulator; what is not may not.
  const UnitFile open = of_nibbles("  logic g;\n  assign d_o = r ^ {7'd0, g & c_i == 8'h7f};\n");
  EXPECT_EQ(open.prove(simulated(0)).unit, ProofAnswer::refuted);
  EXPECT_EQ(open.prove(simulated(1)).unit, ProofAnswer::refuted);
  EXPECT_THROW(open.prove(simulated(2)), std::runtime_error);
}

// Where it may be that the two read otherwise is named. This ~W is 7.
TEST(Reading, NamesLinesThatAreReadOtherwise) {
  NEEDS_YOSYS;
  const UnitFile unit = of_nibbles("  localparam logic [3:0] W = 4'd8;\n  assign d_o = ~W'(~r);\n");
  const Simulated as_core = [&unit](const std::vector<Case>& cases) {
    std::vector<Answer> answers(cases.size());
    Registers registers;
    for (std::size_t i = 0; i < cases.size(); ++i) answers[i].d = dot(unit.plan, cases[i].operand(), registers);
    return answers;
  };
  try {
    unit.prove(as_core);
    ADD_FAILURE() << "It was proved.";
  } catch (const std::runtime_error& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find(" in simulation. It may be one of these: unit.sv:"), std::string::npos) << said;
    EXPECT_NE(said.find(" has `~W'(..)`, an operator before a cast, read as `(~W)'(..)`; `~(W'(..))` is read alike. "),
              std::string::npos)
        << said;
  }
}

// yosys takes `~W'(x)` for a cast to ~W bits: without parentheses every lane of the twin would differ.
TEST(Reading, OfThePlantedTwinHasTheFaultInItsLane) {
  NEEDS_YOSYS;
  const Dut twin = read_dut_file((source_folder() / "configs/dut/fused_f25_f16_fault_align.yaml").string());
  const Catalogue catalogue = shipped_catalogue();
  const Claim& claim = twin.claims.front();
  const Subject subject = subject_of(catalogue, catalogue.instruction(claim.instruction));
  const Proof proof = assay::prove({twin, claim}, subject.plan, {1, 2, 2048, false}, nullptr);
  std::vector<std::string> lanes;
  for (const PlaceProof& p : proof.places) {
    const bool is_aligned = p.name.find(".align[") != std::string::npos;
    if (is_aligned && p.answer == ProofAnswer::refuted) lanes.push_back(p.name);
  }
  EXPECT_EQ(lanes, std::vector<std::string>{"step[0].sum.align[5]"});
}

// --- what cannot be proved ---

// Gates have no clock: what makes a register work is looked at before they are made.
TEST(Proving, RefusesRegistersOfAnyOtherClock) {
  NEEDS_YOSYS;
  const std::string good = small_pipeline(1, 1);
  const auto refusal = [&](const std::string& clocked, const std::string& more) {
    const std::string text = replaced(good, "@(posedge clk) p1", clocked);
    return UnitFile(bytes, replaced(text, "  assign p0", more + "  assign p0"), of_latency(1)).refusal();
  };
  const std::string hit = "  wire hit = a_i == 8'h5a && b_i == 8'ha5 && c_i == 32'h12345678;\n";
  for (const auto& [clocked, more] : std::vector<std::pair<std::string, std::string>>{
           {"@(negedge clk) p1", ""},
           {"@(posedge gated) p1", hit + "  wire gated = clk & ~hit;\n"},
           {"@(posedge hit) p1", hit},
           {"@(posedge half) p1", "  logic half;\n  always_ff @(posedge clk) half <= ~half;\n"}}) {
    const std::string said = refusal(clocked, more);
    EXPECT_NE(said.find("a register is not clocked by the rising edge of clk itself"), std::string::npos)
        << clocked << ": " << said;
  }
  const std::string renamed = replaced(replaced(good, "@(posedge clk) p1", "@(posedge same) p1"), "  assign p0",
                                       "  wire same = clk;\n  assign p0");
  EXPECT_EQ(UnitFile(bytes, renamed, of_latency(1)).prove().unit, ProofAnswer::proved);
}

TEST(Proving, RefusesWhatSeveralDrive) {
  NEEDS_YOSYS;
  const std::string twice = replaced(small_pipeline(1, 1), "endmodule", "  assign d_o[0] = a_i[0];\nendmodule");
  const std::string said = UnitFile(bytes, twice, of_latency(1)).refusal();
  EXPECT_NE(said.find("a net of unit is driven from several places"), std::string::npos) << said;
}

TEST(Proving, RefusesWhatYosysCannotRead) {
  NEEDS_YOSYS;
  const UnitFile unit(eight_bits, std::string("module unit (input logic a_i);\n  oops\nendmodule\n"),
                      "handshake: combinational\n");
  EXPECT_EQ(unit.refusal().rfind("unit.yaml: yosys cannot read this RTL: ", 0), 0U) << unit.refusal();
}

TEST(Proving, SaysWhatItTakes) {
  NEEDS_YOSYS;
  const std::string text = export_sv(plan_of_text(eight_bits), "unit");
  const auto refusal = [&](const std::string& rest) { return UnitFile(eight_bits, text, rest).refusal(); };
  EXPECT_EQ(refusal("handshake: combinational\noptions: [-y, lib]\n"),
            "unit.yaml: yosys cannot be given -y, an option for Verilator; name sources, include_dirs and defines by "
            "their own "
            "keys for a proof.");
  EXPECT_NE(refusal("clock: clk\nhandshake: {kind: start_done, start: s, done: t}\n").find("takes one case at a time"),
            std::string::npos);
  EXPECT_NE(refusal("clock: clk\nhandshake: {kind: valid, in_valid: v, out_valid: w}\nbeats: {elements: 1}\n")
                .find("comes in several cycles, and proofs take units whose operands come at once."),
            std::string::npos);
  const UnitFile file(eight_bits, text, "handshake: combinational\n");
  Dut tile = file.dut();
  tile.tile = UnitTile{};
  try {
    prove({tile, tile.claims.front()}, plan_of_text(eight_bits), {1, 1, 1, false}, nullptr);
    ADD_FAILURE() << "A tile was taken.";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("this unit computes a tile, and proofs take units of one result;"), std::string::npos)
        << error.message;
  }
  const std::string nowhere = refusal("handshake: combinational\nprobes: {places: {\"encode\": nowhere}}\n");
  EXPECT_NE(nowhere.find("has no port nowhere"), std::string::npos) << nowhere;
}

}  // namespace
}  // namespace assay
