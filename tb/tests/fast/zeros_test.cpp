// Results that are never -0, of operands and accumulators so small that they would often be.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/config/catalogue.hpp"
#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/core/datapaths.hpp"
#include "tb/tests/fast/batch.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 6;
constexpr int cases_of_plan = 400;

struct Form {
  const char* path;
  Datapath words;
  int k = 16;
};

Datapath shipped(const std::string& name, const Operands& operands) {
  static const Catalogue catalogue = shipped_catalogue();
  Datapath words = catalogue.datapath(name).datapath;
  words.operands = operands;
  return words;
}

void set_last(std::vector<Adder>& adders, MinusZero word) {
  if (!adders.empty()) adders.back().results.back().minus_zero = word;
}

// Of the last result of a step and of the finish.
Datapath with(Datapath words, MinusZero step, MinusZero finish) {
  set_last(words.adders, step);
  set_last(words.finish, finish);
  return words;
}

// A float accumulator of which all is kept, and a result that is cut to nothing where it is subnormal.
Datapath cut_at_leading_one() {
  Datapath words = shipped("fused_f25", {"f16", "f16", "f32", "f32", "", 0});
  words.adders[0].results.insert(words.adders[0].results.begin(), test::at_leading_one(10, Cut::toward_zero, -126));
  return words;
}

// Not of 32-bit lanes: it rounds up, and no floor hides small products.
Datapath rounded_up() {
  Datapath words = shipped("fused_f25", {"bf16", "bf16", "f32", "f32", "", 0});
  words.adders[0].results[0].cut = Cut::up;
  words.adders[0].window.floor = std::nullopt;
  return words;
}

Datapath groups_without_floor() {
  Datapath words = shipped("group_scaled_f35", {"e2m1", "e2m1", "f32", "f32", "ue8m0", 16});
  words.adders[1].window.floor = std::nullopt;
  return words;
}

std::vector<Form> forms() {
  const Operands halves{"f16", "f16", "f16", "f16", "", 0};
  return {{"32-bit lanes", shipped("fused_f25_f16", halves)},
          {"32-bit lanes", shipped("fused_f23_f16", halves), 4},
          {"32-bit lanes", cut_at_leading_one()},
          {"32-bit lanes", shipped("split_f25_f16", {"e5m2", "e5m2", "f16", "f16", "", 0}), 32},
          {"64-bit lanes", rounded_up()},
          {"integer groups", groups_without_floor(), 64},
          {"exact sums", shipped("exact_step2", {"bf16", "bf16", "f32", "f32", "", 0}), 8},
          {"IEEE floats", shipped("fma_chain", {"f32", "f32", "f32", "f32", "", 0}), 4},
          {"IEEE doubles", shipped("fma_chain", {"f64", "f64", "f64", "f64", "", 0}), 4},
          {"IEEE floats", shipped("pairwise_flush_step4", {"f16", "f16", "f32", "f32", "", 0})}};
}

Code tiny(Draws& draws, const Format& format, bool negative) {
  switch (draws.below(4)) {
    case 0: return subnormal_code(format, negative, 1);
    case 1: return power_code(format, negative, format.least_exponent() + draws.between(0, 3));
    default: return zero_code(format, negative);
  }
}

// Half of all have no product above zero, a quarter none but zeros.
Case tiny_case(const Plan& plan, int number) {
  Draws draws = Random{seed, static_cast<std::uint64_t>(number)}.at(Part::term);
  Case one;
  const bool no_products = draws.below(4) == 0, one_sign = draws.coin();
  const Code a_zero = zero_code(plan.a, true);
  for (int t = 0; t < plan.k; ++t) {
    const bool a_negative = no_products || draws.coin(), b_negative = one_sign ? !a_negative : draws.coin();
    one.a.push_back(no_products ? a_zero : tiny(draws, plan.a, a_negative));
    one.b.push_back(tiny(draws, plan.b, b_negative));
  }
  const bool c_negative = draws.coin();
  one.c = tiny(draws, plan.c, c_negative);
  for (int t = 0; t < plan.scales; ++t) {
    one.scale_a.push_back(draws.below(8));
    one.scale_b.push_back(draws.below(8));
  }
  one.more = plain_mask(plan);
  return one;
}

