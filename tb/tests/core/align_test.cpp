#include "model/core/align.hpp"

#include <gtest/gtest.h>

#include "tb/tests/core/numbers.hpp"

namespace assay {
namespace {

using test::number;
using test::number_at;
using test::value;

constexpr int none = Number::no_exponent;

Input kept(int keep, Cut cut = Cut::toward_zero) {
  Input input;
  input.keep = keep;
  input.cut = cut;
  return input;
}

SumPlan grid_below_window(int fraction_bits) {
  SumPlan plan;
  plan.fraction_bits = fraction_bits;
  return plan;
}

SumPlan grid_at(int quantum) {
  SumPlan plan;
  plan.fixed_quantum = quantum;
  return plan;
}

double weight(i128 addend, int grid) { return std::ldexp(static_cast<double>(addend), grid); }

// --- window ---

int window(const Window& words, const std::vector<std::pair<Number, Input>>& items) {
  WindowFinder finder(words);
  for (const auto& [n, input] : items) finder.see(n, input);
  return finder.exponent();
}

TEST(Window, IsTheLargestNominalExponentOfWhatIsNotZero) {
  EXPECT_EQ(window({}, {{number(1, -5), {}}, {number(1, 3), {}}, {number(1, -7), {}}}), 3);
  EXPECT_EQ(window({}, {{number_at(9, 1, -5), {}}, {number(1, 3), {}}}), 9);
  EXPECT_EQ(window({}, {{Number::zero(), {}}, {number(1, -40), {}}}), -40);
}

TEST(Window, HasNoExponentWhereNothingHasOneAndThereIsNoFloor) {
  const Window words;
  WindowFinder finder(words);
  finder.see(Number::zero(), Input{});
  EXPECT_TRUE(finder.empty());
  EXPECT_EQ(finder.exponent(), none);
}

TEST(Window, CountsASumThatCancelledWithTheExponentItKept) {
  Input input;
  input.empty = -126;
  EXPECT_EQ(window({}, {{number_at(22, 0, -2), {}}, {number(1, -20), {}}}), 22);
  EXPECT_EQ(window({}, {{number_at(22, 0, -2), input}, {number(1, -20), {}}}), 22);
}

TEST(Window, CountsAZeroWhereTheInputGivesItAnExponent) {
  Input input;
  input.empty = -126;
  EXPECT_EQ(window({}, {{Number::zero(), input}, {number(1, -140), {}}}), -126);
  EXPECT_EQ(window({}, {{number(1, -140), input}}), -140);
}

TEST(Window, NeverGoesBelowItsFloor) {
  Window words;
  words.floor = -133;
  EXPECT_EQ(window(words, {{number(1, -140), {}}}), -133);
  EXPECT_EQ(window(words, {{number(1, -133), {}}}), -133);
  EXPECT_EQ(window(words, {{number(1, -132), {}}}), -132);
  EXPECT_EQ(window(words, {{Number::zero(), {}}}), -133);
}

TEST(Window, OfCoarseExponentsIsRoundedUpToAMultipleOfTheStep) {
  Window words;
  words.step = 4;
  const std::vector<std::pair<int, int>> expected{{-9, -8}, {-8, -8}, {-5, -4}, {-4, -4}, {-3, 0}, {-1, 0},
                                                  {0, 0},   {1, 4},   {4, 4},   {5, 8},   {7, 8}};
  for (const auto& [exponent, rounded] : expected) EXPECT_EQ(window(words, {{number(1, exponent), {}}}), rounded);
  words.step = 3;
  EXPECT_EQ(window(words, {{number(1, -4), {}}}), -3);
  EXPECT_EQ(window(words, {{number(1, 7), {}}}), 9);
}

TEST(Window, ThatIsFixedLooksAtNothing) {
  Window words;
  words.exponent = WindowExponent::fixed;
  words.at = -7;
  EXPECT_EQ(window(words, {{number(1, 90), {}}}), -7);
  EXPECT_EQ(window(words, {}), -7);
}

// --- align ---

TEST(Align, KeepsSoManyBitsBelowTheWindowAndCutsTheRest) {
  for (const Cut cut : test::cuts()) {
    for (unsigned magnitude = 0; magnitude < 64; ++magnitude) {
      for (int quantum = -8; quantum <= -2; ++quantum) {
        for (int keep = 0; keep <= 9; ++keep) {
          for (const bool negative : {false, true}) {
            const Number n = number(magnitude, quantum, negative);
            const double expected = test::to_multiple(value(n), std::ldexp(1.0, 4 - keep), cut);
            const auto found = align<i128>(n, 4, kept(keep, cut), grid_below_window(keep));
            ASSERT_EQ(weight(found.value, 4 - keep), expected) << magnitude << " " << quantum << " " << keep;
            ASSERT_EQ(found.lost, expected != value(n));
          }
        }
      }
    }
  }
}

TEST(Align, FillsAGridFinerThanItKeepsWithZeros) {
  const auto found = align<i128>(number(0b10111, -4), 0, kept(2), grid_below_window(5));
  EXPECT_TRUE(found.value == 0b101000);
  EXPECT_TRUE(found.lost);
}

TEST(Align, TakesZerosInfinitiesAndNansAsNothing) {
  for (const Number& n : {Number::zero(), Number::zero(true), Number::infinity(true), Number::nan()}) {
    const auto found = align<i128>(n, 5, kept(3), grid_below_window(3));
    EXPECT_TRUE(found.value == 0);
    EXPECT_FALSE(found.lost);
  }
}

TEST(Align, LosesWholeWhatLiesTooFarBelow) {
  Input input = kept(24, Cut::down);
  input.lost_below = 25;
  const auto just_in = align<i128>(number(1, -25, true), 0, input, grid_below_window(24));
  EXPECT_TRUE(just_in.value == -1);
  EXPECT_TRUE(just_in.lost);
  const auto just_out = align<i128>(number(1, -26, true), 0, input, grid_below_window(24));
  EXPECT_TRUE(just_out.value == 0);
  EXPECT_TRUE(just_out.lost);
}

TEST(Align, MeasuresTheDistanceOfWhatIsLostByTheNominalExponent) {
  Input input = kept(24, Cut::down);
  input.lost_below = 25;
  // A subnormal of nominal exponent -25 whose leading one stands at -30.
  EXPECT_TRUE(align<i128>(number_at(-25, 1, -30, true), 0, input, grid_below_window(24)).value == -1);
}

TEST(Align, WithoutKeepIsExactOnAGridThatStandsStill) {
  for (const int window : {-3, 0, 60}) {
    const auto found = align<i128>(number(0b1011, -20, true), window, Input{}, grid_at(-24));
    EXPECT_TRUE(found.value == -(0b1011 << 4)) << window;
    EXPECT_FALSE(found.lost);
  }
}

TEST(Align, InAWideRegisterIsAlignInANativeOne) {
  for (unsigned magnitude = 0; magnitude < 64; ++magnitude) {
    for (int keep = 0; keep < 9; ++keep) {
      for (const Cut cut : test::cuts()) {
        const Number n = number(magnitude, -6, magnitude % 3 == 0);
        const auto native = align<i128>(n, 0, kept(keep, cut), grid_below_window(12));
        const auto wide = align<Wide<10>>(n, 0, kept(keep, cut), grid_below_window(12));
        ASSERT_TRUE(wide.value.window(0) == static_cast<u128>(native.value));
        ASSERT_EQ(wide.value.negative(), native.value < 0);
        ASSERT_EQ(wide.lost, native.lost);
      }
    }
  }
}

TEST(Align, ReachesFarAboveAnExactGrid) {
  const auto found = align<Wide<70>>(number(3, 2000), 0, Input{}, grid_at(-2000));
  EXPECT_EQ(found.value.bit_length(), 4002);
  EXPECT_TRUE(found.value.window(4000) == 3);
  EXPECT_FALSE(found.value.any_below(4000));
}

}  // namespace
}  // namespace assay
