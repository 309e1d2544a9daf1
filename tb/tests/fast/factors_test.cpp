// Operands that become numbers of another format before they are multiplied: the same ones, of other exponents, or
// others.
#include <gtest/gtest.h>

#include <functional>

#include "model/config/catalogue.hpp"
#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/core/datapaths.hpp"
#include "tb/tests/fast/batch.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 8;
constexpr int cases_of_plan = 600;

using Change = std::function<void(Datapath&)>;

Datapath shipped(const std::string& name, const Operands& operands) {
  static const Catalogue catalogue = shipped_catalogue();
  Datapath words = catalogue.datapath(name).datapath;
  words.operands = operands;
  return words;
}

Datapath rounded(Datapath words, const Result& a, const Result& b) {
  words.factor_a.round = a;
  words.factor_b.round = b;
  return words;
}

Datapath without_factors(Datapath words) {
  words.factor_a = words.factor_b = Factor{};
  return words;
}

Datapath down(Datapath words) {
  words.adders[0].add[0].cut = Cut::down;
  return words;
}

Result to(const std::string& format) { return test::to_format(format, Cut::nearest_even); }
Result leading(int keep) { return test::at_leading_one(keep, Cut::toward_zero, std::nullopt); }

struct Form {
  const char* path;
  Datapath words;
  int k = 32;
  bool shows_exponents = true;  // in d
};

std::vector<Form> forms() {
  const auto of = [](const char* a, const char* b, const char* scale = "", int block = 0) {
    return Operands{a, b, "f32", "f32", scale, block};
  };
  const Result f16 = to("f16"), bf16 = to("bf16");
  return {{"32-bit lanes", shipped("split_f25", of("e4m3", "e4m3")), 32, false},
          {"32-bit lanes", shipped("split_f25", of("e4m3", "e5m2"))},
          {"32-bit lanes", shipped("split_f25", of("e5m2", "e5m2")), 32, false},  // least exponents are those of f16
          {"32-bit lanes", rounded(shipped("fused_f13_e133", of("e5m2", "e4m3")), bf16, f16)},
          {"32-bit lanes", rounded(shipped("fused_f25", of("e4m3", "e2m3")), leading(3), leading(6))},
          {"32-bit lanes", rounded(shipped("fused_f24", of("f16", "f16")), leading(10), leading(12))},
          {"32-bit lanes", rounded(shipped("fused_f25_scaled", of("e4m3", "e4m3", "ue8m0", 16)), f16, f16)},
          {"32-bit lanes", rounded(shipped("late_floor_f24_step8", of("e4m3", "f16")), f16, leading(10))},
          {"64-bit lanes", rounded(down(shipped("fused_f25", of("e4m3", "f16"))), f16, leading(10))},
          {"integer groups",
           rounded(shipped("group_scaled_f35", of("e2m1", "e2m1", "ue8m0", 16)), leading(1), leading(1)), 64, false},
          {"exact sums", rounded(shipped("exact_step2", of("e4m3", "e4m3")), f16, f16), 32, false},
          {"IEEE floats", rounded(shipped("fma_chain", of("e4m3", "f16")), f16, leading(10)), 32, false}};
}

// A quarter of all are products of small numbers alone, which hold the window up no more than they must, and another
// quarter of small ones and any. Few terms are not 0: where a sum of many is far above each of them, d is too coarse to
// show where the window ends.
Case case_of(const Plan& plan, const Generator& generator, int number) {
  Case one = generator.make(static_cast<std::uint64_t>(number));
  if (number % 2 == 0) return one;
  Draws draws = Random{seed, static_cast<std::uint64_t>(number)}.at(Part::term);
  const auto small = [&](const Format& format) {
    const bool negative = draws.coin();
    return subnormal_code(format, negative, draws.bits());
  };
  const auto any = [&](const Format& format) {
    const bool negative = draws.coin();
    const int exponent = draws.between(format.least_exponent(), format.greatest_exponent());
    return normal_code(format, negative, exponent, draws.bits());
  };
  const int products = draws.between(1, 4);
  for (std::size_t k = 0; k < one.a.size(); ++k) {
    one.a[k] = static_cast<int>(k) < products ? small(plan.a) : 0;
    one.b[k] = number % 4 == 1 ? small(plan.b) : any(plan.b);
  }
  const int exponent = draws.between(-60, 0);
  const bool none = draws.coin(), negative = draws.coin();
  one.c = none ? 0 : normal_code(plan.c, negative, exponent, draws.bits());
  return one;
}

