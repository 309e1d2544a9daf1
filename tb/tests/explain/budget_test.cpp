// Budgets worked out by hand from the rules of docs/datapath.md, one of each cause; a wrong attribution; forecasts.
#include "tb/explain/budget.hpp"

#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/explain/numbers.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

std::string operands(const std::string& d) { return "k: 2\noperands: {a: f16, b: f16, c: f32, d: " + d + "}\n"; }

struct ByHand {
  std::string text;  // of the datapath, without its name
  Case one;
};

std::shared_ptr<const Plan> plan_of_text(const std::string& text) {
  static const Catalogue catalogue = shipped_catalogue();
  return std::make_shared<const Plan>(plan_of(read_datapath_text("name: own\n" + text, "own.yaml", catalogue)));
}

Attribution made_of(const ByHand& hand) {
  const auto plan = plan_of_text(hand.text);
  const Answered side = model_side("model", plan, hand.one);
  return attributed(plan, hand.one, *side.answer.trace);
}

Case operands_of(std::vector<Code> a, std::vector<Code> b, Code c) {
  Case one;
  one.a = std::move(a), one.b = std::move(b), one.c = c;
  return one;
}

// "sum.align product: 3 x 2^-9": where, and the error as an odd number times a power of two.
std::string text_of(const Attribution& made) {
  std::string text;
  for (const ErrorPart& part : made.budget.parts.parts) {
    const long lowest = lowest_one(part.error);
    text += (text.empty() ? "" : "; ") + made.sources[static_cast<std::size_t>(part.source)].where + " " +
            units_in(part.error, lowest, exact::Rounding::toward_zero).get_str() + " x 2^" + std::to_string(lowest);
  }
  return made.budget.none.empty() ? text : made.budget.none;
}

// f16 codes: 3c00 1, 3c01 1 + 2^-10, 4000 2, 1400 2^-10, 0001 2^-24, 0c00 2^-12, 1000 2^-11.
const std::string cut_at_8 =
    "specials: step\nadders: [{name: sum, add: {product: {keep: 8, cut: toward_zero}, acc: exact}, result: [{format: "
    "d, "
    "cut: nearest_even}]}]\n";

// The window is 2^1, of 2 x 1; what weighs less than 2^-7 is cut. 1.0000000001 x 1 loses 2^-10.
TEST(BudgetByHand, CutsOfAWindow) {
  EXPECT_EQ(text_of(made_of({operands("f32") + cut_at_8, operands_of({0x4000, 0x3c01}, {0x3c00, 0x3c00}, 0)})),
            "sum.align product -1 x 2^-10");
  // 3 x 2^-12 x 1 in a window of 2^1: gone; negative: it was pulled down, and comes back up
  EXPECT_EQ(text_of(made_of({operands("f32") + cut_at_8, operands_of({0x4000, 0x9200}, {0x3c00, 0x3c00}, 0)})),
            "sum.align product 3 x 2^-12");
}

// acc is exact: 1 + 2^-23 beside 2 x 1 is 3 + 2^-23, half-way between two f32 whose last place is 2^-22. The even one
// is 3: its last bits are .. 00.
TEST(BudgetByHand, ARounding) {
  EXPECT_EQ(text_of(made_of({operands("f32") + cut_at_8, operands_of({0x4000, 0}, {0x3c00, 0}, 0x3f800001)})),
            "sum.round -1 x 2^-23");
  // 3 + 3 x 2^-23: of 3 + 2^-22 and 3 + 2^-21 the even one is the greater
  EXPECT_EQ(text_of(made_of({operands("f32") + cut_at_8, operands_of({0x4000, 0}, {0x3c00, 0}, 0x3f800003)})),
            "sum.round 1 x 2^-23");
}

// b is 2^-24, a subnormal read as zero: 2 x 2^-24 is missing. a is one too, 3 x 2^-24, and is read; its exponent is
// that of the least normal f16, -14, which is the window's then: what weighs less than 2^-22 is cut.
TEST(BudgetByHand, AFlushedOperand) {
  EXPECT_EQ(text_of(made_of({operands("f32") + "subnormals: {b: zero}\n" + cut_at_8,
                             operands_of({0x4000, 0x0003}, {0x0001, 0x3c00}, 0)})),
            "decode.b -1 x 2^-23; sum.align product -3 x 2^-24");
}

