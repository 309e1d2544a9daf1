// Many exported datapaths against core at every place. The instructions stand for the forms of the catalogue; the units
// for what else the vocabulary has. With ASSAY_FULL=1 the whole catalogue and 300 datapaths that nobody built.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/config/digest.hpp"
#include "model/core/result_words.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/generate/generator.hpp"
#include "tb/source/widths.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/many.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 21;

// Two of the generator's cases, then one of the corners.
Case case_of(const Generator& generator, const Plan& plan, std::uint64_t number) {
  Case one = number % 3 == 2 ? corner_case(plan, number) : generator.make(number - number / 3);
  one.number = number;
  return one;
}

struct Named {
  std::string name;
  Plan plan;
};

// Which module is which, for what Verilator says.
std::string names_of(const std::vector<Named>& list) {
  std::string names;
  for (std::size_t i = 0; i < list.size(); ++i) names += "dot" + std::to_string(i) + " is " + list[i].name + "\n";
  return names;
}

// Each list is one program.
void expect_core(const std::vector<Named>& list, std::uint64_t count, ExportTiming timing) {
  std::vector<const Plan*> plans;
  std::vector<Generator> generators;
  for (const Named& named : list) plans.push_back(&named.plan);
  for (const Plan* plan : plans) generators.emplace_back(*plan, seed);
  const ManyRtl many(plans, scratch_folder(), timing);
  ASSERT_EQ(many.trouble(), "") << names_of(list);
  std::vector<Judgement> judged(list.size());
  for (std::uint64_t number = 0; number < count;) {
    std::vector<std::vector<Case>> cases(list.size());
    const std::uint64_t end = std::min<std::uint64_t>(count, number + 500);
    for (; number < end; ++number) {
      for (std::size_t i = 0; i < list.size(); ++i) cases[i].push_back(case_of(generators[i], *plans[i], number));
    }
    many.compare(cases, judged);
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(judged[i].cases, count) << list[i].name;
    EXPECT_EQ(judged[i].same, count) << list[i].name << ": " << judged[i].first;
  }
}

// How many each has: ASSAY_RTL_CASES, or so many.
std::uint64_t cases_or(std::uint64_t usual) {
  const char* asked = std::getenv("ASSAY_RTL_CASES");
  return asked == nullptr ? usual : std::strtoull(asked, nullptr, 10);
}

// --- in every run ---

std::vector<Named> all_of(const std::vector<Unit>& units) {
  std::vector<Named> list;
  for (const Unit& unit : units) list.push_back({unit.name, plan_of_unit(unit)});
  return list;
}

std::vector<Named> all_units() { return all_of(units()); }

TEST(ManyRtl, UnitsEqualCoreEverywhere) { expect_core(all_units(), cases_or(1000), ExportTiming::combinational); }

TEST(ManyRtl, FurtherUnitsEqualCoreEverywhere) {
  expect_core(all_of(further_units()), cases_or(2000), ExportTiming::combinational);
}

TEST(ManyRtl, FlaggedUnitsEqualCoreEverywhere) {
  expect_core(all_of(flagged_units()), cases_or(2000), ExportTiming::combinational);
}

TEST(ManyRtl, PipelinedFlaggedUnitsEqualCoreEverywhere) {
  expect_core(all_of(flagged_units()), cases_or(2000), ExportTiming::pipelined);
}

// A new case at every edge: what is delayed by one register too few or too many meets another case.
TEST(ManyRtl, PipelinedUnitsEqualCoreEverywhere) { expect_core(all_units(), cases_or(1000), ExportTiming::pipelined); }

// Those whose registers hold what no other unit has: random words, scales of one side and their NaNs, slices and
// addends of windows that may be lost. All of them with ASSAY_FULL=1.
TEST(ManyRtl, PipelinedFurtherUnitsEqualCoreEverywhere) {
  const std::set<std::string> some{"dot_levels", "dot_by_chance", "dot_saturating", "dot_passes", "dot_ordered_lists"};
  std::vector<Named> list;
  for (Named& unit : all_of(further_units())) {
    if (quick_or_full(0, 1) == 1 || some.count(unit.name) != 0) list.push_back(std::move(unit));
  }
  ASSERT_GE(list.size(), some.size());
  expect_core(list, cases_or(1000), ExportTiming::pipelined);
}

TEST(ManyRtl, InstructionsEqualCoreEverywhere) {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<Named> list;
  for (const char* name :
       {"hopper:wgmma.m64nNk16.f32.f16.f16", "hopper:wgmma.m64nNk16.f16.f16.f16", "hopper:wgmma.m64nNk32.f32.e4m3.e5m2",
        "volta:mma.m8n8k4.f32.f16.f16.f32", "ampere:mma.m16n8k16.f32.bf16.bf16.f32",
        "ada:mma.m16n8k32.f32.e4m3.e4m3.f32", "blackwell:tcgen05.mma.m64nNk32.f32.e3m2.e2m3",
        "blackwell:mma.m16n8k32.f32.e4m3.e4m3.f32", "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0",
        "rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3", "cdna3:v_mfma_f32_16x16x16_f16",
        "cdna3:v_mfma_f32_16x16x32_fp8_bf8", "wormhole:mvmul.f16.f16.f16.hifi2", "gaudi3:mme.f32.e4m3.e5m2",
        "power10:xvbf16ger2", "power10:pmxvf64gernp", "arm:fdot_fp8fp16.e4m3.e5m2"})
    list.push_back({name, catalogue.plan_of(catalogue.instruction(name))});
  expect_core(list, cases_or(1000), ExportTiming::combinational);
}