std::vector<Case> cases_for(const Plan& plan, int count = cases_of_plan) {
  const Generator generator(plan, seed);
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) cases.push_back(case_of(plan, generator, i));
  return cases;
}

TEST(FastFactors, HaveTheExponentsThatCoreGivesThem) {
  for (const Form& form : forms()) {
    const Plan p = test::planned(form.words, form.k), bare = test::planned(without_factors(form.words), form.k);
    EXPECT_EQ(Kernel(p).path(), form.path) << plan_text(p);
    const std::vector<Case> cases = cases_for(p);
    expect_batch_equals_core(p, cases);
    const std::vector<Operand> operands = operands_of(cases);
    EXPECT_EQ(by_core(p, operands) != by_core(bare, operands), form.shows_exponents) << plan_text(p);
  }
}

// Operands of shipped plans, with the exponents of their leading ones.
TEST(FastFactors, OfShippedPlansAreThoseOfCore) {
  int by_kernel = 0;
  for (const Plan& plan : shipped_plans()) {
    if (Kernel(plan).path() == "core" || plan.a.is_integer() || plan.a.stored_bits > 16 || plan.b.stored_bits > 16)
      continue;
    const Datapath words = rounded(plan.datapath, leading(plan.a.mantissa_bits), leading(plan.b.mantissa_bits));
    const Plan changed = test::planned(words, plan.k);
    by_kernel += Kernel(changed).path() == "core" ? 0 : 1;
    expect_batch_equals_core(changed, cases_for(changed, 60));
  }
  EXPECT_GT(by_kernel, 60);
}

TEST(FastFactors, ThatAreOtherNumbersAreLeftTo64BitLanesOrToCore) {
  const Operands fp8{"e4m3", "e5m2", "f32", "f32", "", 0};
  const auto round_a = [](Result r) { return [r](Datapath& d) { d.factor_a.round = r; }; };
  Result flushed = to("f16"), positive = to("f16"), by_chance = to("f16");
  flushed.subnormals = Subnormals::zero;
  positive.minus_zero = MinusZero::never;
  by_chance.cut = Cut::stochastic_a;
  by_chance.random_bits = 4;
  const char *const lanes = "64-bit lanes", *const core = "core";
  const std::vector<std::pair<const char*, Change>> changes{
      {lanes, round_a(to("e5m2"))},
      {lanes, round_a(leading(2))},
      {lanes, [&](Datapath& d) { d.factor_b.round = flushed; }},
      {lanes, round_a(positive)},
      {core, round_a(by_chance)},
      {core, [](Datapath& d) { d.factor_b.empty = -20; }},
      {lanes,  // more codes than are tried
       [](Datapath& d) {
         d.operands.a = "tf32";
         d.factor_a.round = to("f32");
       }},
  };
  for (const auto& [path, change] : changes) {
    Datapath words = shipped("split_f25", fp8);
    change(words);
    const Plan changed = test::planned(words, 32);
    EXPECT_EQ(Kernel(changed).path(), path) << plan_text(changed);
    expect_batch_equals_core(changed, cases_for(changed, 200));
  }
}

TEST(FastFactors, LessAZeroPointAreLeftToCore) {
  Datapath words = shipped("integer", {"i8", "i8", "i32", "i32", "", 0});
  EXPECT_EQ(Kernel(test::planned(words, 32)).path(), "integers");
  words.factor_a.zero_point = 1;
  EXPECT_EQ(Kernel(test::planned(words, 32)).path(), "core");
}

}  // namespace
}  // namespace assay
