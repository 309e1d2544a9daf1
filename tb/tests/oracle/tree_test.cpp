// Trees that widen, round or cut up their operands: what their text works out, and where two readings of it part.
#include <gtest/gtest.h>

#include "tb/tests/oracle/rows.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::exact {
namespace {

constexpr Code bf16_one = 0x3f80, three_halves = 0x3fc0, bf16_minus = 0x8000;
constexpr Code f32_one = 0x3f800000, f32_minus_0 = 0x80000000, f32_inf = 0x7f800000, the_nan = 0x7fffffff;

Code power_bf16(int exponent) { return static_cast<Code>(exponent + 127) << 7; }
Code minus_power_bf16(int exponent) { return bf16_minus | power_bf16(exponent); }
Code power_f32(int exponent) { return static_cast<Code>(exponent + 127) << 23; }
Code minus(Code f32_code) { return f32_code ^ f32_minus_0; }

// One window for all, and the accumulator after the sum of products.
const Instruction& together(const std::string& name) { return row("gaudi3", "mme.f32." + name); }
const Instruction& after(const std::string& name) { return row("gaudi2", "mme.f32." + name); }

const Instruction& other_reading(const std::string& name) {
  static const std::vector<Instruction> rows = read_instructions(source_dir() + "/tb/oracle/readings.csv");
  const Instruction* found = find_instruction(rows, "gaudi2", "mme.f32." + name);
  if (found == nullptr) throw std::runtime_error("There is no second reading '" + name + "'.");
  return *found;
}

Code d(const Instruction& i, const Codes& a, const Codes& b, Code c = 0) { return oracle(i, a, b, c).bits; }

// --- the accumulator in the same window

TEST(PlusZero, ANegativeSumThatIsCutToZeroIsPlusZero) {
  EXPECT_EQ(d(together("bf16.bf16"), {power_bf16(-75)}, {minus_power_bf16(-76)}), 0u);
  EXPECT_EQ(d(together("bf16.bf16"), {power_bf16(-74)}, {minus_power_bf16(-75)}), 0x80000001u);
  EXPECT_EQ(d(together("bf16.bf16"), Codes(8, bf16_minus), Codes(8, bf16_one), f32_minus_0), 0u);
}

TEST(PlusZero, TermsAndResultAreCutTowardZero) {
  EXPECT_EQ(d(together("bf16.bf16"), {bf16_one}, {power_bf16(-24)}, f32_one), f32_one);
  EXPECT_EQ(d(together("bf16.bf16"), {bf16_one}, {minus_power_bf16(-25)}, f32_one), f32_one);
  EXPECT_EQ(d(together("bf16.bf16"), {bf16_one}, {minus_power_bf16(-24)}, f32_one), 0x3f7fffffu);
}

TEST(PlusZero, TheFloorBinds) {
  // 127 units of 2^-156 and twice half a unit are 2^-149; from a floor of -132 the halves are cut.
  const Codes a{power_bf16(-70) | 0x7e, power_bf16(-70), power_bf16(-70)},
      b{power_bf16(-80), power_bf16(-87), power_bf16(-87)};
  Instruction lower = together("bf16.bf16");
  lower.exponent_floor = -133;
  EXPECT_EQ(d(together("bf16.bf16"), a, b), 0u);
  EXPECT_EQ(d(lower, a, b), 1u);
}

TEST(PlusZero, ASubnormalOfFp8StandsAtItsLeadingOne) {
  EXPECT_EQ(d(together("e5m2.e5m2"), {0x01}, {0x3c}, power_f32(-39)), 0x37800001u);  // 37800000 if it stood at -14
}

TEST(PlusZero, AnOverflowIsInfinityThoughTowardZero) {
  EXPECT_EQ(d(together("bf16.bf16"), {0x7f7f, 0x7f7f}, {bf16_one, bf16_one}), f32_inf);
  EXPECT_EQ(d(together("bf16.bf16"), {0xff7f, 0xff7f}, {bf16_one, bf16_one}), minus(f32_inf));
}

TEST(PlusZero, SpecialsComeFirst) {
  EXPECT_EQ(d(together("bf16.bf16"), {0x7f80}, {0}), the_nan);
  EXPECT_EQ(d(together("f32.f32"), {0x7f800001}, {0}), the_nan);
  EXPECT_EQ(d(together("f32.f32"), {f32_inf}, {f32_one}, minus(f32_inf)), the_nan);
  EXPECT_EQ(d(together("f32.f32"), {f32_inf}, {minus(f32_one)}), minus(f32_inf));
  EXPECT_EQ(d(together("e4m3ieee.e4m3ieee"), {0x78}, {0x38}), f32_inf);
  EXPECT_EQ(d(together("e4m3.e4m3"), {0x7e}, {0x38}), 0x43e00000u);  // 448
}

TEST(PlusZero, AMakersModeWithoutNanReadsEveryCodeAsANumber) {
  Instruction i = together("e4m3.e4m3");
  EXPECT_EQ(d(i, {0x7f}, {0x38}), the_nan);
  i.a.nan = NanCodes::none;
  EXPECT_EQ(d(i, {0x7f}, {0x38}), 0x43f00000u);  // 480
}

TEST(PlusZero, PiecesAreCutEachByItself) {
  // 1281 * 1281 units of 2^-20, 1281 being 5 * 256 + 1. Beside 2^13 they are cut at 2^-11: 5 * 1 units of 2^-12 lose
  // their half twice, which the whole product does not.
  const Code c = minus(power_f32(13));
  Instruction whole = together("f16.f16");
  whole.extras.erase(Extra::pieces);
  EXPECT_EQ(d(together("f16.f16"), {0x3d01}, {0x3d01}, c), 0xc5fff37cu);  // 2^24 - 3204 units of 2^-11
  EXPECT_EQ(d(whole, {0x3d01}, {0x3d01}, c), 0xc5fff37bu);
}

TEST(PlusZero, Tf32IsRoundedToNearestEven) {
  const Code half_way = 0x3f801000;  // 1 + 2^-11
  EXPECT_EQ(d(together("tf32.tf32"), {half_way}, {f32_one}), f32_one);
  EXPECT_EQ(d(together("tf32.tf32"), {half_way + 0x2000}, {f32_one}), 0x3f804000u);
  EXPECT_EQ(d(together("tf32.tf32"), {0x00001000}, {power_f32(120)}), 0u);  // half the least subnormal: to even
  EXPECT_EQ(d(together("tf32.tf32"), {0x00001001}, {power_f32(120)}), power_f32(-16));
  EXPECT_EQ(d(together("tf32.tf32"), {0x7f7ff000}, {f32_one}), f32_inf);
  EXPECT_EQ(d(together("tf32.tf32"), {0x7f7ff000}, {0}), the_nan);  // infinity times zero
}

TEST(PlusZero, Ufp16HasNoSign) {
  EXPECT_EQ(d(together("ufp16.ufp16"), {0x7c00}, {0xfbff}), 0x4f7fe000u);
  EXPECT_EQ(d(together("ufp16.ufp16"), {0xfc00}, {0x7c00}), f32_inf);
  EXPECT_EQ(d(together("ufp16.ufp16"), {0x0001}, {0x7c00}), power_f32(-40));
}

// --- the accumulator after the sum

TEST(DotThenAdd, ReadingsOfAProductsExponentPartAfterCancellation) {
  const Codes a{three_halves, three_halves, bf16_one}, b{three_halves, three_halves | bf16_minus, power_bf16(-46)};
  EXPECT_EQ(d(after("bf16.bf16"), a, b), 0x28800000u);
  EXPECT_EQ(d(other_reading("bf16.bf16.shortcut"), a, b), 0u);
  const Codes one_and_a_half{0x3fc00000, 0x3fc00000, f32_one}, turned{0x3fc00000, 0xbfc00000, power_f32(-46)};
  EXPECT_EQ(d(after("tf32.tf32"), one_and_a_half, turned), 0x28800000u);
  EXPECT_EQ(d(other_reading("tf32.tf32.shortcut"), one_and_a_half, turned), 0u);
  const Codes of_f16{0x3e00, 0x3e00, 0x0001}, turned_f16{0x3e00, 0xbe00, 0x0004};  // 2^-24 * 2^-22
  EXPECT_EQ(d(after("f16.f16"), of_f16, turned_f16), 0x28800000u);
  EXPECT_EQ(d(other_reading("f16.f16.shortcut"), of_f16, turned_f16), 0u);
}

TEST(DotThenAdd, ReadingsOfZeroProductsPartInASign) {
  for (const char* name : {"bf16.bf16", "f16.f16"}) {
    Codes five(8), ones(8, name[0] == 'b' ? bf16_one : 0x3c00);
    for (std::size_t i = 0; i < 5; ++i) five[i] = 0x8000;
    EXPECT_EQ(d(after(name), five, ones), 0u);
    EXPECT_EQ(d(other_reading(name + std::string(".shortcut")), five, ones), f32_minus_0);
    five[4] = 0;  // four of each
    EXPECT_EQ(d(other_reading(name + std::string(".shortcut")), five, ones), 0u);
    EXPECT_EQ(d(other_reading(name + std::string(".shortcut")), five, ones, f32_minus_0), 0u);
  }
}

TEST(DotThenAdd, MinusZeroTakesAllProductsAndTheAccumulator) {
  const Codes zeros(8, bf16_minus), ones(8, bf16_one);
  EXPECT_EQ(d(after("bf16.bf16"), zeros, ones, f32_minus_0), f32_minus_0);
  EXPECT_EQ(d(after("bf16.bf16"), zeros, ones, 0), 0u);
  EXPECT_EQ(d(after("bf16.bf16"), {bf16_one, bf16_one}, {bf16_one, bf16_minus | bf16_one}, f32_minus_0), 0u);
  // The lanes that tf32 leaves idle are +0.
  EXPECT_EQ(d(after("tf32.tf32"), Codes(4, f32_minus_0), Codes(4, f32_one), f32_minus_0), 0u);
}

TEST(DotThenAdd, RoundsOnceToNearestEven) {
  EXPECT_EQ(d(after("bf16.bf16"), {bf16_one}, {power_bf16(-24)}, f32_one), f32_one);
  EXPECT_EQ(d(after("bf16.bf16"), {bf16_one, power_bf16(-30)}, {power_bf16(-24), power_bf16(-30)}, f32_one),
            0x3f800001u);  // 2^-60 more breaks the tie
}

TEST(DotThenAdd, ReadingsOfTheFlushPartBelowTheLeastNormal) {
  const Codes a{power_bf16(-63), power_bf16(-74)}, b{power_bf16(-63), minus_power_bf16(-76)};  // 2^-126 - 2^-150
  EXPECT_EQ(d(after("bf16.bf16"), a, b), 0x00800000u);
  EXPECT_EQ(d(other_reading("bf16.bf16.tiny_after"), a, b), 0u);
  const Codes less{power_bf16(-63), power_bf16(-74)}, twice{power_bf16(-63), minus_power_bf16(-75)};  // .. - 2^-149
  EXPECT_EQ(d(after("bf16.bf16"), less, twice), 0u);
  const Codes whole{power_f32(-63), power_f32(-74)}, of_f32{power_f32(-63), minus(power_f32(-76))};
  for (const char* name : {"tf32.tf32", "f32.f32"}) {
    EXPECT_EQ(d(after(name), whole, of_f32), 0x00800000u) << name;
    EXPECT_EQ(d(other_reading(name + std::string(".tiny_after")), whole, of_f32), 0u) << name;
  }
}

TEST(DotThenAdd, SubnormalsOfF32AreZerosOfTheirSignAndOthersAreNot) {
  EXPECT_EQ(d(after("bf16.bf16"), Codes(8, 0x807f), Codes(8, bf16_one), 0x807fffff), f32_minus_0);
  EXPECT_EQ(d(after("bf16.bf16"), {0x007f}, {0x7f80}), the_nan);
  EXPECT_EQ(d(after("f16.f16"), {0x0001}, {0x3c00}), power_f32(-24));
  EXPECT_EQ(d(after("bf16.bf16"), {minus_power_bf16(-70)}, {power_bf16(-60)}), f32_minus_0);  // a result, too
  // Rounded to tf32 first, which is normal.
  EXPECT_EQ(d(after("tf32.tf32"), {0x007fffff}, {f32_one}), 0x00800000u);
}

TEST(DotThenAdd, Fp8HasTheInfinitiesOfIeeeAndTwentyFourBits) {
  EXPECT_EQ(d(after("e4m3ieee.e4m3ieee"), {0x78}, {0x38}), f32_inf);
  EXPECT_EQ(d(after("e4m3ieee.e4m3ieee"), {0x77}, {0x38}), 0x43700000u);  // 240
  EXPECT_EQ(d(after("e4m3ieee.e4m3ieee"), {0x79}, {0}), the_nan);
  EXPECT_EQ(d(after("e4m3ieee.e4m3ieee"), {0x77, 0x77, 0x01}, {0x77, 0xf7, 0x01}), 0u);
  EXPECT_EQ(d(after("e4m3ieee.e4m3ieee"), {0x01}, {0x01}), power_f32(-18));
}

TEST(DotThenAdd, ASubnormalOfE5m2StandsAtMinus14) {
  // 2^-16 * 2^15 counts as 2^1: 2^-24 is cut, as it would not be below an exponent of -1.
  EXPECT_EQ(d(after("e5m2.e5m2"), {0x01, 0x01}, {0x78, 0x1c}), power_f32(-1));
  EXPECT_EQ(d(after("e5m2.e5m2"), {0x01, 0x01}, {0x78, 0x20}), power_f32(-1) + 2);
}

// --- fused multiply-adds

TEST(FlushingFma, IsTinyAfterRoundingWithAnUnboundedExponent) {
  const Instruction& i = after("f32.f32.ieee");
  EXPECT_EQ(d(i, {power_f32(-76)}, {minus(power_f32(-74))}, power_f32(-126)), 0u);
  EXPECT_EQ(d(i, {power_f32(-76)}, {minus(power_f32(-75))}, power_f32(-126)), power_f32(-126));
  EXPECT_EQ(d(i, {0x3f800001}, {0x3f800001}, minus(0x3f800002)), power_f32(-46));
}

TEST(FlushingFma, SubnormalsAreZerosOfTheirSignAndThereIsOneNan) {
  const Instruction& i = after("f32.f32.ieee");
  EXPECT_EQ(d(i, {0x807fffff}, {f32_one}, 0x807fffff), f32_minus_0);
  EXPECT_EQ(d(i, {0x007fffff}, {f32_inf}), the_nan);
  EXPECT_EQ(d(i, {0xffc12345}, {f32_one}), the_nan);
}

}  // namespace
}  // namespace assay::exact
