// Batches of dot products that have nothing to do with each other: every family of the generator against core.
#include <gtest/gtest.h>

#include "model/fast/kernel.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 9;

std::vector<Case> cases_for(const Plan& plan, int count) {
  const Generator generator(plan, seed);
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    cases.push_back(i % 3 == 2 ? corner_case(plan, number) : generator.make(number));
  }
  return cases;
}

std::vector<Operand> operands_of(const std::vector<Case>& cases) {
  std::vector<Operand> operands;
  for (const Case& c : cases) operands.push_back(c.operand());
  return operands;
}

std::vector<Code> by_core(const Plan& plan, const std::vector<Operand>& operands) {
  Registers registers;
  std::vector<Code> d;
  for (const Operand& operand : operands) d.push_back(dot(plan, operand, registers));
  return d;
}

void expect_equal(const Plan& plan, int count) {
  const std::vector<Case> cases = cases_for(plan, count);
  const std::vector<Operand> operands = operands_of(cases);
  const std::vector<Code> core = by_core(plan, operands);
  const Kernel kernel(plan);
  for (const std::int64_t target : targets()) {
    const OnlyTarget only(target);
    std::vector<Code> d(operands.size());
    kernel.batch(operands.data(), operands.size(), d.data());
    for (std::size_t i = 0; i < d.size(); ++i)
      ASSERT_EQ(d[i], core[i]) << plan_text(plan) << " by " << kernel.path() << ", case " << i;
  }
}

TEST(FastBatch, EqualsCoreForEveryShippedPlan) {
  for (const Plan& plan : shipped_plans()) expect_equal(plan, 301);
}

TEST(FastBatch, EqualsCoreForOwnDatapaths) {
  for (std::uint64_t number = 0; number < 500; ++number) expect_equal(own_plan(number), 67);
}

TEST(FastBatch, IsTheSameWithAnyNumberOfThreads) {
  for (const Plan& plan : shipped_plans()) {
    const std::vector<Case> cases = cases_for(plan, 600);
    const std::vector<Operand> operands = operands_of(cases);
    const Kernel kernel(plan);
    std::vector<Code> once(operands.size());
    kernel.batch(operands.data(), operands.size(), once.data(), 1);
    for (const int threads : {2, 7}) {
      std::vector<Code> d(operands.size());
      kernel.batch(operands.data(), operands.size(), d.data(), threads);
      ASSERT_EQ(d, once) << plan_text(plan);
    }
  }
}

TEST(FastBatch, OfNothingWritesNothing) {
  const Kernel kernel(shipped_plans().front());
  Code d = 17;
  kernel.batch(nullptr, 0, &d);
  EXPECT_EQ(d, 17U);
}

}  // namespace
}  // namespace assay
