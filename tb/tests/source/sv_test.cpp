// The SystemVerilog packages of datapaths against core, by Verilator; Icarus Verilog and Yosys read them, too.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <set>

#include "model/base/files.hpp"
#include "model/base/hex.hpp"
#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "model/config/digest.hpp"
#include "tb/source/model_sv.hpp"
#include "tb/source/widths.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/rtl/units.hpp"
#include "tb/tests/rtl/verilated_many.hpp"
#include "tb/tests/source/drawn.hpp"
#include "tb/tests/source/verilated_sv.hpp"
#include "tb/tests/source_dir.hpp"

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
    if (!why_no_source(named.plan)) list.push_back(std::move(named));
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

TEST(SvPackage, EqualsCoreEverywhere) { expect_core({{"small", plan_of_text(small)}}, 2000); }

// What is compared are bits that the package made.
TEST(SvPackage, OneChangedConstantIsSeen) {
  const Plan plan = plan_of_text(small);
  const VerilatedSv verilated({&plan}, scratch(), Built::soon, [](const std::string& text) {
    EXPECT_NE(text.find("window - 9"), std::string::npos);
    return replaced(text, "window - 9", "window - 8");
  });
  ASSERT_EQ(verilated.trouble(), "");
  EXPECT_LT(verilated.compare({cases_of(plan, 2000)}).front().same, 2000U);
}

// 12'hf03: codes side by side, element 0 lowest.
std::string literal(const std::vector<Code>& codes, int width) {
  std::string bits;
  for (auto code = codes.rbegin(); code != codes.rend(); ++code) {
    for (int bit = width - 1; bit >= 0; --bit) bits += (*code >> bit & 1) != 0 ? '1' : '0';
  }
  return std::to_string(bits.size()) + "'b" + bits;
}

std::string call_of(const Plan& plan, const std::string& function, const Case& one) {
  std::string text = "unit_pkg::" + function + "(" + literal(one.a, plan.a.stored_bits) + ", " +
                     literal(one.b, plan.b.stored_bits) + ", " + literal({one.c}, plan.c.stored_bits);
  if (plan.scale)
    text += ", " + literal(one.scale_a, plan.scale->stored_bits) + ", " + literal(one.scale_b, plan.scale->stored_bits);
  for (const CaseOperand& more : plan.more)
    text += ", " + literal({one.more.begin() + more.first, one.more.begin() + more.end()}, more.format.stored_bits);
  return text + ")";
}

std::string hex_of_places(const std::vector<std::uint64_t>& words, int bits) {
  std::string text;
  for (int at = 0; at < bits; at += 4)
    text.insert(0, hex_text(words[static_cast<std::size_t>(at / 64)] >> at % 64 & 15, 1));
  return text;
}