// d is f16: 2^-15 + 2^-25 is subnormal there. It is rounded to 2^-15 (a multiple of 2^-24, a tie: 512 is even), and
// then flushed.
TEST(BudgetByHand, AFlushedResult) {
  const std::string flushing =
      "specials: step\nadders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: nearest_even, "
      "subnormals: zero}]}]\n";
  EXPECT_EQ(text_of(made_of({operands("f16") + flushing, operands_of({0x0200, 0x0001}, {0x3c00, 0x3800}, 0)})),
            "sum.round -1 x 2^-15; sum.round -1 x 2^-25");
}

// 2^-10 lies 11 below the window of 2^1, more than 10: it is dropped whole. 2^-9 is not.
TEST(BudgetByHand, ALostTerm) {
  const std::string losing =
      "specials: step\nadders: [{name: sum, add: {product: {keep: 20, cut: toward_zero, lost_below: 10}, acc: exact}, "
      "result: [{format: d, cut: nearest_even}]}]\n";
  EXPECT_EQ(text_of(made_of({operands("f32") + losing, operands_of({0x4000, 0x1400}, {0x3c00, 0x3c00}, 0)})),
            "sum.align product -1 x 2^-10");
  EXPECT_EQ(text_of(made_of({operands("f32") + losing, operands_of({0x4000, 0x1800}, {0x3c00, 0x3c00}, 0)})), "");
}

// 1 + 2^-10 by itself has the window 2^0, which keeps 4 bits: 2^-10 is cut anyhow. The floor of 3 cuts at 2^-1, 1
// stays. 1.125 x 1, exact in 4 bits, loses 2^-3 by the floor.
TEST(BudgetByHand, AWindowFloor) {
  const std::string floored =
      "specials: step\nadders: [{name: sum, add: {product: {keep: 4, cut: toward_zero}, acc: exact}, window: {floor: "
      "3}, "
      "result: [{format: d, cut: nearest_even}]}]\n";
  EXPECT_EQ(text_of(made_of({operands("f32") + floored, operands_of({0x3c01, 0}, {0x3c00, 0}, 0)})),
            "sum.align product -1 x 2^-10");
  EXPECT_EQ(text_of(made_of({operands("f32") + floored, operands_of({0x3c80, 0}, {0x3c00, 0}, 0)})),
            "sum.window -1 x 2^-3");
}

// Each group's sum is multiplied by 4 x 2 = 2^3 behind its cut, so what it cut counts eightfold: 2^-10 becomes 2^-7.
TEST(BudgetByHand, ACutBeforeScales) {
  const std::string scaled =
      "k: 2\noperands: {a: f16, b: f16, c: f32, d: f32, scale: {format: ue8m0, block: 2}}\nspecials: step\n"
      "adders: [{name: groups, add: {product: {keep: 8, cut: toward_zero}}, times: scales}, {name: sum, add: {groups: "
      "exact, acc: exact}, result: [{format: d, cut: nearest_even}]}]\n";
  Case one = operands_of({0x4000, 0x3c01}, {0x3c00, 0x3c00}, 0);
  one.scale_a = {0x81}, one.scale_b = {0x80};
  EXPECT_EQ(text_of(made_of({scaled, one})), "groups.align product -1 x 2^-7");
}

std::string narrowed(const std::string& d, const std::string& words) {
  return operands(d) +
         "specials: step\nadders: [{name: sum, add: {product: {keep: 8, cut: toward_zero}, acc: exact}, result: "
         "[{format: "
         "d, cut: nearest_even, infinity: largest, " +
         words + "}]}]\n";
}

std::string causes_of(const Attribution& made) {
  std::string words;
  for (const ErrorPart& part : made.budget.parts.parts)
    words += (words.empty() ? "" : "; ") + made.sources[static_cast<std::size_t>(part.source)].words;
  return words;
}

const std::string steps = "formats: {steps: {values: [0, 1, 2.5, 6, -0, -1, -2.5, -6], ties: even_code}}\n" +
                          narrowed("steps", "overflow: largest, nan: zero");

// 2 x 2 stands between 2.5 and 6, below their middle, 4.25; 1.75 is half-way from 1 to 2.5, which has the even code.
TEST(BudgetByHand, AListOfValues) {
  EXPECT_EQ(text_of(made_of({steps, operands_of({0x4000, 0}, {0x4000, 0}, 0)})), "sum.round -3 x 2^-1");
  EXPECT_EQ(text_of(made_of({steps, operands_of({0x3f00, 0}, {0x3c00, 0}, 0)})), "sum.round 3 x 2^-2");
  const Attribution beyond = made_of({steps, operands_of({0x4000, 0x4000}, {0x4000, 0xc800}, 0)});  // 4 - 16 = -12
  EXPECT_EQ(text_of(beyond), "sum.round 3 x 2^1");
  EXPECT_EQ(causes_of(beyond), "beyond what steps holds");
  // The window of 4 is 2^2: of 2^-10 nothing is left, and the list loses the rest.
  EXPECT_EQ(text_of(made_of({steps, operands_of({0x4000, 0x1400}, {0x4000, 0x3c00}, 0)})),
            "sum.align product -1 x 2^-10; sum.round -3 x 2^-1");
}

