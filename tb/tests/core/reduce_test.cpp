#include "model/core/reduce.hpp"

#include <gtest/gtest.h>

#include "tb/tests/core/numbers.hpp"

namespace assay {
namespace {

template <class Register>
Addend<Register> addend(u128 magnitude, int distance, bool negative, bool lost = false) {
  const Register value = in_register<Register>(magnitude, distance);
  return {negative ? -value : value, lost};
}

SumPlan fraction_bits(int bits) {
  SumPlan plan;
  plan.fraction_bits = bits;
  return plan;
}

TEST(Reduce, ReadsASignedSumAsSignAndMagnitudeAtItsWindow) {
  Reduction<i128> reduction;
  reduction.add(addend<i128>(5, 0, false));
  reduction.add(addend<i128>(12, 0, true));
  EXPECT_EQ(reduction.number(3, fraction_bits(10), Sticky::none), test::number_at(3, 7, -7, true));
}

TEST(Reduce, ThatCancelsKeepsTheExponentOfItsWindow) {
  Reduction<i128> reduction;
  reduction.add(addend<i128>(9, 0, false));
  reduction.add(addend<i128>(9, 0, true));
  const Number n = reduction.number(22, fraction_bits(24), Sticky::none);
  EXPECT_TRUE(n.is_zero());
  EXPECT_FALSE(n.negative);
  EXPECT_EQ(n.exponent, 22);
}

TEST(Reduce, StandsOnAFixedGridWhereThePlanHasOne) {
  SumPlan plan = fraction_bits(10);
  plan.fixed_quantum = -48;
  Reduction<i128> reduction;
  reduction.add(addend<i128>(1, 4, false));
  EXPECT_EQ(reduction.number(3, plan, Sticky::none), test::number_at(3, 16, -48));
}

// A number before which ones were lost.
Number after_loss(Number n, bool lost = true) {
  n.raised = lost ? raises::inexact : 0;
  return n;
}

TEST(Reduce, WithAStickyBitHasOneMoreBitThatAnyLossSets) {
  for (const bool lost : {false, true}) {
    Reduction<i128> reduction;
    reduction.add(addend<i128>(6, 0, true, lost));
    reduction.add(addend<i128>(1, 0, false));
    EXPECT_EQ(reduction.number(0, fraction_bits(4), Sticky::below_sum),
              after_loss(test::number_at(0, lost ? 11 : 10, -5, true), lost));
  }
}

TEST(Reduce, WithAStickyBitIsNotZeroWhereOnlyLostBitsRemain) {
  Reduction<i128> reduction;
  reduction.add(addend<i128>(0, 0, false, true));
  EXPECT_EQ(reduction.number(0, fraction_bits(4), Sticky::below_sum), after_loss(test::number_at(0, 1, -5)));
}

TEST(Reduce, WhoseLostBitsJoinTheResultSaysSoBesideTheSum) {
  for (const bool lost : {false, true}) {
    Reduction<i128> reduction;
    reduction.add(addend<i128>(6, 0, true, lost));
    reduction.add(addend<i128>(1, 0, false));
    Number expected = after_loss(test::number_at(0, 5, -4, true), lost);
    expected.lost = lost;
    EXPECT_EQ(reduction.number(0, fraction_bits(4), Sticky::at_result), expected);
  }
}

TEST(Reduce, ThatCancelsMayLeaveNoExponent) {
  Number zero;
  zero.exponent = 22;
  EXPECT_EQ(with_exponent(zero, false, Cancelled::window).exponent, 22);
  EXPECT_FALSE(with_exponent(zero, false, Cancelled::none).has_exponent());
  EXPECT_FALSE(with_exponent(zero, true, Cancelled::window).has_exponent());
  zero.magnitude = 1;
  EXPECT_EQ(with_exponent(zero, false, Cancelled::none).exponent, 22);
}

// --- reading a wide register ---

TEST(ReadOut, OfAWideSumThatFitsIsTheNativeOne) {
  for (const bool negative : {false, true}) {
    for (int length = 1; length <= readout_bits; ++length) {
      const u128 magnitude = (low_mask(length) / 3) | u128{1} << (length - 1);
      const auto native = addend<i128>(magnitude, 0, negative).value;
      const auto wide = addend<Wide<10>>(magnitude, 0, negative).value;
      ASSERT_EQ(read_out(wide, -300), read_out(native, -300)) << length;
    }
  }
}

TEST(ReadOut, JamsWhatLiesBelowItsLeadingBitsIntoTheLastOfThem) {
  for (const bool negative : {false, true}) {
    for (const int below : {1, 63, 64, 65, 300}) {
      // 1 0..0 (124 bits) and a one `deep` bits below them
      for (const int deep : {1, below}) {
        Wide<10> sum = Wide<10>::shifted(u128{1} << (readout_bits - 1), below);
        sum += Wide<10>::shifted(1, below - deep);
        const Number n = read_out(negative ? -sum : sum, -600);
        EXPECT_EQ(n.negative, negative);
        EXPECT_EQ(n.quantum, -600 + below);
        EXPECT_TRUE(n.magnitude == ((u128{1} << (readout_bits - 1)) | 1)) << below << " " << deep;
      }
    }
  }
}

TEST(ReadOut, JamsNothingWhereOnlyZerosLieBelow) {
  const Number n = read_out(Wide<10>::shifted(u128{1} << (readout_bits - 1), 300), -600);
  EXPECT_TRUE(n.magnitude == u128{1} << (readout_bits - 1));
  EXPECT_EQ(n.quantum, -300);
}

TEST(ReadOut, OfTheMostNegativeWideSumLosesNothing) {
  const Number n = read_out(-Wide<2>::shifted(1, 126), 0);
  EXPECT_TRUE(n.negative);
  EXPECT_EQ(test::value(n), -std::ldexp(1.0, 126));
}

// --- the sign of zero ---

bool negative_zero(const std::vector<Number>& items, ZeroSign rule, bool rounds_down) {
  ZeroSignFinder finder;
  for (const Number& n : items) finder.see(n);
  return finder.negative(rule, rounds_down);
}

TEST(ZeroSign, IsPositiveWhereTheRuleSaysSo) {
  EXPECT_FALSE(negative_zero({Number::zero(true), Number::zero(true)}, ZeroSign::positive, false));
  EXPECT_FALSE(negative_zero({Number::zero(true)}, ZeroSign::positive, true));
}

TEST(ZeroSign, OfIeeeIsThatOfZerosThatAgree) {
  const Number plus = Number::zero(), minus = Number::zero(true);
  for (const bool rounds_down : {false, true}) {
    EXPECT_TRUE(negative_zero({minus, minus}, ZeroSign::ieee, rounds_down));
    EXPECT_FALSE(negative_zero({plus, plus}, ZeroSign::ieee, rounds_down));
    EXPECT_EQ(negative_zero({plus, minus}, ZeroSign::ieee, rounds_down), rounds_down);
    EXPECT_EQ(negative_zero({test::number(1, 0), test::number(1, 0, true)}, ZeroSign::ieee, rounds_down), rounds_down);
    // One that the window cut to nothing.
    EXPECT_EQ(negative_zero({test::number(1, 0, true)}, ZeroSign::ieee, rounds_down), rounds_down);
  }
}

}  // namespace
}  // namespace assay