// A line a case, one for its flags and one for its places: in hexadecimal, by Icarus Verilog and by core.
void expect_core_by_icarus(const Named& named, std::uint64_t count) {
  const Plan& plan = named.plan;
  const std::filesystem::path folder = scratch();
  std::filesystem::create_directories(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  std::string calls, expected;
  LeftByCore left_by_core(plan);
  int bits = 0;
  for (const Place& place : plan.places) bits += place.width;
  for (const Case& one : cases_of(plan, count)) {
    const Left& left = left_by_core(one);
    const auto expect = [&](const char* function, const std::string& text) {
      calls += "    $display(\"%h\", " + call_of(plan, function, one) + ");\n";
      expected += text + "\n";
    };
    expect("dot", hex_text(left.d, plan.d.hex_digits()));
    if (plan.datapath.flags) expect("flags", hex_text(left.flags, 1));
    if (sv_has_places(plan)) expect("places", hex_of_places(left.places, bits));
  }
  std::ofstream(file("unit_pkg.sv")) << sv_of(plan, "unit_pkg");
  std::ofstream(file("tb.sv")) << "module tb;\n  initial begin\n" << calls << "  end\nendmodule\n";
  ASSERT_EQ(run_program({"iverilog", "-g2012", "-s", "tb", "-o", file("tb.vvp"), file("unit_pkg.sv"), file("tb.sv")},
                        file("log")),
            0)
      << named.name << ": " << read_whole_file(file("log"), 16, "a log");
  EXPECT_EQ(said_by({"vvp", "-n", file("tb.vvp")}).value_or("vvp ended early"), expected) << named.name;
}

TEST(SvPackage, IcarusGivesCoresBits) {
  expect_core_by_icarus({"small", plan_of_text(small)}, 200);
  expect_core_by_icarus(instruction_named("volta:mma.m8n8k4.f32.f16.f16.f32"), 100);
}

TEST(SvPackage, IcarusGivesCoresFlags) {
  const std::vector<Named> list = those_of(flagged_units(), 1);
  EXPECT_EQ(list.size(), 4U);
  for (const Named& named : list) expect_core_by_icarus(named, 40);
}

TEST(SvPackage, IcarusGivesCoresRows) {
  for (const Named& named : units_of_rows()) expect_core_by_icarus(named, 60);
}

// Of the units those that round to one of a list of values, or write one.
TEST(SvPackage, IcarusGivesCoresBitsOfLists) {
  int lists = 0;
  for (const auto* list : {&units(), &further_units()}) {
    for (const Named& named : those_of(*list, 1)) {
      bool has_list = false;
      each_format(named.plan, [&](const Format& f, bool is_result) { has_list |= is_result && f.rounds_to_list(); });
      if (!has_list) continue;
      ++lists;
      expect_core_by_icarus(named, 60);
    }
  }
  EXPECT_GE(lists, 6);
  expect_core_by_icarus(unit_of_a_list(), 200);
}

// Verilator's lint, Icarus Verilog and Yosys.
std::string read_by_tools(const Plan& plan, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  std::ofstream(file("unit_pkg.sv")) << sv_of(plan, "unit_pkg");
  const bool has_places = sv_has_places(plan);
  const std::string bits = std::to_string(case_bits(plan) - 1), d = std::to_string(plan.d.stored_bits - 1);
  std::ofstream(file("top.sv")) << "module top (\n  input  logic [" << bits << ":0] in_i,\n  output logic [" << d
                                << ":0] d_o"
                                << (has_places ? ",\n  output logic [unit_pkg::PlacesBits-1:0] places_o" : "")
                                << "\n);\n  assign d_o = " << sv_call(plan, "unit_pkg::dot", 0) << ";\n"
                                << (has_places ? "  assign places_o = " + sv_call(plan, "unit_pkg::places", 0) + ";\n"
                                               : "")
                                << "endmodule\n";
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

TEST(SvPackage, IsReadByAllTools) {
  EXPECT_EQ(read_by_tools(plan_of_text(small), scratch()), "");
  EXPECT_EQ(read_by_tools(units_of_rows()[7].plan, scratch()), "") << "rows";
  EXPECT_EQ(read_by_tools(instruction_named("volta:mma.m8n8k4.f32.f16.f16.f32").plan, scratch()), "");
  for (const Unit& unit : flagged_units()) EXPECT_EQ(read_by_tools(plan_of_unit(unit), scratch()), "") << unit.name;
}

// docs/formal.md, as a reader would do it: a candidate that is the unit, and one that is not.
TEST(SvPackage, YosysProvesACandidateAndRefutesAnother) {
  const std::filesystem::path folder = scratch(), examples = source_dir() + "/docs/examples/formal";
  std::filesystem::create_directories(folder);
  const Plan plan = plan_of_text(read_whole_file((examples / "unit.yaml").string(), 1, "a datapath"));
  std::ofstream(folder / "unit_pkg.sv") << sv_of(plan, "unit_pkg");
  std::filesystem::copy_file(examples / "giving_x.v", folder / "giving_x.v");
  const auto prove = [&](const std::string& candidate) {
    const std::string script = "read_verilog -sv unit_pkg.sv " + candidate + " " + (examples / "check.sv").string() +
                               "; script " + (examples / "prove.ys").string();
    return run_program({"yosys", "-q", "-p", script}, (folder / "log").string(), {{}, folder.string()});
  };
  const std::string right = (examples / "candidate.sv").string();
  EXPECT_EQ(prove(right), 0) << read_whole_file((folder / "log").string(), 16, "a log");
  EXPECT_FALSE(std::filesystem::exists(folder / "counterexample.vcd"));
  EXPECT_EQ(prove((examples / "candidate_wrong.sv").string()), 1);
  EXPECT_TRUE(std::filesystem::exists(folder / "counterexample.vcd"));
  // A value that the case lacks may give anything, and not what the proof would like.
  const std::string sum = "a0_i * b0_i + a1_i * b1_i + c_i;";
  std::ofstream(folder / "lacking.sv") << replaced(
      read_whole_file(right, 1, "a candidate"), "assign d_o = " + sum,
      "always_comb begin\n    d_o = 0;\n    unique case (a0_i[1:0])\n      2'd0: d_o = " + sum +
          "\n      2'd1, 2'd2: d_o = " + sum + "\n    endcase\n  end");
  EXPECT_EQ(prove("lacking.sv"), 1);
}

// --- once ---

// Each datapath that can be written once, under the first of its names.
std::vector<Named> whole_catalogue() {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  std::vector<Named> list;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      Plan plan = catalogue.plan_of(i);
      if (!seen.insert(datapath_sha256(plan) + std::to_string(plan.k)).second || why_no_source(plan)) continue;
      list.push_back({i.full_name(), std::move(plan)});
    }
  }
  std::printf("%zu of %zu\n", list.size(), seen.size());
  std::fflush(stdout);
  return list;
}