// What is nearest in a list, and how far its values lie apart there: 3.5 and 1.5, in which 2^1 and 2^0 fit.
TEST(ExactSumOfAList, IsToTheNearestOfItsValues) {
  const auto plan = plan_of_text(steps);
  const auto sum = [&](Code c) { return exact_sum(*plan, operands_of({0, 0}, {0, 0}, c)); };
  EXPECT_EQ(sum(0x40800000).nearest, 2u);  // 4
  EXPECT_EQ(sum(0x40800000).ulp, 1);
  EXPECT_EQ(sum(0x40900000).nearest, 3u);  // 4.5
  EXPECT_EQ(sum(0xbfe00000).nearest, 6u);  // -1.75, half-way
  EXPECT_EQ(sum(0xbfe00000).ulp, 0);
  EXPECT_EQ(sum(0x3f800000).ulp, 0) << "at 1 the step away from zero counts";
  EXPECT_EQ(sum(0xbf800000).ulp, 0);
  EXPECT_FALSE(sum(0x40c00000).beyond);
  EXPECT_TRUE(sum(0x40e00000).beyond);
  EXPECT_EQ(sum(0x40e00000).nearest, 3u);
  EXPECT_EQ(sum(0xc0e00000).nearest, 7u);
}

// Of a scale of c there is no sum of products and c, and no operand that is not finite either.
TEST(ExactSum, SaysWhyThereIsNone) {
  const auto exact = [](const std::string& at) {
    const auto plan = plan_of_text(
        "k: 2\nspecials: operation\n"
        "operands: {a: f16, b: f16, c: f32, d: f32, scales: {s: {of: a, format: f32, at: " +
        at +
        "}}}\nadders:\n  - {name: grp, add: {product: {keep: 9, cut: down}}}\n"
        "  - {name: sum, add: {grp: {keep: 9, cut: down}, acc: {keep: 9, cut: down}}, result: [{format: d, cut: "
        "nearest_even}]}\n");
    Case one = operands_of({0x3c00, 0}, {0x3c00, 0}, 0x3f800000);
    one.more = {0x3f800000};
    return exact_sum(*plan, one);
  };
  EXPECT_EQ(exact("grp").why_none, "");
  EXPECT_EQ(exact("grp").nearest, 0x40000000U);
  EXPECT_EQ(exact("sum").why_none, "a scale multiplies c, or what earlier steps left, and not products alone");
  EXPECT_FALSE(exact("sum").nearest);
}

// 1000 is 1.111101 x 2^9 and would round to 2^10; e4m3 ends at 448.
TEST(BudgetByHand, AResultThatIsCutBackToTheGreatest) {
  const Attribution made = made_of({narrowed("e4m3", "overflow: largest"), operands_of({0, 0}, {0, 0}, 0x447a0000)});
  EXPECT_EQ(text_of(made), "sum.round -9 x 2^6; sum.round 3 x 2^3");
  EXPECT_EQ(causes_of(made), "beyond what e4m3 holds; rounded: e4m3, nearest even");
  EXPECT_EQ(text_of(made_of({narrowed("e4m3", "overflow: nan"), operands_of({0, 0}, {0, 0}, 0x447a0000)})),
            "a number on the way to d is infinite or NaN");
}

TEST(BudgetByHand, AResultBelowZeroWhereThereIsNoSign) {
  const Attribution made =
      made_of({narrowed("ue4m3", "overflow: largest, negative: zero"), operands_of({0, 0}, {0, 0}, 0xc0400000)});  // -3
  EXPECT_EQ(text_of(made), "sum.round 3 x 2^0");
  EXPECT_EQ(causes_of(made), "beyond what ue4m3 holds");
  // 2 x 1 - 2^-10 - 3: one more bit brings nothing, since what is below zero stays 0.
  const Attribution cut = made_of({narrowed("ue4m3", "overflow: nan, negative: zero"),
                                   operands_of({0x4000, 0x9400}, {0x3c00, 0x3c00}, 0xc0400000)});
  EXPECT_EQ(text_of(cut).substr(0, 17), "sum.align product");
  EXPECT_TRUE(cut.forecasts.empty());
}

