// The blocks and the wiring must be accepted by both tools: Verilator's lint without a word, Yosys down to gates.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <tuple>

#include "model/base/run_program.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Every way of running a tool leaves its words in `folder`/log.
struct Outcome {
  int status;
  std::string log;
};

Outcome run(const fs::path& folder, const std::vector<std::string>& command) {
  const fs::path log = folder / "log";
  fs::remove(log);
  const int status = run_program(command, log.string());
  EXPECT_NE(status, not_started) << command.front() << " is needed for this test and is not installed.";
  return {status, read_text(log)};
}

Outcome lint(const fs::path& folder, const std::string& top, const std::string& file = "",
             const std::vector<std::string>& options = {}) {
  std::vector<std::string> command{"verilator", "--lint-only", "-Wall", "--top-module", top};
  for (const std::string& block : exported_blocks()) command.push_back(block);
  if (!file.empty()) command.push_back(file);
  command.insert(command.end(), options.begin(), options.end());
  Outcome outcome = run(folder, command);
  outcome.log = without_report(outcome.log);
  return outcome;
}

Outcome yosys(const fs::path& folder, const std::string& top, const std::string& file, const std::string& then) {
  std::string script = "read_verilog -sv";
  for (const std::string& block : exported_blocks()) script += " " + block;
  write_text(folder / "script.ys", script + " " + file + "\nhierarchy -check -top " + top + "\n" + then);
  return run(folder, {"yosys", "-q", "-s", (folder / "script.ys").string()});
}

TEST(Tools, VerilatorHasNothingToSayAboutAnyBlock) {
  const fs::path folder = scratch_folder();
  for (const std::string& file : exported_blocks()) {
    const std::string top = fs::path(file).stem().string();
    if (top == "assay_pkg") continue;
    const Outcome result = lint(folder, top);
    EXPECT_EQ(result.status, 0) << top << ":\n" << result.log;
    EXPECT_EQ(result.log, "") << top;
  }
}

TEST(Tools, LintSeesAMistake) {
  const fs::path folder = scratch_folder();
  write_text(folder / "narrow.sv",
             "module narrow (input logic [7:0] a_i, output logic [3:0] d_o);\n"
             "  assign d_o = a_i;\nendmodule\n");
  const Outcome result = lint(folder, "narrow", (folder / "narrow.sv").string());
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.log.find("WIDTH"), std::string::npos) << result.log;
}

// What nobody built; with ASSAY_FULL=1 four hundred of them.
TEST(Tools, VerilatorHasNothingToSayAboutRandomDatapaths) {
  const fs::path folder = scratch_folder();
  int seen = 0;
  for (std::uint64_t number = 0; seen < quick_or_full(10, 400); ++number) {
    const OwnDatapath own = random_datapath(number, 0);
    const auto made = plan(own.words, own.k);
    const auto* good = std::get_if<Plan>(&made);
    if (good == nullptr || why_not_exportable(*good)) continue;
    const ExportTiming timing = number % 2 == 0 ? ExportTiming::combinational : ExportTiming::pipelined;
    write_text(folder / "dot.sv", export_sv(*good, "dot", timing));
    const Outcome result = lint(folder, "dot", (folder / "dot.sv").string());
    EXPECT_EQ(result.status, 0) << datapath_text(own.words, own.k);
    EXPECT_EQ(result.log, "") << datapath_text(own.words, own.k);
    ++seen;
  }
}

fs::path tile_file() { return source_folder() / "rtl_ref/assay_mma.sv"; }

// Of four terms.
fs::path write_dot_of_tile(const fs::path& folder) {
  const fs::path file = folder / "assay_dot.sv";
  const Plan plan = plan_of_text("name: small\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  write_text(file, export_sv(plan, "assay_dot", ExportTiming::pipelined));
  return file;
}

TEST(Tools, VerilatorHasNothingToSayAboutATile) {
  const fs::path folder = scratch_folder();
  write_dot_of_tile(folder);
  for (const char* registers : {"4'b1111", "4'b0010", "4'b0000"}) {
    const Outcome result =
        lint(folder, "assay_mma", tile_file().string(),
             {"-y", folder.string(), "-GABits=64", "-GBBits=64", "-GRegisters=" + std::string(registers)});
    EXPECT_EQ(result.status, 0) << registers;
    EXPECT_EQ(result.log, "") << registers;
  }
}

TEST(Tools, VerilatorHasNothingToSayAboutATileWithScalesOrFlags) {
  const std::string words = R"(
name: scaled
k: 4
operands: {a: e4m3, b: e4m3, c: f32, d: f32, scale: {format: ue8m0, block: 2}}
specials: step
product: {times: scales}
adders:
  - name: sum
    add: {product: {keep: 20, cut: toward_zero}, acc: {keep: 24, cut: toward_zero}}
    result: [{format: d, cut: toward_zero}]
)";
  const std::string flags = "flags: {of: all, tiny: after}\n",
                    alone =
                        "name: flagged\nlike: fused_f25\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\n" + flags;
  const std::vector<std::string> in_blocks{"-GABits=32", "-GBBits=32", "-GScaleBits=16"},
      plain{"-GABits=32", "-GBBits=32"};
  for (const auto& [tile, text, sizes] :
       {std::tuple("assay_mma_scaled", words, in_blocks),
        std::tuple("assay_mma_scaled_flags", words + flags, in_blocks), std::tuple("assay_mma_flags", alone, plain)}) {
    const fs::path folder = scratch_folder();
    write_text(folder / "assay_dot.sv", export_sv(plan_of_text(text), "assay_dot", ExportTiming::pipelined));
    std::vector<std::string> options{"-y", folder.string()};
    options.insert(options.end(), sizes.begin(), sizes.end());
    const std::string file = (source_folder() / "rtl_ref" / (std::string(tile) + ".sv")).string();
    const Outcome result = lint(folder, tile, file, options);
    EXPECT_EQ(result.status, 0) << tile;
    EXPECT_EQ(result.log, "") << tile;
  }
}