// Of 200 those that can be written.
std::vector<Named> random_datapaths() {
  std::vector<Named> list;
  int drawn = 0;
  for (std::uint64_t number = 0; drawn < 200; ++number) {
    const OwnDatapath own = random_datapath(number, 0, number % 4 == 0 ? Domain::usual : Domain::farther);
    auto made = plan(own.words, own.k);
    auto* good = std::get_if<Plan>(&made);
    if (good == nullptr) continue;
    ++drawn;
    if (!why_no_source(*good)) list.push_back({"random " + std::to_string(number), std::move(*good)});
  }
  return list;
}

TEST(SvPackageOfMany, WholeCatalogueIsReadByAllTools) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "An hour of one core: with ASSAY_FULL=1.";
  for (const Named& named : whole_catalogue()) EXPECT_EQ(read_by_tools(named.plan, scratch()), "") << named.name;
}

TEST(SvPackageOfMany, RandomDatapathsAreReadByAllTools) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "A quarter of an hour of one core: with ASSAY_FULL=1.";
  for (const Named& named : random_datapaths()) EXPECT_EQ(read_by_tools(named.plan, scratch()), "") << named.name;
}

TEST(SvPackageOfMany, WholeCatalogueEqualsCoreByIcarus) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Half an hour of one core: with ASSAY_FULL=1.";
  for (const Named& named : whole_catalogue()) expect_core_by_icarus(named, 60);
}

TEST(SvPackageOfMany, RandomDatapathsEqualCoreByIcarus) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  const std::vector<Named> list = random_datapaths();
  EXPECT_GT(list.size(), 190U);
  std::printf("%zu of 200\n", list.size());
  std::fflush(stdout);
  for (const Named& named : list) {
    expect_core_by_icarus(named, 100);
    tell(named, 100);
  }
}

// Verilator expands functions where they are called: of a datapath the smallest unit, of two steps where it has steps.
std::optional<Plan> smallest_unit(const Plan& whole) {
  std::vector<int> sizes{2, 4, 8, 16, 32, whole.k};
  if (whole.datapath.step.terms) sizes.insert(sizes.begin(), 2 * *whole.datapath.step.terms);
  for (const int k : sizes) {
    auto made = plan(whole.datapath, k);
    if (auto* small = std::get_if<Plan>(&made); small != nullptr && k <= whole.k) return std::move(*small);
  }
  return std::nullopt;
}

std::vector<Named> smallest_of_each_datapath() {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<Named> list;
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      std::optional<Plan> small = smallest_unit(catalogue.plan_of(i));
      if (!small || !seen.insert(datapath_sha256(*small)).second) continue;
      const std::string name = i.datapath + " (" + i.full_name() + "), k " + std::to_string(small->k);
      list.push_back({name, std::move(*small)});
    }
  }
  return list;
}

std::vector<Named> smallest_of(const std::vector<Named>& wholes) {
  std::vector<Named> list;
  for (const Named& whole : wholes) {
    if (std::optional<Plan> small = smallest_unit(whole.plan); small && !why_no_source(*small))
      list.push_back({whole.name + ", k " + std::to_string(small->k), std::move(*small)});
  }
  return list;
}

void expect_core_by_verilator(const Named& named, std::uint64_t count) {
  const VerilatedSv verilated({&named.plan}, scratch(), count < 100'000 ? Built::soon : Built::to_run_long);
  ASSERT_EQ(verilated.trouble(), "") << named.name;
  for (std::uint64_t first = 0; first < count; first += at_once) {
    const std::uint64_t some = std::min(at_once, count - first);
    const Judgement judged = verilated.compare({cases_of(named.plan, some, first)}).front();
    ASSERT_EQ(judged.cases, some) << named.name << ": " << judged.first;
    ASSERT_EQ(judged.same, some) << named.name << ": " << judged.first;
  }
  tell(named, count);
}

void expect_each_by_verilator(const std::vector<Named>& list) {
  for (std::size_t i = already_held(); i < list.size(); ++i) {
    std::printf("%zu of %zu: ", i + 1, list.size());
    expect_core_by_verilator(list[i], full_cases(1000));
  }
}

TEST(SvPackageOfMany, EachDatapathEqualsCoreByVerilator) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Hours of one core: with ASSAY_FULL=1.";
  expect_each_by_verilator(smallest_of_each_datapath());
}

TEST(SvPackageOfMany, RandomDatapathsEqualCoreByVerilator) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Hours of one core: with ASSAY_FULL=1.";
  expect_each_by_verilator(smallest_of(random_datapaths()));
}

TEST(SvPackageOfMany, UnitsEqualCore) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(those_of(units(), 1), 2, 1000);
  expect_core_in_turns(those_of(further_units(), 1), 2, 1000);
  expect_core_in_turns(those_of(flagged_units(), 1), 2, 1000);
}

}  // namespace
}  // namespace assay