TEST(BudgetByHand, WhatIsNotFiniteHasNone) {
  EXPECT_EQ(text_of(made_of({operands("f32") + cut_at_8, operands_of({0x7c00, 0}, {0x3c00, 0}, 0)})),
            "there is no finite exact sum to hold d against");
  // 65504 x 65504 as f16
  const std::string to_f16 =
      "specials: step\nadders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: "
      "toward_zero}]}]\n";
  EXPECT_EQ(text_of(made_of({operands("f16") + to_f16, operands_of({0x7bff, 0}, {0x7bff, 0}, 0)})),
            "a number on the way to d is infinite or NaN");
}

// --- what does not add up is seen ---

// A trace in which one addend is another than the model's: what enters the sum is no longer what left the cut.
TEST(Budget, AnAddendThatIsNotTheModelsIsSeen) {
  const auto plan = plan_of_text(operands("f32") + cut_at_8);
  const Case one = operands_of({0x4000, 0x3c01}, {0x3c00, 0x3c00}, 0);
  Answered side = model_side("model", plan, one);
  Trace& trace = *side.answer.trace;
  const ErrorSources sources(plan);
  const Budget right = budget_of(sources, one, trace);
  EXPECT_EQ(sign(right.error - sum_of(right.parts.parts)), 0);
  const int place = plan->find_place("step[0].sum.align[1]");
  trace.put(place, i128{1});
  const Budget wrong = budget_of(sources, one, trace);
  EXPECT_NE(sign(wrong.error - sum_of(wrong.parts.parts)), 0);
}

TEST(Budget, EachPartCounts) {
  const Attribution made =
      made_of({operands("f32") + cut_at_8, operands_of({0x4000, 0x3c01}, {0x3c00, 0x3c00}, 0x33800000)});
  std::vector<ErrorPart> parts = made.budget.parts.parts;
  ASSERT_EQ(parts.size(), 2u);
  for (std::size_t left_out = 0; left_out < parts.size(); ++left_out) {
    std::vector<ErrorPart> fewer = parts;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_NE(sign(made.budget.error - sum_of(fewer)), 0) << left_out;
  }
}

// --- forecasts ---

const Forecast* forecast_of(const Attribution& made, const std::string& key) {
  for (const Forecast& one : made.forecasts) {
    if (made.easements[static_cast<std::size_t>(one.easement)].key == key) return &one;
  }
  return nullptr;
}

// Nothing but one cut errs, so what is forecast is what is found: 1 + 2^-8 + 2^-9 + 2^-10 beside 2 keeps 2^-7 and
// above, loses 7 x 2^-10; with one more bit 3 x 2^-10.
TEST(Forecast, IsWhatIsFoundWhereOnePlaceErrs) {
  const Attribution made = made_of({operands("f32") + cut_at_8, operands_of({0x4000, 0x3c07}, {0x3c00, 0x3c00}, 0)});
  ASSERT_EQ(made.forecasts.size(), 1u);
  const Forecast* more = forecast_of(made, "adders.sum.add.product.keep");
  ASSERT_NE(more, nullptr);
  EXPECT_EQ(sign(more->predicted - Dyadic{-3, -10}), 0) << decimal(more->predicted);
  ASSERT_TRUE(more->measured.has_value());
  EXPECT_EQ(sign(*more->measured - Dyadic{-3, -10}), 0) << decimal(*more->measured);
}

// Flushed subnormals of either side, alone and together: 2^-24 x 2^-24 needs both. The other rounding that follows
// then, of 2^-24 + 2^-48 to an f32, a forecast does not see.
TEST(Forecast, OfSubnormalsKept) {
  const std::string exact =
      "specials: step\nadders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: "
      "nearest_even}]}]\n";
  const Attribution made = made_of({operands("f32") + "subnormals: {a: zero, b: zero}\n" + exact,
                                    operands_of({0x0001, 0x0001}, {0x0001, 0x3c00}, 0)});
  const Forecast *a = forecast_of(made, "subnormals.a"), *both = forecast_of(made, "subnormals.a, subnormals.b");
  ASSERT_NE(a, nullptr);
  ASSERT_NE(both, nullptr);
  EXPECT_EQ(forecast_of(made, "subnormals.b"), nullptr);
  EXPECT_EQ(sign(a->predicted - Dyadic{-1, -48}), 0) << decimal(a->predicted);
  EXPECT_EQ(sign(*a->measured - Dyadic{-1, -48}), 0) << decimal(*a->measured);
  EXPECT_EQ(sign(both->predicted), 0);
  EXPECT_EQ(sign(*both->measured - Dyadic{-1, -48}), 0) << decimal(*both->measured);
}

}  // namespace
}  // namespace assay::explain
