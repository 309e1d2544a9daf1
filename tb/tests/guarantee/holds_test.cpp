// What is said to hold, by a second route: no case contradicts it, and what should be contradicted is.
#include <gtest/gtest.h>

#include "tb/guarantee/directed.hpp"
#include "tb/guarantee/property_argument.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/guarantee/second_route.hpp"
#include "tb/tests/guarantee/shipped.hpp"

namespace assay::guarantee {
namespace {

void expect_no_contradiction(const SecondRoute& route, std::uint64_t least_held, std::uint64_t least_tried) {
  for (const std::string& text : route.contradictions) ADD_FAILURE() << text;
  EXPECT_GE(route.held, least_held);
  EXPECT_GE(route.tried, least_tried);
}

TEST(Holds, OfNoInstructionIsContradicted) {
  SecondRoute route;
  const Tries tries{17, static_cast<std::uint64_t>(quick_or_full(100, 10000)), 0};
  for (const auto& [name, plan] : distinct_instructions()) try_what_holds(name, plan, tries, route);
  expect_no_contradiction(route, 1500, 100000);
}

TEST(Holds, OfNoRandomDatapathIsContradicted) {
  SecondRoute route;
  const Tries tries{18, 60, 0};
  const auto count = static_cast<std::uint64_t>(quick_or_full(200, 5000));
  for (std::uint64_t number = 0; number < count; ++number) {
    if (const auto plan = random_plan(number))
      try_what_holds("datapath " + std::to_string(number), *plan, tries, route);
  }
  expect_no_contradiction(route, 300, 15000);
}

// FP4, FP6 and FP8 with narrow c: all cases of each.
TEST(Holds, OfNoSmallDatapathIsContradictedByAllCases) {
  SecondRoute route;
  const Tries tries{19, 100, 1 << 15};
  const auto count = static_cast<std::uint64_t>(quick_or_full(120, 5000));
  for (std::uint64_t number = 0; number < count; ++number) {
    if (const auto plan = random_small_plan(number))
      try_what_holds("small " + std::to_string(number), *plan, tries, route);
  }
  expect_no_contradiction(route, 100, 50000);
}

// A result whose subnormal numbers become zeros does not leave every c that d holds.
TEST(Holds, OppositeTermsDoNotLeaveACThatIsFlushed) {
  Datapath words;
  words.name = "flushed";
  words.operands = {"e2m1", "e2m3", "e5m2", "e5m2", "", 0};
  Adder sum;
  sum.name = "sum";
  for (const char* source : {"product", "acc"}) {
    sum.add.emplace_back();
    sum.add.back().source = source;
  }
  sum.results.emplace_back();
  sum.results.back().format = "d";
  sum.results.back().cut = Cut::nearest_even;
  words.adders = {sum};
  const Property& property = *find_property("opposite_terms_leave_c");
  EXPECT_NE(argument(std::get<Plan>(plan(words, 2)), property), "");
  words.adders[0].results[0].subnormals = Subnormals::zero;
  EXPECT_EQ(argument(std::get<Plan>(plan(words, 2)), property), "");
}

// --- the second route sees what it should ---

// Rules that leave something out, each planted in place of the right one.
std::uint64_t contradictions_of(const Claim& claim) {
  SecondRoute route;
  const Tries tries{20, 600, 0};
  for (const char* name : {"hopper:wgmma.m64nNk16.f32.f16.f16", "hopper:wgmma.m64nNk32.f32.e4m3.e4m3",
                           "cdna3:v_mfma_f32_32x32x8_f16", "cdna3:v_mfma_f32_32x32x8_bf16",
                           "hopper:wgmma.m64nNk16.f32.bf16.bf16", "ampere:mma.m16n8k16.f32.bf16.bf16.f32"}) {
    try_what_holds(name, plan_called(name), tries, route, claim);
  }
  return route.contradictions.size();
}

TEST(Holds, AWrongRuleIsContradicted) {
  const auto claims = [](const std::string& name, bool (*rule)(const Plan&)) {
    return [name, rule](const Plan& plan, const Property& p) -> std::string {
      return p.name == name && rule(plan) ? "planted" : "";
    };
  };
  const auto always = [](const Plan&) { return true; };
  const auto floating = [](const Plan& plan) { return !plan.d.is_integer(); };
  // Directed cuts are overlooked.
  EXPECT_GT(contradictions_of(claims("sign_symmetry", floating)), 0U);
  // One lane is taken for one sum.
  EXPECT_GT(contradictions_of(claims("order_of_terms", [](const Plan& plan) { return plan.lanes == 1; })), 0U);
  // Twice as many terms as the window has room for are said to lose nothing.
  EXPECT_GT(contradictions_of(claims("monotone_in_c",
                                     [](const Plan& plan) {
                                       const AdderPlan& adder = plan.adders.back();
                                       return plan.adders.size() == 1 &&
                                              adder.inputs.back().words.keep.value_or(0) >= 24;
                                     })),
            0U);
  // A keep that is a bit too short for c.
  EXPECT_GT(contradictions_of(claims("c_alone_stays", floating)), 0U);
  EXPECT_GT(contradictions_of(claims("exact_where_d_holds_it", floating)), 0U);
  EXPECT_GT(contradictions_of(claims("right_sign", always)), 0U);
  EXPECT_GT(contradictions_of(claims("overflow_only_of_the_exact_sum", always)), 0U);
  EXPECT_GT(contradictions_of(claims("two_of_half_the_terms", always)), 0U);
  EXPECT_GT(contradictions_of(claims("never_subnormal", always)), 0U);
}

// --- what nearly holds ---

const Property& named(const std::string& name) { return *find_property(name); }

Plan hopper() { return plan_called("hopper:wgmma.m64nNk16.f32.f16.f16"); }

// Of twenty thousand cases of random codes none shows what one of a few hundred directed ones does.
TEST(Holds, WhatNearlyHoldsIsFoundByDirectedCasesAlone) {
  const Plan plan = hopper();
  PropertyTrial trial(plan, named("monotone_in_c"));
  const Family* raw = find_family(plan, "raw");
  ASSERT_NE(raw, nullptr);
  const Generator random(plan, 1, raw);
  std::uint64_t counted = 0;
  for (std::uint64_t number = 0; number < 20000; ++number) {
    const std::optional<bool> holds = trial.holds(random.make(number), {});
    if (!holds) continue;
    ++counted;
    ASSERT_TRUE(*holds) << number;
  }
  EXPECT_GT(counted, 2000U);
  SearchEffort effort;
  effort.cases = 600;
  EXPECT_EQ(property_findings(plan, {named("monotone_in_c")}, effort).front().state, HoldState::fails);
}

}  // namespace
}  // namespace assay::guarantee
