// The SystemVerilog packages of datapaths against core, by Verilator; Icarus Verilog and Yosys read them, too.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "model/base/files.hpp"
#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "model/config/digest.hpp"
#include "tb/source/model_sv.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/rtl/units.hpp"
#include "tb/tests/source/drawn.hpp"
#include "tb/tests/source/verilated_sv.hpp"

namespace assay {
namespace {

// Each list is one program.
void expect_core(const std::vector<Named>& list, std::uint64_t count) {
  std::vector<const Plan*> plans;
  std::vector<std::vector<Case>> cases;
  std::string names;
  for (const Named& named : list) {
    names += "unit" + std::to_string(plans.size()) + "_pkg is " + named.name + "\n";
    plans.push_back(&named.plan);
    cases.push_back(cases_of(named.plan, count));
  }
  const VerilatedSv verilated(plans, scratch());
  ASSERT_EQ(verilated.trouble(), "") << names;
  const std::vector<Judgement> judged = verilated.compare(cases);
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(judged[i].cases, count) << list[i].name << ": " << judged[i].first;
    EXPECT_EQ(judged[i].same, count) << list[i].name << ": " << judged[i].first;
  }
}

void expect_core_in_turns(const std::vector<Named>& list, std::size_t together, std::uint64_t count) {
  for (std::size_t from = 0; from < list.size(); from += together) {
    std::vector<Named> some;
    for (std::size_t i = from; i < std::min(list.size(), from + together); ++i) some.push_back(list[i]);
    expect_core(some, count);
  }
}

std::vector<Named> those_of(const std::vector<Unit>& units, std::size_t each) {
  std::vector<Named> list;
  for (std::size_t i = 0; i < units.size(); i += each) {
    Named named{units[i].name, plan_of_unit(units[i])};
    if (!why_no_sv(named.plan)) list.push_back(std::move(named));
  }
  return list;
}

// --- in every run ---

constexpr const char* small = R"(
name: small
k: 2
operands: {a: e4m3, b: e5m2, c: f16, d: f16}
specials: step
adders:
  - name: sum
    add: {product: {keep: 8, cut: down}, acc: {keep: 9, cut: nearest_even}}
    sticky: or
    zero: ieee
    result: [{format: d, cut: nearest_even, subnormals: signed_zero}]
)";

TEST(SvPackage, EqualsCore) {
  expect_core({instruction_named("volta:mma.m8n8k4.f32.f16.f16.f32"), {"small", plan_of_text(small)}}, 2000);
}

// What is compared are bits that the package made.
TEST(SvPackage, OneChangedConstantIsSeen) {
  const Plan plan = plan_of_text(small);
  const VerilatedSv verilated({&plan}, scratch(), [](std::string text) {
    EXPECT_NE(text.find("window - 9"), std::string::npos);
    return replaced(text, "window - 9", "window - 8");
  });
  ASSERT_EQ(verilated.trouble(), "");
  EXPECT_LT(verilated.compare({cases_of(plan, 2000)}).front().same, 2000U);
}