std::vector<Case> tiny_cases(const Plan& plan, int count = cases_of_plan) {
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) cases.push_back(tiny_case(plan, i));
  return cases;
}

// What core makes of the cases, after the fast path has made the same.
std::vector<Code> by_both(const Form& form, MinusZero step, MinusZero finish) {
  const Plan p = test::planned(with(form.words, step, finish), form.k);
  EXPECT_EQ(Kernel(p).path(), form.path) << plan_text(p);
  const std::vector<Case> cases = tiny_cases(p);
  expect_batch_equals_core(p, cases);
  return by_core(p, operands_of(cases));
}

int differences(const std::vector<Code>& x, const std::vector<Code>& y) {
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += x[i] == y[i] ? 0 : 1;
  return count;
}

TEST(FastZeros, AreNeverMinusWhereTheResultSaysSo) {
  for (const Form& form : forms()) {
    const std::vector<Code> keep = by_both(form, MinusZero::keep, MinusZero::keep);
    const std::vector<Code> never = by_both(form, MinusZero::never, MinusZero::never);
    EXPECT_GT(differences(keep, never), cases_of_plan / 80) << form.path << ", " << form.words.name;
  }
}

// Where c is added last, -0 + -0 is -0 unless one of both results is never -0.
TEST(FastZeros, OfALateAdditionFollowEitherResult) {
  const Form form{"32-bit lanes", shipped("split_f25_f16", {"e5m2", "e5m2", "f16", "f16", "", 0}), 32};
  const std::vector<Code> keep = by_both(form, MinusZero::keep, MinusZero::keep);
  const std::vector<Code> sums = by_both(form, MinusZero::never, MinusZero::keep);
  const std::vector<Code> late = by_both(form, MinusZero::keep, MinusZero::never);
  EXPECT_GT(differences(keep, sums), 0);
  EXPECT_EQ(sums, late);
}

// Staged steps leave no -0 whatever their result says.
TEST(FastZeros, OfStagedStepsAreNeverMinus) {
  const Form form{"32-bit lanes", shipped("late_floor_f24_step8", {"f16", "f16", "f32", "f32", "", 0})};
  EXPECT_EQ(by_both(form, MinusZero::keep, MinusZero::keep), by_both(form, MinusZero::never, MinusZero::never));
}

// Each shipped plan that has a path has it with the other word as well.
TEST(FastZeros, OfShippedPlansAreThoseOfCoreWithEitherWord) {
  int tried = 0;
  for (const Plan& plan : shipped_plans()) {
    const Kernel kernel(plan);
    if (kernel.path() == "core" || plan.d.is_integer()) continue;
    const bool never = plan.last_adder().results.back().words.minus_zero == MinusZero::never;
    const MinusZero other = never ? MinusZero::keep : MinusZero::never;
    const Plan turned = test::planned(with(plan.datapath, other, other), plan.k);
    EXPECT_EQ(Kernel(turned).path(), kernel.path()) << plan_text(plan);
    expect_batch_equals_core(turned, tiny_cases(turned, 60));
    ++tried;
  }
  EXPECT_GT(tried, 100);
}

// The machine's sums of two see the signs of zeros that came before.
TEST(FastZeros, InTheMiddleOfAnIeeeTreeAreLeftTo64BitLanes) {
  Form form{"64-bit lanes", shipped("pairwise_flush_step4", {"f16", "f16", "f32", "f32", "", 0})};
  ASSERT_GT(form.words.adders.size(), 1U);
  form.words.adders.front().results.back().minus_zero = MinusZero::never;
  by_both(form, MinusZero::keep, MinusZero::keep);
  form.path = "IEEE floats";
  by_both(form, MinusZero::never, MinusZero::keep);
}

}  // namespace
}  // namespace assay
