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
  std::vector<systemc::Answer> answers = simulation.run({}, false);
  EXPECT_TRUE(answers.empty());
  for (std::size_t first = 0, size = 1; first < cases.size(); first += size, size = size % 7 + 1) {
    const std::size_t last = std::min(first + size, cases.size());
    const auto some = simulation.run(
        {cases.begin() + static_cast<std::ptrdiff_t>(first), cases.begin() + static_cast<std::ptrdiff_t>(last)},
        first % 2 == 0);
    answers.insert(answers.end(), some.begin(), some.end());
    for (const systemc::Answer& answer : some) EXPECT_EQ(answer.trace.has_value(), first % 2 == 0);
  }
  ASSERT_EQ(answers.size(), cases.size());
  Registers registers;
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(answers[i].d, dot(plan, operand(cases[i]), registers));
}

TEST(Unit, ModulesAreNamedAfterTheirPlaces) {
  const Plan plan = plan_of("emulated_fp8");
  systemc::Simulation simulation(plan, systemc::steady());
  for (const char* name : {"unit.decode", "unit.multiply", "unit.step_0_special", "unit.step_0_sum.window",
                           "unit.step_1_sum.align", "unit.step_1_sum.reduce", "unit.step_1_sum.round",
                           "unit.step_1_acc", "unit.finish_late.round", "unit.encode"}) {
    EXPECT_NE(sc_core::sc_find_object(name), nullptr) << name;
  }
  EXPECT_EQ(sc_core::sc_find_object("unit.step_2_acc"), nullptr);
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
