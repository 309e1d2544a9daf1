// What a DotUnit is from outside: names, repeated runs, traces on demand, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/systemc/simulation.hpp"
#include "tb/tests/systemc/cases.hpp"
#include "tb/tests/systemc/plans.hpp"

namespace assay::testing {
namespace {

Plan plan_of(const std::string& name) {
  const Example& chosen = example(name);
  return planned(chosen.datapath, chosen.k);
}

TEST(Unit, ManyRunsAreAsOne) {
  const Plan plan = plan_of("fused_f25");
  const std::vector<systemc::Codes> cases = make_cases(plan, 300);
  systemc::Simulation simulation(plan, systemc::steady());
  std::vector<systemc::UnitAnswer> answers = simulation.run({}, false);
  EXPECT_TRUE(answers.empty());
  for (std::size_t first = 0, size = 1; first < cases.size(); first += size, size = size % 7 + 1) {
    const std::size_t last = std::min(first + size, cases.size());
    const auto some = simulation.run(
        {cases.begin() + static_cast<std::ptrdiff_t>(first), cases.begin() + static_cast<std::ptrdiff_t>(last)},
        first % 2 == 0);
    answers.insert(answers.end(), some.begin(), some.end());
    for (const systemc::UnitAnswer& answer : some) EXPECT_EQ(answer.trace.has_value(), first % 2 == 0);
  }
  ASSERT_EQ(answers.size(), cases.size());
  Registers registers;
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(answers[i].d, dot(plan, operand(cases[i]), registers));
}

class Names : public ::testing::TestWithParam<std::string> {};

// Only decode and multiply leave many places each, and several results are rounded by one module.
TEST_P(Names, ModulesAreCalledAsTheirPlaces) {
  const Plan plan = plan_of(GetParam());
  systemc::Simulation simulation(plan, systemc::steady());
  int found = 0;
  for (const Place& place : plan.places) {
    if (place.stage == Stage::decode || place.stage == Stage::multiply || place.stage == Stage::align ||
        place.stage == Stage::round || place.stage == Stage::scale) {
      continue;
    }
    EXPECT_NE(sc_core::sc_find_object(("unit." + place.name).c_str()), nullptr) << place.name;
    ++found;
  }
  EXPECT_GT(found, 4);
  EXPECT_EQ(sc_core::sc_find_object(("unit.step[" + std::to_string(plan.steps) + "]").c_str()), nullptr);
}

INSTANTIATE_TEST_SUITE_P(, Names,
                         ::testing::Values("fused_f25", "scaled_groups", "neighbours", "two_lanes", "emulated_fp8"),
                         [](const auto& info) { return info.param; });

// Names that an adder may have and that other modules could have been given.
TEST(Unit, AwkwardNamesOfAdders) {
  Datapath words = fused_f25();
  Adder pairs = words.adders.front();
  Adder sum = words.adders.front();
  pairs.name = "wire_0";
  pairs.add.pop_back();
  pairs.group = Group{2, Deal::neighbours, 1};
  sum.name = "wire_0_1";
  sum.add.front().source = pairs.name;
  words.adders = {pairs, sum};
  const Plan plan = planned(words, 4);
  systemc::Simulation simulation(plan, systemc::steady());
  EXPECT_EQ(simulation.run(make_cases(plan, 5), true).size(), 5U);
}

TEST(Unit, StallsTakeTimeAndNothingElse) {
  const Plan plan = plan_of("fused_f25");
  systemc::Timing timing = systemc::steady();
  timing.stall = [](const std::string& module, std::uint64_t) { return module == "unit.encode" ? 3 : 0; };
  systemc::Simulation simulation(plan, timing);
  EXPECT_EQ(simulation.run(make_cases(plan, 10), false).size(), 10U);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(30, sc_core::SC_NS));
}

TEST(Unit, RandomStallsFollowTheirSeed) {
  const auto one = systemc::random_stalls(1), same = systemc::random_stalls(1), other = systemc::random_stalls(2);
  int different = 0, none = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const int cycles = one("unit.decode", i);
    EXPECT_EQ(cycles, same("unit.decode", i));
    EXPECT_GE(cycles, 0);
    EXPECT_LE(cycles, 4);
    different += cycles != other("unit.decode", i) ? 1 : 0;
    none += cycles == 0 ? 1 : 0;
  }
  EXPECT_GT(different, 400);
  EXPECT_NEAR(none, 500, 100);
}

TEST(Unit, TooManySumsAreRefused) {
  Datapath words = fused_f25();
  words.step = Group{1, Deal::neighbours, 1};
  const Plan many = planned(words, 2049);
  EXPECT_EQ(systemc::sums(many), 2049);
  EXPECT_EQ(systemc::why_not_built(many),
            "The SystemC model builds every sum of a dot product side by side: this datapath asks for 2049 of them at "
            "k = 2049, and at most 2048 are built. Take a shorter k or more terms in a step.");
  EXPECT_EQ(systemc::why_not_built(planned(words, 2048)), std::nullopt);
}

TEST(Unit, TheGreatestPlanIsBuilt) {
  Datapath words = fused_f25();
  words.step = Group{1, Deal::neighbours, 1};
  const Plan plan = planned(words, 2048);
  const std::vector<systemc::Codes> cases = make_cases(plan, 4);
  systemc::Simulation simulation(plan, systemc::steady(1));
  const auto answers = simulation.run(cases, true);
  Registers registers;
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(answers[i].d, dot(plan, operand(cases[i]), registers));
}

TEST(Unit, DuplicateNamesAreFatal) {
  sc_core::sc_signal<bool> first("same");
  EXPECT_THROW(sc_core::sc_signal<bool> second("same"), sc_core::sc_report);
}

}  // namespace
}  // namespace assay::testing
