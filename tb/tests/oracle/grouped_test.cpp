// Units that multiply slices of their operands, phase by phase, and add in two groups: what their text works out, and
// one case for each of its sentences. a is the operand of seven bits a slice, b that of five.
#include <gtest/gtest.h>

#include "tb/tests/oracle/rows.hpp"

namespace assay::exact {
namespace {

constexpr Code one = 0x3f80, minus_one = 0xbf80, half_one = 0x3c00;  // bf16, bf16, f16

Code power_bf16(int exponent) { return static_cast<Code>(exponent + 127) << 7; }
Code power_f32(int exponent) { return static_cast<Code>(exponent + 127) << 23; }
Code minus(Code f32_code) { return f32_code ^ 0x80000000; }

const Instruction& right(const std::string& name) { return row("blackhole", "mvmul." + name); }
const Instruction& slips(const std::string& name) { return row("wormhole", "mvmul." + name); }

Code d(const Instruction& i, const Codes& a, const Codes& b, Code c) { return oracle(i, a, b, c).bits; }

Code bf16_onto_f32(const Codes& a, const Codes& b, Code c = 0) { return d(right("f32.bf16.bf16.lofi"), a, b, c); }
Code f16_onto_f32(const Codes& a, const Codes& b, Code c = 0) { return d(right("f32.f16.f16.lofi"), a, b, c); }
Code f16_onto_f16(const Codes& a, const Codes& b, Code c = 0) { return d(right("f16.f16.f16.lofi"), a, b, c); }

// A term in the second group.
Codes ninth(Code first, Code term) {
  Codes codes(16);
  codes[0] = first;
  codes[8] = term;
  return codes;
}

TEST(Grouped, OneUnitBelowZeroSlipsWhereTheRowSaysSo) {
  EXPECT_EQ(d(right("f32.f16.f16.lofi"), {half_one}, {half_one}, 0xbf800001), 0xb4000000u);
  EXPECT_EQ(d(slips("f32.f16.f16.lofi"), {half_one}, {half_one}, 0xbf800001), 0xc1800000u);
  EXPECT_EQ(d(slips("f32.f16.f16.lofi"), {half_one}, {half_one}, 0xbf800002), 0xb4800000u);  // two units do not
  EXPECT_EQ(d(slips("f32.f16.f16.lofi"), {half_one}, {0xbc00}, 0x3f800001), 0x34000000u);    // nor does +1
}

TEST(Grouped, AGroupKeepsTenBitsAndATieGoesAway) {
  EXPECT_EQ(bf16_onto_f32({one, one}, {one, power_bf16(-11)}), 0x3f802000u);
  EXPECT_EQ(bf16_onto_f32({one, one}, {one, 0x8000 | power_bf16(-11)}), 0x3f7fc000u);
  EXPECT_EQ(bf16_onto_f32({one, one}, {one, power_bf16(-12)}), 0x3f800000u);
}

TEST(Grouped, TheGroupsMeetWithTwentyThreeBits) {
  EXPECT_EQ(bf16_onto_f32(ninth(one, one), ninth(one, power_bf16(-11))), 0x3f801000u);
}

TEST(Grouped, ATieOfAGroupGoesUpAndOneOfTheAccumulatorAway) {
  EXPECT_EQ(bf16_onto_f32({one}, {one}, 0x4b800000), 0x4b800001u);
  EXPECT_EQ(bf16_onto_f32({minus_one}, {one}, 0x4b800000), 0x4b800000u);
  // 1 and half a unit of it, of either sign.
  EXPECT_EQ(bf16_onto_f32({one}, {one}, power_f32(-24)), 0x3f800001u);
  EXPECT_EQ(bf16_onto_f32({one}, {one}, minus(power_f32(-24))), 0x3f7ffffeu);
}

TEST(Grouped, ZerosOfF16HaveAnExponentOntoF32) {
  EXPECT_EQ(f16_onto_f32({}, {}, 0x2b800001), 0x2b800000u);
  EXPECT_EQ(f16_onto_f32({}, {}, power_f32(-54)), power_f32(-53));
  EXPECT_EQ(f16_onto_f32({}, {}, power_f32(-55)), 0u);
  EXPECT_EQ(bf16_onto_f32({}, {}, 0x2b800001), 0x2b800001u);
  EXPECT_EQ(bf16_onto_f32({}, {}, power_f32(-55)), power_f32(-55));
}

TEST(Grouped, APhaseLowersTheExponentOfZeros) {
  // Phase 1 rounds c at 2^-58 and phase 2 at 2^-60; after phase 0, c is a multiple of 2^-53 anyway.
  Instruction second = right("f32.f16.f16.lofi");
  second.extras[Extra::phases] = "1";
  EXPECT_EQ(d(second, {}, {}, power_f32(-59)), power_f32(-58));
  EXPECT_EQ(d(second, {}, {}, power_f32(-60)), 0u);
  second.extras[Extra::phases] = "2";
  EXPECT_EQ(d(second, {}, {}, power_f32(-61)), power_f32(-60));
  EXPECT_EQ(d(second, {}, {}, power_f32(-62)), 0u);
}

TEST(Grouped, EachPhaseAddsASlice) {
  const Codes all_ones{0x3fff};
  EXPECT_EQ(d(right("f32.f16.f16.lofi"), all_ones, all_ones, 0), 0x40761000u);
  EXPECT_EQ(d(right("f32.f16.f16.hifi2"), all_ones, all_ones, 0), 0x407dc080u);
  EXPECT_EQ(d(right("f32.f16.f16.hifi3"), all_ones, all_ones, 0), 0x407f9180u);
  EXPECT_EQ(d(right("f32.f16.f16.hifi4"), all_ones, all_ones, 0), 0x407fa008u);  // the last bit of b is in no slice
}

TEST(Grouped, ASliceWithoutOnesKeepsItsExponent) {
  // 2^10 * 1 has nothing in phase 1, but its exponent of 5 there is the greatest: 2^-6 of the other product is a tie.
  Instruction second = right("f32.bf16.bf16.lofi");
  second.extras[Extra::phases] = "1";
  const Code only_low = 0x3f84;  // 1 + 2^-5, whose second slice of b is 2^-5
  EXPECT_EQ(d(second, {one, power_bf16(-1)}, {power_bf16(10), only_low}, 0), power_f32(-5));
  EXPECT_EQ(d(second, {0, power_bf16(-1)}, {power_bf16(10), only_low}, 0), power_f32(-6));
}

TEST(Grouped, InfinityAndNanOfBf16AreNumbers) {
  EXPECT_EQ(bf16_onto_f32({0x7f80}, {one}), 0x7f800000u);
  EXPECT_EQ(bf16_onto_f32({0x7f80}, {one}, 0xff800000), 0u);
  EXPECT_EQ(bf16_onto_f32({0x7fff}, {one}), 0x7f800000u);
  EXPECT_EQ(bf16_onto_f32({}, {}, 0x7fffffff), 0x7f800000u);
  EXPECT_EQ(bf16_onto_f32({0xff80}, {one}), 0xff800000u);
}

TEST(Grouped, TheLastExponentOfF16IsANumbersAndWhatIsBeyondIsAllOnes) {
  EXPECT_EQ(f16_onto_f16({0x7c00}, {half_one}), 0x7c00u);
  EXPECT_EQ(f16_onto_f16({half_one}, {0x7fff}), 0x7fc0u);  // five bits of b
  EXPECT_EQ(f16_onto_f16({0x7fff}, {half_one}), 0x7ff0u);  // seven of a
  EXPECT_EQ(f16_onto_f16({0x7c00}, {0x4000}), 0x7fffu);
  EXPECT_EQ(f16_onto_f16({0xfc00}, {0x4000}), 0xffffu);
}

TEST(Grouped, AGroupAtTheFloorIsNothing) {
  EXPECT_EQ(bf16_onto_f32({power_bf16(-64)}, {power_bf16(-63)}), 0u);
  EXPECT_EQ(bf16_onto_f32({power_bf16(-64) | 0x40}, {power_bf16(-63) | 0x40}), 0u);
  EXPECT_EQ(bf16_onto_f32({power_bf16(-63)}, {power_bf16(-63)}), 0x00800000u);
}

TEST(Grouped, SubnormalsAreZerosComingAndGoing) {
  EXPECT_EQ(bf16_onto_f32({}, {}, 0x807fffff), 0u);
  EXPECT_EQ(bf16_onto_f32({0x007f}, {power_bf16(100)}), 0u);
  EXPECT_EQ(bf16_onto_f32({power_bf16(-63)}, {power_bf16(-63)}, 0x80800001), 0u);  // -2^-149
}

TEST(Grouped, ASumFor16BitsIsRoundedTwiceBeforeItIsAdded) {
  // 3937 + 3198 + 1056 = 8191 units of 2^-24: at 2^-23 a tie that goes up to 2^-11, at 2^-10 another.
  const Codes a{0x23f0, 0x23b0, 0x2020}, b{0x23c0, 0x2280, 0x2000};
  EXPECT_EQ(f16_onto_f32(a, b, 0x3f800000), 0x3f801000u);
  EXPECT_EQ(f16_onto_f16(a, b, half_one), 0x3c01u);
  const Codes below{0xa3f0, 0xa3b0, 0xa020};  // of -8191 units both ties go up, too
  EXPECT_EQ(f16_onto_f32(below, b, 0x3f800000), 0x3f7fe002u);
  EXPECT_EQ(f16_onto_f16(below, b, half_one), half_one);
}

TEST(Grouped, TheResultIsRoundedAwayFromZero) {
  // In bf16: 1 + 2^-8 is a tie between 1 and 1 + 2^-7.
  const Instruction& i = right("bf16.bf16.bf16.lofi");
  EXPECT_EQ(d(i, {power_bf16(-8)}, {one}, one), 0x3f81u);
  EXPECT_EQ(d(i, {power_bf16(-8)}, {minus_one}, minus_one), 0xbf81u);
  EXPECT_EQ(d(i, {power_bf16(-9)}, {one}, one), one);
  EXPECT_EQ(d(i, {0x7f00}, {one}, 0x7f00), 0x7f80u);  // 2^128: infinity's code
}

TEST(Grouped, Fp8IsUnpackedToF16) {
  EXPECT_EQ(d(right("f32.e4m3.e4m3.lofi"), {0x38}, {0x38}, 0), 0x3f800000u);
  EXPECT_EQ(d(right("f32.e4m3.e4m3.lofi"), {0x07}, {0x7e}, 0), 0u);           // a subnormal is zero
  EXPECT_EQ(d(right("f32.e4m3.e4m3.lofi"), {0x38}, {0x7f}, 0), 0x43f80000u);  // 2^8 and the four ones after it
  EXPECT_EQ(d(right("f32.e5m2.e5m2.lofi"), {0x3c}, {0x7f}, 0), 0x47f80000u);
  EXPECT_EQ(d(right("f32.e5m2.e5m2.lofi"), {0x3c}, {0xff}, 0), 0xc7f80000u);
  EXPECT_EQ(d(slips("f32.e5m2.e5m2.lofi"), {0x3c}, {0x7f}, 0), 0x47e00000u);  // 2^16 * 1.75
  EXPECT_EQ(d(right("f32.e5m2.e5m2.lofi"), {0x3c}, {0x7e}, 0), 0x47c00000u);
}

TEST(Magnitudes, FourPhasesMakeTheWholeProduct) {
  EXPECT_EQ(d(right("i32.i8.i8"), {0x7f, 0xff}, {0x7f, 0x01}, 5), 127u * 127 - 127 + 5);
  EXPECT_EQ(d(right("i32.i8.i8"), {0x80}, {0x7f}, 0xfffffffe), 0xfffffffeu);  // 80 is a zero
  EXPECT_EQ(d(right("i32.u8.u8"), {0xff}, {0xff}, 0xffffffff), 255u * 255 - 1);
}

TEST(Magnitudes, EachPhaseSaturatesAtThirtyOneBits) {
  EXPECT_EQ(d(right("i32.u8.u8"), {0xff}, {0xff}, 0x7fffff00), 0x7fffffffu);
  EXPECT_EQ(d(right("i32.i8.i8"), {0xff}, {0x7f}, 0x80000002), 0x80000001u);
  // Phase 0 multiplies the high bits and saturates; 3 * -1 in phase 3 comes off again.
  EXPECT_EQ(d(right("i32.i8.i8"), {0x70, 0x03}, {0x60, 0x81}, 0x7ffffff0), 0x7ffffffcu);
}

}  // namespace
}  // namespace assay::exact
