// The wiring that export-sv prints, and what it refuses.
#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

TEST(ExportSv, TheCommittedWiringIsWhatItPrints) {
  const Unit& unit = committed_unit();
  const std::string printed = export_sv(plan_of_unit(unit), unit.name);
  const auto committed = source_folder() / "rtl_ref" / (std::string(unit.name) + ".sv");
  const auto fresh = scratch_folder() / (std::string(unit.name) + ".sv");
  write_text(fresh, printed);
  EXPECT_TRUE(printed == read_text(committed)) << committed << " is not what export_sv prints now. If the change is "
                                               << "meant, copy " << fresh << " over it.";
}

TEST(ExportSv, TheDutFileClaimsAnInstructionOfTheSameDatapath) {
  const Catalogue catalogue = shipped_catalogue();
  const Dut dut = read_dut_file((source_folder() / "configs/dut/fused_f25_f16.yaml").string());
  const Plan claimed = catalogue.plan_of(catalogue.instruction(dut.claims.front().instruction));
  EXPECT_EQ(export_sv(claimed, dut.top), export_sv(plan_of_unit(committed_unit()), dut.top));
}

bool fused(const std::string& datapath) {
  const auto begins = [&](const char* with) { return datapath.rfind(with, 0) == 0; };
  return begins("fused_f") || begins("split_f") || begins("group_scaled") || begins("late_floor") ||
         begins("even_odd") || begins("exact");
}

TEST(ExportSv, EveryFusedDatapathOfTheCatalogueCanBeWired) {
  const Catalogue catalogue = shipped_catalogue();
  int wired = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      if (!fused(instruction.datapath)) continue;
      ASSERT_NO_THROW(export_sv(catalogue.plan_of(instruction), "dot")) << instruction.full_name();
      ++wired;
    }
  }
  EXPECT_GE(wired, 120);
}

TEST(ExportSv, LinesFitAHundredColumns) {
  for (const Unit& unit : units()) {
    const Plan plan = plan_of_unit(unit);
    const std::string text = export_sv(plan, unit.name) + export_sv(plan, unit.name, ExportTiming::pipelined);
    std::size_t from = 0;
    for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
      EXPECT_LE(end - from, 100u) << text.substr(from, end - from);
  }
}

TEST(ExportSv, APipelinedHeaderNamesEveryCut) {
  const Plan plan = plan_of_text(R"(
name: pairs
k: 4
operands: {a: f16, b: f16, c: f32, d: f32}
specials: step
adders:
  - name: pairs
    add: {product: {keep: 20, cut: down}}
    group: {terms: 2}
  - name: sum
    add: {pairs: {keep: 24, cut: down}, acc: {keep: 24, cut: down}}
    result: [{format: d, cut: nearest_even}]
)");
  const std::string text = export_sv(plan, "dot", ExportTiming::pipelined);
  EXPECT_NE(text.find("//   [0]    multiply\n"
                      "//   [1]    step[0].pairs.align\n"
                      "//   [2]    step[0].pairs.reduce\n"
                      "//   [3]    step[0].sum.align\n"
                      "//   [4]    step[0].sum.reduce\n"
                      "//   [5]    step[0].acc\n"
                      "module dot #(\n  parameter logic [5:0] Registers = '1\n) (\n"),
            std::string::npos)
      << text.substr(0, text.find(");"));
}

// The twin lets the scoreboard be tested; it must not differ by anything else.
TEST(ExportSv, TheFaultyTwinDiffersInItsFaultOnly) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> list;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) list.push_back(line);
    return list;
  };
  const auto sound = lines(read_text(source_folder() / "rtl_ref/assay_align.sv"));
  auto faulty = lines(read_text(source_folder() / "rtl_ref/faults/assay_align.sv"));
  ASSERT_GT(faulty.size(), 2u);
  EXPECT_EQ(faulty[0].rfind("// A broken twin:", 0), 0u);
  faulty.erase(faulty.begin(), faulty.begin() + 2);
  ASSERT_EQ(sound.size(), faulty.size());
  std::vector<std::string> different;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    if (sound[i] != faulty[i]) different.push_back(faulty[i]);
  }
  ASSERT_EQ(different.size(), 1u);
  EXPECT_NE(different[0].find("(i == 5)"), std::string::npos) << different[0];
}

// --- refusals ---

// A datapath that can be wired; each test changes what it replaces.
constexpr const char* plain = R"(
name: plain
k: 8
operands: {a: f16, b: f16, c: f32, d: f32}
specials: step
nan: 7fffffff
adders:
  - name: sum
    add:
      product: {keep: 24, cut: toward_zero}
      acc: {keep: 24, cut: toward_zero}
    window: {exponent: largest, floor: -131}
    result:
      - {format: d, cut: toward_zero, overflow: infinity}
)";

struct Refusal {
  const char* name;
  std::vector<std::pair<std::string, std::string>> changes;  // in `plain`
  std::string message;
};

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class ExportRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(ExportRefusal, NamesTheKey) {
  std::string text = plain;
  for (const auto& [from, to] : GetParam().changes) text = changed(text, from, to);
  const Plan plan = plan_of_text(text);
  try {
    export_sv(plan, "dot");
    FAIL() << "It was wired.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, GetParam().message);
  }
}

