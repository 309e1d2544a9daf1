// The modules leave the core's bits: d and every place of every case, whatever the timing.
#include <gtest/gtest.h>

#include <algorithm>

#include <set>

#include "model/systemc/simulation.hpp"
#include "tb/tests/systemc/cases.hpp"
#include "tb/tests/systemc/plans.hpp"

namespace assay::testing {
namespace {

constexpr int case_count = 2000;

int random_depth(const std::string& input) {
  return 1 + static_cast<int>(hash(std::hash<std::string>{}(input), 0, 0) % 5);
}

systemc::Timing timing(const std::string& name) {
  if (name == "depth_1") return systemc::steady(1);
  systemc::Timing chosen = systemc::steady();
  if (name == "stalls" || name == "stalls_and_depths") chosen.stall = systemc::random_stalls(7);
  if (name == "stalls_and_depths") chosen.depth = random_depth;
  return chosen;
}

using Parameter = std::tuple<std::string, std::string>;

class SameBits : public ::testing::TestWithParam<Parameter> {};

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const Example& candidate : examples()) names.push_back(candidate.name);
  return names;
}

TEST_P(SameBits, AsTheCore) {
  const Example& chosen = example(std::get<0>(GetParam()));
  const Plan plan = planned(chosen.datapath, chosen.k);
  ASSERT_EQ(systemc::why_not_built(plan), std::nullopt);
  const std::vector<systemc::Codes> cases = make_cases(plan, case_count);
  systemc::Simulation simulation(plan, timing(std::get<1>(GetParam())));
  const std::vector<systemc::UnitAnswer> answers = simulation.run(cases, true);
  ASSERT_EQ(answers.size(), cases.size());

  Registers registers;
  Trace expected(plan);
  std::set<Code> different;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Code d = dot(plan, operand(cases[i]), registers, &expected);
    different.insert(d);
    ASSERT_EQ(answers[i].d, d) << "case " << i;
    ASSERT_TRUE(answers[i].trace.has_value());
    for (int place = 0; place < static_cast<int>(plan.places.size()); ++place) {
      ASSERT_TRUE(answers[i].trace->same(place, expected))
          << "case " << i << " at " << plan.places[static_cast<std::size_t>(place)].name << ": "
          << answers[i].trace->at(place).hex() << " instead of " << expected.at(place).hex();
    }
  }
  const std::size_t codes = plan.d.stored_bits < 16 ? std::size_t{1} << plan.d.stored_bits : case_count;
  EXPECT_GT(different.size(), std::min<std::size_t>(case_count, codes) / 4)
      << "these cases leave too few different results to show anything";
}

INSTANTIATE_TEST_SUITE_P(, SameBits,
                         ::testing::Combine(::testing::ValuesIn(example_names()),
                                            ::testing::Values("plain", "stalls", "depth_1", "stalls_and_depths")),
                         [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

}  // namespace
}  // namespace assay::testing