TEST(SvPackage, IcarusGivesCoresBits) {
  const Plan plan = plan_of_text(small);
  const std::filesystem::path folder = scratch();
  std::filesystem::create_directories(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  std::string calls, expected;
  Registers registers;
  for (const Case& one : cases_of(plan, 100)) {
    const auto hex = [](const std::vector<Code>& codes) {
      char text[16];
      std::snprintf(text, sizeof text, "16'h%02llx%02llx", static_cast<unsigned long long>(codes[1]),
                    static_cast<unsigned long long>(codes[0]));
      return std::string(text);
    };
    calls += "    $display(\"%h\", small_pkg::dot(" + hex(one.a) + ", " + hex(one.b) + ", 16'd" +
             std::to_string(one.c) + "));\n";
    char d[8];
    std::snprintf(d, sizeof d, "%04llx\n", static_cast<unsigned long long>(dot(plan, one.operand(), registers)));
    expected += d;
  }
  std::ofstream(file("small_pkg.sv")) << sv_of(plan, "small_pkg");
  std::ofstream(file("tb.sv")) << "module tb;\n  initial begin\n" << calls << "  end\nendmodule\n";
  ASSERT_EQ(run_program({"iverilog", "-g2012", "-s", "tb", "-o", file("tb.vvp"), file("small_pkg.sv"), file("tb.sv")},
                        file("log")),
            0)
      << read_whole_file(file("log"), 16, "a log");
  EXPECT_EQ(said_by({"vvp", "-n", file("tb.vvp")}).value_or("vvp ended early"), expected);
}

// docs/formal.md, as a reader would do it: a candidate that is the unit, and one that is not.
TEST(SvPackage, YosysProvesACandidateAndRefutesAnother) {
  const std::filesystem::path folder = scratch(), examples = std::string(ASSAY_SOURCE_DIR) + "/docs/examples/formal";
  std::filesystem::create_directories(folder);
  const Plan plan = plan_of_text(read_whole_file((examples / "unit.yaml").string(), 1, "a datapath"));
  std::ofstream(folder / "unit_pkg.sv") << sv_of(plan, "unit_pkg");
  const auto prove = [&](const std::string& candidate) {
    const std::string script = "read_verilog -sv unit_pkg.sv " + (examples / candidate).string() + " " +
                               (examples / "check.sv").string() + "; script " + (examples / "prove.ys").string();
    return run_program({"yosys", "-q", "-p", script}, (folder / "log").string(), {{}, folder.string()});
  };
  EXPECT_EQ(prove("candidate.sv"), 0) << read_whole_file((folder / "log").string(), 16, "a log");
  EXPECT_FALSE(std::filesystem::exists(folder / "counterexample.vcd"));
  EXPECT_EQ(prove("candidate_wrong.sv"), 1);
  EXPECT_TRUE(std::filesystem::exists(folder / "counterexample.vcd"));
}

// --- once ---

// Verilator's lint, Icarus Verilog and Yosys.
std::string read_by_tools(const Plan& plan, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  std::ofstream(file("unit_pkg.sv")) << sv_of(plan, "unit_pkg");
  const std::string bits = std::to_string(sv_bits_in(plan) - 1), d = std::to_string(plan.d.stored_bits - 1);
  std::ofstream(file("top.sv")) << "module top (\n  input  logic [" << bits << ":0] in_i,\n  output logic [" << d
                                << ":0] d_o\n);\n  assign d_o = " << sv_call(plan, "unit_pkg", 0) << ";\nendmodule\n";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM",
                                 "--top-module", "top", file("unit_pkg.sv"), file("top.sv")},
        std::vector<std::string>{"iverilog", "-g2012", "-s", "top", "-o", file("top.vvp"), file("unit_pkg.sv"),
                                 file("top.sv")},
        std::vector<std::string>{"yosys", "-q", "-p", "read_verilog -sv " + file("unit_pkg.sv")}}) {
    if (run_program(command, file("log")) != 0)
      return command.front() + ": " + read_whole_file(file("log"), 64, "a log");
  }
  return "";
}

TEST(SvPackageOfMany, WholeCatalogueIsReadByAllTools) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Half an hour of one core: with ASSAY_FULL=1.";
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  int read = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      const Plan plan = catalogue.plan_of(i);
      if (!seen.insert(datapath_sha256(plan) + std::to_string(plan.k)).second) continue;
      EXPECT_EQ(why_no_sv(plan), std::nullopt) << i.full_name();
      EXPECT_EQ(read_by_tools(plan, scratch()), "") << i.full_name();
      ++read;
    }
  }
  std::printf("%d datapaths\n", read);
}

TEST(SvPackageOfMany, RandomDatapathsAreReadByAllTools) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  int written = 0, drawn = 0;
  for (std::uint64_t number = 0; drawn < 200; ++number) {
    const OwnDatapath own = random_datapath(number, 0, number % 4 == 0 ? Domain::usual : Domain::farther);
    const auto made = plan(own.words, own.k);
    const auto* good = std::get_if<Plan>(&made);
    if (good == nullptr) continue;
    ++drawn;
    if (why_no_sv(*good)) continue;
    ++written;
    EXPECT_EQ(read_by_tools(*good, scratch()), "") << "random " << number;
  }
  std::printf("%d of %d\n", written, drawn);
}

TEST(SvPackageOfMany, UnitsEqualCore) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(those_of(units(), 1), 2, 1000);
  expect_core_in_turns(those_of(further_units(), 1), 2, 1000);
}

}  // namespace
}  // namespace assay