const std::string earlier_adder = R"(adders:
  - name: dot
    add: {product: INPUT}
    result: [RESULT]
  - name: sum)";

std::string with_earlier(const std::string& input, const std::string& result) {
  return changed(changed(earlier_adder, "INPUT", input), "RESULT", result);
}

const std::vector<Refusal> refusals{
    {"Integers",
     {{"{a: f16, b: f16, c: f32, d: f32}", "{a: i8, b: i8, c: i32, d: i32}"},
      {"nan: 7fffffff", ""},
      {"specials: step", "specials: numbers"},
      {"overflow: infinity", "overflow: wrap"}},
     "operands.a: export-sv has blocks for floating point only, not for i8."},
    {"NoMantissa",
     {{"d: f32", "d: e5m0"},
      {"name: plain",
       "name: plain\nformats: {e5m0: {exponent: 5, mantissa: 0, bias: 15, "
       "infinity: false, nan: all_ones, signed_zero: true}}"},
      {"a: f16, b: f16, c: f32", "a: e4m3, b: e4m3, c: e4m3"},
      {"nan: 7fffffff", "nan: 3f"},
      {"overflow: infinity", "overflow: largest"}},
     "operands.d: export-sv rounds to formats with a mantissa; e5m0 has none."},
    {"ScaledNanPayloads",
     {{"nan: 7fffffff", "nan: propagate"},
      {"d: f32}", "d: f32, scale: {format: ue8m0, block: 8}}"},
      {"adders:", "product: {times: scales}\nadders:"}},
     "nan: export-sv cannot propagate NaN payloads through scales; give `nan` a code."},
    {"CrowdedNanPayloads",
     {{"nan: 7fffffff", "nan: propagate"},
      {"overflow: infinity}\n",
       "overflow: infinity}\nfinish:\n  - name: both\n    add: {lanes: exact, c: exact}\n    result: [{format: d, cut: "
       "down}]\n  - name: late\n    add: {lanes: exact, both: exact, c: exact}\n    result: [{format: d, cut: "
       "down}]\n"}},
     "finish[1].add: export-sv propagates NaN payloads through sums of one or two inputs only."},
    {"NarrowNanPayloads",
     {{"nan: 7fffffff", "nan: propagate"},
      {"- {format: d, cut: toward_zero, overflow: infinity}\n",
       "- {at: leading_one, keep: 8, cut: down, least_exponent: -126}\nfinish:\n  - name: late\n    add: {lanes: "
       "exact, "
       "c: exact}\n    result: [{format: d, cut: down}]\n"}},
     "adders[0].result: export-sv propagates NaN payloads in the significand: the result of sum has 9 bits for it, 24 "
     "are needed."},
    {"ScaledSumInAMovingWindow",
     {{"d: f32}", "d: f32, scale: {format: ue8m0, block: 8}}"},
      {"adders:\n  - name: sum", with_earlier("exact", "{at: window, keep: 60, cut: toward_zero}")},
      {"    result: [{at", "    times: scales\n    result: [{at"},
      {"product: {keep: 24", "dot: {keep: 24"}},
     "adders[0].window: export-sv scales exact sums in a fixed window only: say `window: {exponent: fixed, at: 0}`."},
    {"Specials",
     {{"specials: step", "specials: operation"}},
     "specials: export-sv decides on NaN and infinity once a step (specials: step), not by operation."},
    {"RoundedProduct",
     {{"adders:", "product: {round: {format: f32, cut: nearest_even}}\nadders:"}},
     "product.round: export-sv has exact products only."},
    {"NormalisedProduct",
     {{"adders:", "product: {exponent: normalised}\nadders:"}},
     "product.exponent: export-sv does not normalise products."},
    {"Tree",
     {{"    window:", "    shape: neighbours\n    window:"}},
     "adders[0].shape: export-sv wires fused sums (shape: flat) only, not neighbours."},
    {"CoarseWindow",
     {{"floor: -131", "floor: -131, step: 3"}},
     "adders[0].window.step: export-sv needs a power of two, not 3."},
    {"ExactAndCut",
     {{"acc: {keep: 24, cut: toward_zero}", "acc: exact"}},
     "adders[0].add.acc.keep: export-sv cannot add exact and cut inputs in one adder; give all of them a `keep`, or "
     "none."},
    {"ExactSumGoesOn",
     {{"adders:\n  - name: sum", changed(with_earlier("exact", ""), "    result: []\n", "")},
      {"product: {keep: 24", "dot: {keep: 24"}},
     "adders[1].add.dot: export-sv needs a `result` after an exact sum before another adder can take it."},
    {"FlushedResult",
     {{"overflow: infinity", "overflow: infinity, subnormals: zero"}},
     "adders[0].result[0].subnormals: export-sv keeps subnormal results; it cannot flush them."},
};

INSTANTIATE_TEST_SUITE_P(Keys, ExportRefusal, testing::ValuesIn(refusals),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(ExportSv, ThePlainDatapathOfTheseRefusalsCanBeWired) { EXPECT_NO_THROW(export_sv(plan_of_text(plain), "dot")); }

}  // namespace
}  // namespace assay
