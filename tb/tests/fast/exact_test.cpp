// Exact sums: terms far apart, ties that a far smaller term breaks, and terms that cancel.
#include <gtest/gtest.h>

#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/fast/batch.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 4;
constexpr int cases_of_plan = 20000;

std::vector<const Plan*> exact_plans() {
  std::vector<const Plan*> plans;
  for (const Plan& plan : shipped_plans()) {
    if (plan.datapath.name.find("exact_step") == 0) plans.push_back(&plan);
  }
  return plans;
}

Code number(Draws& draws, const Format& format, int least, int greatest) {
  const bool negative = draws.coin();
  const int exponent = draws.between(least, greatest);
  return normal_code(format, negative, exponent, draws.coin() ? 0 : draws.bits());
}

// One product in three takes the one before away, or all but a bit of it.
Case exact_case(const Plan& plan, int which) {
  Draws draws = Random{seed, static_cast<std::uint64_t>(which)}.at(Part::term);
  Case one;
  for (int t = 0; t < plan.k; ++t) {
    if (t > 0 && draws.below(3) == 0) {
      one.a.push_back(one.a.back());
      one.b.push_back(negated_code(plan.b, one.b.back()) ^ draws.below(2));
    } else {
      one.a.push_back(number(draws, plan.a, -14, 15));
      one.b.push_back(number(draws, plan.b, -14, 15));
    }
  }
  one.c = number(draws, plan.c, -60, 40);
  return one;
}

TEST(FastExact, HasAPathOfItsOwn) {
  EXPECT_GE(exact_plans().size(), 2U);
  for (const Plan* plan : exact_plans()) EXPECT_EQ(Kernel(*plan).path(), "exact sums") << plan_text(*plan);
}

TEST(FastExact, EqualsCoreWhereTermsAreFarApartOrCancel) {
  for (const Plan* plan : exact_plans()) {
    std::vector<Case> cases;
    for (int i = 0; i < cases_of_plan; ++i) cases.push_back(exact_case(*plan, i));
    expect_batch_equals_core(*plan, cases);
  }
}

}  // namespace
}  // namespace assay
