// Whole matrices: every shipped plan and 500 own datapaths, on every instruction set this machine has, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/fast/plans.hpp"
#include "tb/tests/fast/product.hpp"

namespace assay {
namespace {

// A second instruction along K where the plan can be chained.
int instructions(const Plan& plan) { return plan.c == plan.d ? 2 : 1; }

// Odd sizes, every layout in turn.
MatrixProduct product(const Plan& plan, int number, int m, int n) {
  const bool same_size = element_bytes(plan.c.stored_bits) == element_bytes(plan.d.stored_bits);
  return MatrixProduct(plan, m, n, instructions(plan), {number % 2 != 0, number % 3 == 1 && same_size, number % 5});
}

// The first element that differs, as text; empty where none does.
std::string difference(const std::vector<Code>& fast, const std::vector<Code>& core, int columns) {
  if (fast.size() != core.size()) return "There are " + std::to_string(fast.size()) + " elements.";
  for (std::size_t i = 0; i < core.size(); ++i) {
    if (fast[i] == core[i]) continue;
    char text[128];
    const auto at = static_cast<int>(i);
    std::snprintf(text, sizeof text, "d[%d,%d] is %llx, of core %llx.", at / columns, at % columns,
                  static_cast<unsigned long long>(fast[i]), static_cast<unsigned long long>(core[i]));
    return text;
  }
  return "";
}

void expect_equal(const Plan& plan, int number, int m, int n) {
  MatrixProduct x = product(plan, number, m, n);
  const Kernel kernel(plan);
  for (const std::int64_t target : targets()) {
    const OnlyTarget only(target);
    ASSERT_EQ(difference(x.run(kernel, 1), x.expected(), n), "") << plan_text(plan) << " by " << kernel.path();
    ASSERT_FALSE(x.wrote_beside_d()) << plan_text(plan);
  }
}

TEST(FastGemm, EqualsCoreForEveryShippedPlan) {
  ASSERT_GE(shipped_plans().size(), 150U);
  int number = 0;
  for (const Plan& plan : shipped_plans()) expect_equal(plan, number++, 7, 37);
}

TEST(FastGemm, EqualsCoreForOwnDatapaths) {
  for (int number = 0; number < own_datapaths; ++number)
    expect_equal(own_plan(static_cast<std::uint64_t>(number)), number, 5, 19);
}

TEST(FastGemm, IsTheSameWithAnyNumberOfThreads) {
  for (const Plan& plan : shipped_plans()) {
    MatrixProduct x = product(plan, 0, 13, 18);
    const Kernel kernel(plan);
    for (const int threads : {1, 2, 7}) ASSERT_EQ(x.run(kernel, threads), x.expected()) << plan_text(plan);
  }
}

TEST(FastGemm, TakesMatricesOfOneElement) {
  for (const Plan& plan : shipped_plans()) {
    MatrixProduct x = product(plan, 0, 1, 1);
    ASSERT_EQ(x.run(Kernel(plan), 1), x.expected()) << plan_text(plan);
  }
}

TEST(FastGemm, SaysWhatDoesNotFit) {
  const Plan& plan = shipped_plans().front();
  const Kernel kernel(plan);
  Gemm g;
  g.m = 1, g.n = 1, g.k = plan.k;
  EXPECT_EQ(kernel.problem(g), "");
  g.k = plan.k + 1;
  EXPECT_EQ(kernel.problem(g), "K is " + std::to_string(plan.k + 1) + ", which is no multiple of the instruction's " +
                                   std::to_string(plan.k) + ".");
  g.m = 0;
  EXPECT_EQ(kernel.problem(g), "A matrix product needs at least one row, one column and one term.");
}

// Own datapaths as people write them: shipped ones with one word changed. Kernels must see each word, or leave the
// datapath to core.
TEST(FastGemm, EqualsCoreForShippedDatapathsWithOneWordChanged) {
  int number = 0;
  for (const Plan& plan : changed_plans()) expect_equal(plan, number++, 3, 19);
}

// Equality says little where everything runs on core.
TEST(FastGemm, HasKernelsForMostPlans) {
  const auto by_kernel = [](const Plan& plan) { return Kernel(plan).path() != "core"; };
  const auto count = [&](const std::vector<Plan>& plans) {
    return std::count_if(plans.begin(), plans.end(), by_kernel);
  };
  const auto shipped = count(shipped_plans()), changed = count(changed_plans());
  EXPECT_GE(shipped * 5, static_cast<long>(shipped_plans().size()) * 4);
  EXPECT_GE(changed * 4, static_cast<long>(changed_plans().size()));
  RecordProperty("shipped", std::to_string(shipped) + " of " + std::to_string(shipped_plans().size()));
  RecordProperty("changed", std::to_string(changed) + " of " + std::to_string(changed_plans().size()));
}

TEST(FastGemm, HasATargetHere) { EXPECT_FALSE(targets().empty()); }

}  // namespace
}  // namespace assay