// "-set a_i 8'b00111100": codes side by side, the first one lowest.
std::string set(const std::string& port, const std::vector<Code>& codes, int bits) {
  std::string digits;
  for (auto code = codes.rbegin(); code != codes.rend(); ++code) {
    for (int i = bits - 1; i >= 0; --i) digits += (*code >> i & 1) != 0 ? '1' : '0';
  }
  return " -set " + port + " " + std::to_string(digits.size()) + "'b" + digits;
}

std::string set_operands(const Plan& plan, const Case& one) {
  std::string text = set("a_i", one.a, plan.a.stored_bits) + set("b_i", one.b, plan.b.stored_bits) +
                     set("c_i", {one.c}, plan.c.stored_bits);
  if (plan.scale) {
    const int bits = plan.scale->stored_bits;
    text += set("scale_a_i", one.scale_a, bits) + set("scale_b_i", one.scale_b, bits);
  }
  for (const CaseOperand& more : plan.more)
    text += set("operand_" + more.name + "_i", {one.more.begin() + more.first, one.more.begin() + more.end()},
                more.format.stored_bits);
  return text;
}

// probe_o as Yosys prints it, highest bit first, against the places of a trace, lowest place first.
void expect_places(const Plan& plan, const std::string& bits, const Trace& expected) {
  std::size_t from = bits.size();
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    const int width = plan.places[i].width;
    ASSERT_GE(from, static_cast<std::size_t>(width));
    from -= static_cast<std::size_t>(width);
    ASSERT_EQ(bits.substr(from, static_cast<std::size_t>(width)), expected.at(static_cast<int>(i)).binary(0, width))
        << plan.places[i].name;
  }
  EXPECT_EQ(from, 0u);
}

// Core's bits at every place from what Yosys made of the wiring, by its own evaluation.
void expect_core_in_yosys(const Unit& unit, const std::string& passes, std::uint64_t count) {
  const Plan plan = plan_of_unit(unit);
  const std::vector<Case> cases = generated_cases(plan, 20, count);
  const fs::path folder = scratch_folder();
  const fs::path file = folder / (std::string(unit.name) + ".sv");
  const fs::path out = folder / "eval";
  write_text(file, export_sv(plan, unit.name));
  std::string script = passes + "\ncheck -assert\n";
  for (const Case& one : cases) {
    script += "tee -q -a " + out.string() + " eval" + set_operands(plan, one) + " -show probe_o\n";
  }
  const Outcome result = yosys(folder, unit.name, file.string(), script);
  ASSERT_EQ(result.status, 0) << result.log;

  std::istringstream lines(read_text(out));
  Registers registers;
  Trace expected(plan);
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line) && !testing::Test::HasFailure();) {
    const std::size_t bits = line.find("probe_o = ");
    if (bits == std::string::npos) continue;
    ASSERT_LT(compared, cases.size());
    dot(plan, cases[compared].operand(), registers, &expected);
    const std::size_t quote = line.find('\'', bits);
    expect_places(plan, line.substr(quote + 1, line.rfind('.') - quote - 1), expected);
    ++compared;
  }
  EXPECT_EQ(compared, cases.size());
}

// Yosys reads the blocks as Verilator does. (Its front end is older than the language: a size cast of a constant inside
// a concatenation, say, is accepted and gets another width.)
class YosysReading : public testing::TestWithParam<Unit> {};

TEST_P(YosysReading, EqualsCoreEverywhere) { expect_core_in_yosys(GetParam(), "proc\nflatten\nopt_clean", 40); }

INSTANTIATE_TEST_SUITE_P(Units, YosysReading, testing::ValuesIn(units()),
                         [](const auto& unit) { return std::string(unit.param.name); });

INSTANTIATE_TEST_SUITE_P(FlaggedUnits, YosysReading, testing::ValuesIn(flagged_units()),
                         [](const auto& unit) { return std::string(unit.param.name); });

INSTANTIATE_TEST_SUITE_P(FurtherUnits, YosysReading, testing::ValuesIn(further_units()),
                         [](const auto& unit) { return std::string(unit.param.name); });

// Gates, and nothing but gates, that compute what core does.
class YosysGates : public testing::TestWithParam<Unit> {};

TEST_P(YosysGates, EqualCoreEverywhere) {
  expect_core_in_yosys(GetParam(), "synth -flatten -noabc\nselect -assert-none t:$* t:$_* %d", 20);
}

std::vector<Unit> synthesised() {
  std::vector<Unit> list{committed_unit()};
  for (const std::vector<Unit>* all : {&units(), &further_units()}) {
    std::copy_if(all->begin(), all->end(), std::back_inserter(list), [](const Unit& u) { return u.synthesised; });
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Units, YosysGates, testing::ValuesIn(synthesised()),
                         [](const auto& unit) { return std::string(unit.param.name); });

TEST(Tools, YosysMakesGatesAndRegistersOfATile) {
  const fs::path folder = scratch_folder();
  const std::string files = tile_file().string() + " " + write_dot_of_tile(folder).string();
  const std::string top =
      "assay_mma -chparam M 1 -chparam N 2 -chparam ABits 64 -chparam BBits 64 -chparam Registers 5";
  const Outcome result = yosys(folder, top, files,
                               "synth -flatten -noabc\ncheck -assert\nselect -assert-none t:$* t:$_* %d\n"
                               "select -assert-any t:$_DFFE_PP_\nselect -assert-none t:$_DLATCH*");
  EXPECT_EQ(result.status, 0) << result.log;
}

}  // namespace
}  // namespace assay