// --- a judge that finds what is wrong ---

TEST(ManyRtl, TellsOneDatapathFromItsNeighbour) {
  const Plan right = plan_of_unit(committed_unit());
  Plan wrong = right;
  wrong.adders[0].inputs[0].words.cut = Cut::down;  // as widths go, the same
  const ManyRtl many({&wrong}, scratch_folder(), ExportTiming::combinational);
  ASSERT_EQ(many.trouble(), "");
  const Generator generator(right, seed);
  std::vector<std::vector<Case>> cases(1);
  for (std::uint64_t number = 0; number < 300; ++number) cases[0].push_back(case_of(generator, right, number));
  std::vector<Judgement> judged(1);
  wrong.adders[0].inputs[0].words.cut = Cut::toward_zero;
  many.compare(cases, judged);
  EXPECT_EQ(judged[0].cases, 300u);
  EXPECT_LT(judged[0].same, 290u);
  EXPECT_NE(judged[0].first.find("step[0].sum.align["), std::string::npos) << judged[0].first;
}

// --- once ---

std::vector<Named> whole_catalogue() {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  std::vector<Named> list;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      Plan plan = catalogue.plan_of(instruction);
      if (why_not_exportable(plan)) continue;
      if (seen.insert(datapath_sha256(plan) + std::to_string(plan.k)).second)
        list.push_back({instruction.full_name(), std::move(plan)});
    }
  }
  return list;
}

// Lists of values, integers beside floats or with a point, what else a case brings, words of formats.
bool has_further_words(const Plan& plan) {
  return !is_plain(plan) || result_without_minus_zero(plan) != nullptr || plan.takes_more() ||
         list_in(plan) != nullptr || point_in(plan) != nullptr;
}

template <class IsIt>
std::vector<Named> random_plans(int count, const IsIt& is_it) {
  std::vector<Named> list;
  for (int number = 0; number < count; ++number) {
    for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
      const OwnDatapath own = random_datapath(static_cast<std::uint64_t>(number), attempt);
      auto made = plan(own.words, own.k);
      if (auto* good = std::get_if<Plan>(&made); good != nullptr && !why_not_exportable(*good) && is_it(*good)) {
        list.push_back({"random " + std::to_string(number), std::move(*good)});
        break;
      }
    }
  }
  return list;
}

constexpr std::size_t together = 10;

void expect_core_in_turns(std::vector<Named> list) {
  for (std::size_t from = 0; from < list.size(); from += together) {
    const std::size_t end = std::min(list.size(), from + together);
    std::vector<Named> some;
    for (std::size_t i = from; i < end; ++i) some.push_back(std::move(list[i]));
    expect_core(some, cases_or(20'000), ExportTiming::combinational);
  }
}

TEST(ManyRtl, WholeCatalogueEqualsCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "An hour of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(whole_catalogue());
}

TEST(ManyRtl, RandomDatapathsEqualCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "An hour of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(random_plans(300, [](const Plan&) { return true; }));
}

TEST(ManyRtl, RandomDatapathsOfFurtherWordsEqualCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "An hour of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(random_plans(300, has_further_words));
}

TEST(ManyRtl, RandomOrdersOfNansEqualCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "A quarter of an hour of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(random_plans(60, [](const Plan& plan) { return plan.take.has_value(); }));
}

TEST(ManyRtl, RandomFlagsEqualCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Half an hour of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(random_plans(120, [](const Plan& plan) { return plan.datapath.flags.has_value(); }));
}

// The last bit of an integer weighs more than 1.
bool has_large_units(const Plan& plan) {
  bool found = false;
  each_format(plan, [&](const Format& f, bool) { found = found || (f.is_integer() && f.fraction_bits < 0); });
  return found;
}

TEST(ManyRtl, RandomIntegersOfLargeUnitsEqualCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  expect_core_in_turns(random_plans(40, has_large_units));
}

// Each shows a rule at which another reading was likely, or what a unit does that somebody sells.
TEST(ManyRtl, EveryExampleEqualsCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Half an hour of one core: with ASSAY_FULL=1.";
  std::vector<Named> list;
  for (const char* folder : {"docs/examples/results", "docs/examples/semantics", "docs/examples/units"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source_folder() / folder)) {
      if (entry.path().extension() == ".yaml")
        list.push_back({entry.path().stem(), plan_of_text(read_text(entry.path()))});
    }
  }
  EXPECT_GE(list.size(), 120u);
  expect_core_in_turns(std::move(list));
}

}  // namespace
}  // namespace assay
