// Batches of dot products that have nothing to do with each other: every family of the generator against core.
#include <gtest/gtest.h>

#include <stdexcept>

#include "model/fast/kernel.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/fast/batch.hpp"
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

void expect_equal(const Plan& plan, int count) { expect_batch_equals_core(plan, cases_for(plan, count)); }

TEST(FastBatch, EqualsCoreForEveryShippedPlan) {
  for (const Plan& plan : shipped_plans()) expect_equal(plan, 301);
}

TEST(FastBatch, EqualsCoreForOwnDatapaths) {
  for (std::uint64_t number = 0; number < own_datapaths; ++number) expect_equal(own_plan(number), 67);
}

TEST(FastBatch, EqualsCoreForShippedDatapathsWithOneWordChanged) {
  for (const Plan& plan : changed_plans()) expect_equal(plan, 120);
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

const Plan& shipped_plan(const std::string& datapath, const std::string& operand) {
  for (const Plan& plan : shipped_plans()) {
    if (plan.datapath.name == datapath && plan.a.name == operand && plan.b.name == operand) return plan;
  }
  throw std::runtime_error("No shipped plan is of " + datapath + " on " + operand + ".");
}

Case zeros(const Plan& plan) {
  Case one;
  one.a.assign(static_cast<std::size_t>(plan.k), 0);
  one.b = one.a;
  return one;
}

void expect_d(const Plan& plan, const Case& one, Code expected) {
  const std::vector<Operand> operands{one.operand()};
  EXPECT_EQ(by_core(plan, operands).front(), expected);
  const Kernel kernel(plan);
  EXPECT_EQ(kernel.path(), "32-bit lanes");
  Code d = ~expected;
  kernel.batch(operands.data(), 1, &d);
  EXPECT_EQ(d, expected);
}

// 2^-25 is half of the least half, and 2^-47 would make it more: but the window ends 25 bits below its floor, 2^-21.
TEST(FastBatch, KeepsTheFloorOfAWindow) {
  const Plan& plan = shipped_plan("fused_f25_f16", "f16");
  Case one = zeros(plan);
  one.a[0] = 0x0c00, one.b[0] = 0x0800;  // 2^-12 x 2^-13
  one.a[1] = 0x0001, one.b[1] = 0x0002;  // 2^-24 x 2^-23
  expect_d(plan, one, 0);
}

// c = -2^-149, below all 13 bits of the window at 2^-126: nothing is left to have a sign.
TEST(FastBatch, CutsAnAccumulatorToPlusZeroInTheWindow) {
  const Plan& plan = shipped_plan("fused_f13_e133", "e4m3");
  Case one = zeros(plan);
  one.c = 0x80000001;
  expect_d(plan, one, 0);
}

// c = -1 and 129 x 2^-32 more: 31 bits below the leading one of the sum, which is at 2^-1, reach 2^-32. A cut from 2^0
// on would leave 128 x 2^-32, a tie, and -1.
TEST(FastBatch, CutsANegativeSumAtItsOwnLeadingOne) {
  const Plan& plan = shipped_plan("late_floor_f24_step8", "f16");
  Case one = zeros(plan);
  one.a[0] = 0x1808, one.b[0] = 0x0100;  // 129 x 2^-16 x 2^-16
  one.c = 0xbf800000;
  expect_d(plan, one, 0xbf7fffff);
}

// The machine's own addition would pass on the NaN that c is.
TEST(FastBatch, WritesTheOneNanOfALateAddition) {
  Plan plan = shipped_plan("split_f25", "e4m3");
  plan.nan = {false, 0x7fffffff};
  Case one = zeros(plan);
  one.c = 0xffc00001;
  expect_d(plan, one, 0x7fffffff);
}

TEST(FastBatch, OfNothingWritesNothing) {
  const Kernel kernel(shipped_plans().front());
  Code d = 17;
  kernel.batch(nullptr, 0, &d);
  EXPECT_EQ(d, 17U);
}

}  // namespace
}  // namespace assay
