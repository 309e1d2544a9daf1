// Sums of products that meet the accumulator late: its exponent at every distance from theirs, and ties.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/fast/batch.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 3;
constexpr int cases_of_plan = 6000;

bool is_staged(const Plan& plan) { return plan.datapath.name.find("late_floor") != std::string::npos; }

std::vector<const Plan*> staged_plans() {
  std::vector<const Plan*> plans;
  for (const Plan& plan : shipped_plans()) {
    if (is_staged(plan)) plans.push_back(&plan);
  }
  return plans;
}

// Powers of two, which make ties, numbers just below the next one, and any.
Code mantissa(Draws& draws) {
  const std::uint64_t kind = draws.below(3);
  return kind == 0 ? 0 : kind == 1 ? ~Code{0} : draws.bits();
}

Code factor(Draws& draws, const Format& format) {
  if (draws.below(4) == 0) return zero_code(format, false);
  const bool negative = draws.coin();
  const int exponent = draws.between(-2, 2);
  return normal_code(format, negative, exponent, mantissa(draws));
}

Code accumulator(Draws& draws, const Format& format) {
  const bool negative = draws.coin();
  if (draws.below(16) == 0) return draws.coin() ? subnormal_code(format, negative, 1) : zero_code(format, negative);
  const int exponent = draws.between(-40, 45);
  return normal_code(format, negative, exponent, mantissa(draws));
}

Case staged_case(const Plan& plan, int number) {
  const Random random{seed, static_cast<std::uint64_t>(number)};
  Draws a = random.at(Part::a), b = random.at(Part::b), c = random.at(Part::c);
  Case one;
  for (int t = 0; t < plan.k; ++t) {
    one.a.push_back(factor(a, plan.a));
    one.b.push_back(factor(b, plan.b));
  }
  one.c = accumulator(c, plan.c);
  one.more = plain_mask(plan);
  return one;
}

TEST(FastStaged, HasAPathOfItsOwn) {
  const std::vector<const Plan*> plans = staged_plans();
  EXPECT_GE(plans.size(), 12U);
  for (const char* twin : {"late_floor_f24_step8_revision1", "late_floor_f24_step4_revision1",
                           "even_odd_late_floor_f24", "even_odd_late_floor_f24_revision1"}) {
    EXPECT_TRUE(std::any_of(plans.begin(), plans.end(), [&](const Plan* p) { return p->datapath.name == twin; }))
        << twin;
  }
  for (const Plan* plan : plans) EXPECT_EQ(Kernel(*plan).path(), "32-bit lanes") << plan_text(*plan);
}

TEST(FastStaged, EqualsCoreAtEveryDistanceOfTheAccumulator) {
  for (const Plan* plan : staged_plans()) {
    std::vector<Case> cases;
    for (int i = 0; i < cases_of_plan; ++i) cases.push_back(staged_case(*plan, i));
    expect_batch_equals_core(*plan, cases);
  }
}

}  // namespace
}  // namespace assay
