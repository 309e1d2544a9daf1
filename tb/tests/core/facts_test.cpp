// The worked facts of docs/numerics.md, section 7, and what sections 3 and 4 say of each algorithm, each with an
// instruction of the catalogue that it belongs to. Every expected value is worked out in the comment beside it or
// stated there.
#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"
#include "tb/tests/core/operands.hpp"
#include "tb/tests/core/riscv_facts.hpp"

namespace assay {
namespace {

using test::Codes;
using test::dot_code;
using test::dot_of;
using test::dot_value;
using test::two_to;
using test::Values;

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

Plan plan_of(const std::string& instruction) { return catalogue().plan_of(catalogue().instruction(instruction)); }

// An instruction on another datapath than its own.
Plan plan_of(const std::string& instruction, const std::string& datapath) {
  const Instruction& i = catalogue().instruction(instruction);
  DatapathFile file = catalogue().datapath(datapath);
  file.datapath.operands = i.operands;
  return plan_or_fail(file.datapath, i.k, file.lines);
}

const double infinity = std::numeric_limits<double>::infinity();

constexpr Code f32_nan = 0x7fffffff, f16_nan = 0x7fff;

const char* const wgmma_f16 = "hopper:wgmma.m64nNk16.f32.f16.f16";
const char* const wgmma_e4m3 = "hopper:wgmma.m64nNk32.f32.e4m3.e4m3";
const char* const hmma_ada = "ada:mma.m16n8k16.f32.f16.f16.f32";
const char* const hmma_ada_f16 = "ada:mma.m16n8k16.f16.f16.f16.f16";
const char* const hmma_volta = "volta:mma.m8n8k4.f32.f16.f16.f32";
const char* const mfma_f16_k4 = "cdna3:v_mfma_f32_32x32x4_2b_f16";
const char* const mfma_fp8 = "cdna3:v_mfma_f32_16x16x32_fp8_fp8";

// --- fda ---

TEST(Fused, HopperKeeps25BitsAndVolta23) {
  // c = 2^-24 - 1 has its last bit at 2^-24.
  const double c = two_to(-24) - 1;
  for (const char* i : {wgmma_f16, "hopper:mma.m16n8k16.f32.f16.f16.f32", "hopper:mma.m16n8k8.f32.f16.f16.f32"}) {
    EXPECT_EQ(dot_value(plan_of(i), {1}, {1}, c), two_to(-24)) << i;
  }
  EXPECT_EQ(dot_value(plan_of(hmma_volta), {1}, {1}, c), two_to(-23));
}

TEST(Fused, OnHopperCutsProductsAtBit25OfTheLargestExponent) {
  // With e_max = 0 the last bit kept is 2^-25; four of them reach the result's last bit, 2^-23.
  const Values four(4, two_to(-12));
  EXPECT_EQ(dot_value(plan_of(wgmma_f16), four, Values(4, two_to(-13)), 1), 1 + two_to(-23));
  EXPECT_EQ(dot_value(plan_of(wgmma_f16), four, Values(4, two_to(-14)), 1), 1);
}

TEST(Fused, OnAdaDropsFourProductsOfTwoToMinus25) {
  EXPECT_EQ(dot_value(plan_of(hmma_ada), Values(4, two_to(-12)), Values(4, two_to(-13)), 1), 1);
}

TEST(Fused, OnAdaNormalisesAfterTheSum) {
  // 1 - 2^-24 + 4 x 2^-24 = 1 + 3 x 2^-24, cut at 2^-23
  EXPECT_EQ(dot_value(plan_of(hmma_ada), Values(4, two_to(-12)), Values(4, two_to(-12)), 1 - two_to(-24)),
            1 + two_to(-23));
}

TEST(Fused, OnAdaHoldsFourSquaresExactly) {
  const Values four(4, 1 - two_to(-11));
  EXPECT_EQ(dot_value(plan_of(hmma_ada), four, four), 4 * (1 - two_to(-10) + two_to(-22)));
}

TEST(Fused, CutsTheResultTowardZero) {
  const Values b{2, two_to(-23) + two_to(-24)};
  EXPECT_EQ(dot_value(plan_of(hmma_ada), {1, 1}, b), 2);
  EXPECT_EQ(dot_value(plan_of(hmma_ada), {-1, -1}, b), -2);
}

TEST(Fused, RoundsAnF16ResultToNearest) {
  EXPECT_EQ(dot_value(plan_of(hmma_ada_f16), {two_to(-24), two_to(-24)}, {0.5, 0.25}), two_to(-24));
}

TEST(Fused, IsNotMonotone) {
  const Values a(4, 0.5), b{two_to(-24), two_to(-24), two_to(-24), two_to(-23) + two_to(-24)};
  EXPECT_EQ(dot_value(plan_of(hmma_ada), a, b, 1 - two_to(-24)), 1 + two_to(-23));
  EXPECT_EQ(dot_value(plan_of(hmma_ada), a, b, 1), 1);
}

TEST(Fused, WgmmaHoldsTheSumOftenQuotedAs456) {
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), {448, 7.5}, {1, 1}), 455.5);
  // 456 is what that f32 becomes in bf16.
  ResultPlan to_bf16;
  to_bf16.format = *find_format("bf16");
  Number sum;
  sum.magnitude = 911;
  sum.quantum = -1;
  EXPECT_EQ(test::value_of(test::row("bf16"), encode(round(sum, to_bf16), to_bf16.format, Nan{})), 456);
}

TEST(Fused, WgmmaOnE4m3Keeps13Bits) {
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), {16, 0.029296875}, {1, 1}), 16.029296875);
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), {32, 0.029296875}, {1, 1}), 32.02734375);
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), {0.029296875}, {1}, 32), 32.02734375);
}

TEST(Fused, WgmmaOnE4m3LeavesTheLowTenBitsOfAnF32Zero) {
  // c alone: 1 + 2^-13 fits 13 fraction bits, 1 + 2^-14 does not.
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), {}, {}, 1 + two_to(-13)), 1 + two_to(-13));
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), {}, {}, 1 + two_to(-14)), 1);
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), {}, {}, -1 - two_to(-14)), -1);
}

TEST(Fused, OnVoltaTurnsASubnormalF16CIntoANormalF32) {
  const Plan plan = plan_of("volta:mma.m8n8k4.f32.f16.f16.f16");
  EXPECT_EQ(dot_of(plan, {{0x0010}, {0x0010}, 0x0001, {}, {}}), 0x33800080U);
}

TEST(Fused, TakesTheFloorWhereEverythingIsSmall) {
  // f16 out, floor -21: with a grid of 2^-46 two products of 2^-47 vanish, although their own window would hold them.
  const Plan hopper = plan_of("hopper:wgmma.m64nNk16.f16.f16.f16");
  const Values a(16, two_to(-24));
  EXPECT_EQ(dot_value(hopper, a, Values(16, two_to(-23))), 0);
  // 2^-24 x 2^-1 x 16 = 2^-21 is far above it.
  EXPECT_EQ(dot_value(hopper, a, Values(16, 0.5)), two_to(-21));
}

TEST(Fused, OverflowsToInfinityAtTwoTo128AndAt65520) {
  const Plan bf16 = plan_of("hopper:wgmma.m64nNk16.f32.bf16.bf16");
  const double greatest = std::ldexp(16777215.0, 104);
  EXPECT_EQ(dot_value(bf16, {two_to(127)}, {1}, two_to(127)), infinity);
  EXPECT_EQ(dot_value(bf16, {-two_to(127)}, {1}, -two_to(127)), -infinity);
  EXPECT_EQ(dot_value(bf16, {two_to(103)}, {0.5}, greatest), greatest);
  const Plan f16 = plan_of("hopper:wgmma.m64nNk16.f16.f16.f16");
  EXPECT_EQ(dot_value(f16, {15}, {1}, 65504), 65504);
  EXPECT_EQ(dot_value(f16, {16}, {1}, 65504), infinity);
  EXPECT_EQ(dot_value(f16, {-16}, {1}, -65504), -infinity);
}

TEST(Fused, HoldsProductsFarAboveTheGreatestNumberThatCancel) {
  const Plan bf16 = plan_of("hopper:wgmma.m64nNk16.f32.bf16.bf16");
  EXPECT_EQ(dot_value(bf16, {two_to(120), two_to(120)}, {two_to(120), -two_to(120)}, 1), 0);
  EXPECT_EQ(dot_value(bf16, {two_to(120)}, {two_to(120)}, 1), infinity);
}

TEST(Fused, DecidesSpecialValuesFirst) {
  const Plan plan = plan_of(wgmma_f16);
  const Code inf = 0x7c00, minus_inf = 0xfc00, one = 0x3c00, nan = 0x7e01;
  EXPECT_EQ(dot_of(plan, {{nan}, {one}, 0, {}, {}}), f32_nan);
  EXPECT_EQ(dot_of(plan, {{inf}, {0}, 0, {}, {}}), f32_nan);
  EXPECT_EQ(dot_of(plan, {{inf, one}, {one, minus_inf}, 0, {}, {}}), f32_nan);
  EXPECT_EQ(dot_of(plan, {{inf}, {one}, 0xff800000, {}, {}}), f32_nan);
  EXPECT_EQ(dot_of(plan, {{inf}, {one}, 0xff7fffff, {}, {}}), 0x7f800000U);
  EXPECT_EQ(dot_of(plan, {{inf}, {minus_inf}, 0, {}, {}}), 0xff800000U);
  EXPECT_EQ(dot_of(plan, {{one}, {one}, 0x7f800001, {}, {}}), f32_nan);
  EXPECT_EQ(dot_of(plan_of("hopper:wgmma.m64nNk16.f16.f16.f16"), {{nan}, {one}, 0, {}, {}}), f16_nan);
}

TEST(Fused, ReadsATf32NanWithAnEmptyMantissaAsInfinity) {
  const Plan plan = plan_of("hopper:mma.m16n8k8.f32.tf32.tf32.f32");
  EXPECT_EQ(dot_of(plan, {{0x7f800001}, {0x3f800000}, 0, {}, {}}), 0x7f800000U);
  EXPECT_EQ(dot_of(plan, {{0x7f802000}, {0x3f800000}, 0, {}, {}}), f32_nan);
}

TEST(Fused, GivesAnExactlyZeroSumAsPlusZero) {
  const Plan plan = plan_of(wgmma_f16);
  EXPECT_EQ(dot_of(plan, {{0x8000}, {0x3c00}, 0x80000000, {}, {}}), 0U);
  EXPECT_EQ(dot_code(plan, {1, -1}, {1, 1}), 0U);
}

TEST(Fused, GivesASumThatRoundsToZeroAsPlusZero) {
  // -2^-24 x 2^-2 rounds to zero in f16. On Ada a second step follows, whose sum is exactly zero.
  EXPECT_EQ(dot_code(plan_of("hopper:wgmma.m64nNk16.f16.f16.f16"), {-two_to(-24)}, {0.25}), 0U);
  EXPECT_EQ(dot_code(plan_of(hmma_ada_f16), {-two_to(-24)}, {0.25}), 0U);
}

// --- cofda ---

TEST(Chained, OnAdaAddsEightTermsAStep) {
  // The first step leaves 1; each later 2^-25 is cut in a step of its own, however many there are.
  Values a(16, two_to(-12)), b(16, two_to(-13));
  EXPECT_EQ(dot_value(plan_of(hmma_ada), a, b, 1), 1);
  // Hopper adds all sixteen at once and keeps 2^-25: 1 + 16 x 2^-25 = 1 + 2^-21.
  EXPECT_EQ(dot_value(plan_of(wgmma_f16), a, b, 1), 1 + two_to(-21));
}

TEST(Chained, LetsAFiniteOverflowOfOneStepBeAnInfiniteOperandOfTheNext) {
  const Plan ada = plan_of("ada:mma.m16n8k16.f32.bf16.bf16.f32");
  Values a(16, 0), b(16, 0);
  a[0] = two_to(127);
  b[0] = 2;
  a[8] = -two_to(127);
  b[8] = 2;
  EXPECT_EQ(dot_value(ada, a, b), infinity);
  // In one step they cancel.
  EXPECT_EQ(dot_value(plan_of("hopper:mma.m16n8k16.f32.bf16.bf16.f32"), a, b), 0);
}

// --- emulated_fp8 ---

Values at(const std::vector<std::pair<std::size_t, double>>& terms) {
  Values values(32, 0);
  for (const auto& [i, v] : terms) values[i] = v;
  return values;
}

TEST(SplitFp8, AddsAlternatePairsOfTermsApart) {
  const Plan split = plan_of("hopper:mma.m16n8k32.f32.e4m3.e4m3.f32");
  // k = 0 and 1 cancel in the first step; k = 2 is alone in the second.
  const Values a = at({{0, 256}, {1, 256}, {2, two_to(-9)}}), b = at({{0, 256}, {1, -256}, {2, two_to(-9)}});
  EXPECT_EQ(dot_value(split, a, b), two_to(-18));
  EXPECT_EQ(dot_value(plan_of(wgmma_e4m3), a, b), 0);
}

TEST(SplitFp8, ChainsItsTwoSteps) {
  const Plan split = plan_of("hopper:mma.m16n8k32.f32.e4m3.e4m3.f32");
  // First step 2^16 + 2^-18, cut to 2^16; the second takes 2^16 away.
  const Values a = at({{0, 256}, {4, two_to(-9)}, {2, 256}}), b = at({{0, 256}, {4, two_to(-9)}, {2, -256}});
  EXPECT_EQ(dot_value(split, a, b), 0);
}

TEST(SplitFp8, AddsCLastAndRoundsToNearest) {
  const Plan split = plan_of("hopper:mma.m16n8k32.f32.e4m3.e4m3.f32");
  EXPECT_EQ(dot_value(split, {1}, {1}, two_to(-24)), 1);
  EXPECT_EQ(dot_value(split, {1}, {1}, two_to(-24) + two_to(-40)), 1 + two_to(-23));
  EXPECT_EQ(dot_value(split, {1}, {1}, 3 * two_to(-24)), 1 + two_to(-22));
  const Plan f16 = plan_of("hopper:mma.m16n8k32.f16.e4m3.e4m3.f16");
  EXPECT_EQ(dot_value(f16, {1}, {1}, two_to(-11)), 1);
  EXPECT_EQ(dot_value(f16, {1}, {1}, 3 * two_to(-11)), 1 + two_to(-9));
}

TEST(SplitFp8, FollowsIeeeForTheSignOfZeroInItsLastAddition) {
  const Plan split = plan_of("hopper:mma.m16n8k32.f32.e4m3.e4m3.f32");
  // The two steps leave +0, whatever the signs of their zeros; +0 + -0 = +0.
  EXPECT_EQ(dot_of(split, {{0x80}, {0x38}, 0x80000000, {}, {}}), 0U);
}

// --- gdfs ---

const std::vector<std::string>& group_scaled_instructions() {
  static const std::vector<std::string> list{"rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue8m0",
                                             "blackwell:tcgen05.mma.m128nNk64.block16.f32.e2m1.e2m1.ue8m0"};
  return list;
}

TEST(GroupScaled, LetsAGroupThatCancelsKeepItsScalesExponent) {
  Codes a(64), b(64);
  a[0] = a[1] = a[16] = 2;
  b[0] = b[16] = 2;
  b[1] = 0xa;
  for (const std::string& i : group_scaled_instructions()) {
    EXPECT_EQ(dot_of(plan_of(i), {a, b, 0, {0x93, 0x6f, 0x7f, 0x7f}, Codes(4, 0x7f)}), 0U) << i;
    // Without the cancelling group: 2^-16.
    Codes alone(64);
    alone[16] = 2;
    EXPECT_EQ(dot_of(plan_of(i), {alone, b, 0, {0x93, 0x6f, 0x7f, 0x7f}, Codes(4, 0x7f)}), 0x37800000U) << i;
  }
}

TEST(GroupScaled, Keeps35Bits) {
  const Plan plan = plan_of(group_scaled_instructions()[0]);
  // 1 in group 0, 2^-35 (kept) or 2^-36 (cut) in group 1, c = -1.
  Codes a(64), b(64);
  a[0] = b[0] = a[16] = b[16] = 2;
  const auto sum = [&](Code scale) {
    return dot_of(plan, {a, b, 0xbf800000, {0x7f, scale, 0x7f, 0x7f}, Codes(4, 0x7f)});
  };
  EXPECT_EQ(sum(0x7f - 35), test::code_of(test::row("f32"), two_to(-35)));
  EXPECT_EQ(sum(0x7f - 36), 0U);
}

TEST(GroupScaled, MultipliesByBothScalesSignificands) {
  const Plan plan = plan_of("rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3");
  Codes a(64), b(64);
  a[0] = b[0] = 2;
  // ue4m3 3c = 1.5, 41 = 2.25; the top stored bit is not read.
  EXPECT_EQ(dot_of(plan, {a, b, 0, {0x3c, 0x38, 0x38, 0x38}, {0xc1, 0x38, 0x38, 0x38}}),
            test::code_of(test::row("f32"), 3.375));
}

TEST(GroupScaled, DecidesSpecialValuesFirst) {
  const Plan plan = plan_of(group_scaled_instructions()[0]);
  const Codes one(4, 0x7f);
  EXPECT_EQ(dot_of(plan, {{}, {}, 0, {0x7f, 0xff, 0x7f, 0x7f}, one}), f32_nan);
  EXPECT_EQ(dot_of(plan, {{}, {}, 0, one, {0x7f, 0x7f, 0x7f, 0xff}}), f32_nan);
  EXPECT_EQ(dot_of(plan, {{}, {}, 0x7f800001, one, one}), f32_nan);
  EXPECT_EQ(dot_of(plan, {{2}, {2}, 0xff800000, one, one}), 0xff800000U);
}

TEST(Scaled, MultipliesEachProductByItsBlocksScales) {
  const Plan plan = plan_of("rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0");
  const Code one = 0x38;
  EXPECT_EQ(dot_of(plan, {{one}, {one}, 0, {0x93}, {0x70}}), test::code_of(test::row("f32"), 32));
  EXPECT_EQ(dot_of(plan, {{one}, {one}, 0, {0xff}, {0x7f}}), f32_nan);
}

// --- fdrda, gfdrda ---

TEST(LateFloor, DistinguishesItsRevisions) {
  const Codes a{0x0c00, 0x0c00, 0x0100, 0}, b{0x8c00, 0x8800, 0x0100, 0};  // 2^-12, 2^-12, 2^-16; -2^-12, -2^-13, 2^-16
  EXPECT_EQ(test::value_of(test::row("f16"), 0x0c00), two_to(-12));
  EXPECT_EQ(test::value_of(test::row("f16"), 0x8800), -two_to(-13));
  EXPECT_EQ(test::value_of(test::row("f16"), 0x0100), two_to(-16));
  const test::Terms terms{a, b, 0x3f800000, {}, {}};
  EXPECT_EQ(dot_of(plan_of(mfma_f16_k4), terms), 0x3f7fffffU);
  EXPECT_EQ(dot_of(plan_of(mfma_f16_k4, "late_floor_f24_step4_revision1"), terms), 0x3f7ffffeU);
}

TEST(LateFloor, OfEightTermsDistinguishesItsRevisionsToo) {
  const std::string i = "cdna3:v_mfma_f32_16x16x16_f16";
  const test::Terms terms{{0x0c00, 0x0c00, 0x0100}, {0x8c00, 0x8800, 0x0100}, 0x3f800000, {}, {}};
  EXPECT_EQ(dot_of(plan_of(i), terms), 0x3f7fffffU);
  EXPECT_EQ(dot_of(plan_of(i, "late_floor_f24_step8_revision1"), terms), 0x3f7ffffeU);
}

TEST(LateFloor, FloorsCInTheWindowOfProductsThatCancelled) {
  const double c = test::value_of(test::row("f32"), 0xb58637bd);  // -0.000001
  EXPECT_EQ(dot_value(plan_of("cdna3:v_mfma_f32_16x16x16_f16"), {2048, 2048}, {2048, -2048}, c), -0.25);
  EXPECT_EQ(dot_code(plan_of(wgmma_f16), {2048, 2048}, {2048, -2048}, c), 0U);
}

TEST(LateFloor, TurnsProductsFromTwoTo128IntoInfinities) {
  const Plan plan = plan_of("cdna3:v_mfma_f32_16x16x16_bf16");
  const double big = two_to(64);
  EXPECT_EQ(dot_value(plan, {big}, {big}), infinity);
  EXPECT_EQ(dot_value(plan, {big}, {-big}, 1), -infinity);
  EXPECT_TRUE(std::isnan(dot_value(plan, {big, big}, {big, -big})));
  // An infinity among the operands decides before overflowed products are looked at.
  EXPECT_EQ(dot_value(plan, {big}, {-big}, infinity), infinity);
  EXPECT_EQ(dot_value(plan, {big, infinity}, {-big, 1}), infinity);
  // Just below 2^128 nothing is infinite: 2^64 (2 - 2^-7) x (2^63) < 2^128, and c takes it away again.
  EXPECT_EQ(dot_value(plan, {two_to(63)}, {two_to(64)}, -two_to(127)), 0);
}

TEST(LateFloor, CountsAZeroCWithExponentMinus126) {
  // A product of 2^-133 x 2^-10 lies in c's window: 2^-126 - 32 bits keep 2^-158, so 2^-143 stays: a subnormal result.
  const Plan plan = plan_of("cdna3:v_mfma_f32_16x16x16_bf16");
  EXPECT_EQ(dot_value(plan, {two_to(-130)}, {two_to(-13)}), two_to(-143));
  // 2^-149 + 2^-159: floored at 2^-158 to 2^-149; its negative to -2^-149 - 2^-158 and, rounded, -2^-149.
  EXPECT_EQ(dot_value(plan, {-two_to(-130), -two_to(-130)}, {two_to(-19), two_to(-29)}), -two_to(-149));
}

TEST(EvenOddLateFloor, DropsCThatLiesMoreThan25Below) {
  for (const char* datapath : {"even_odd_late_floor_f24", "even_odd_late_floor_f24_revision1"}) {
    const Plan plan = plan_of(mfma_fp8, datapath);
    EXPECT_EQ(dot_code(plan, {1}, {1}, -two_to(-25)), 0x3f7fffffU) << datapath;
    EXPECT_EQ(dot_code(plan, {1}, {1}, -two_to(-26)), 0x3f800000U) << datapath;
  }
}

TEST(EvenOddLateFloor, CutsEvenAndOddProductsInWindowsOfTheirOwn) {
  const Plan plan = plan_of(mfma_fp8);
  // Even: 128 x 128 = 2^14, cancelled by another even one, keeps its window: an even 2^-20 is cut at 2^(14 - 24), an
  // odd one of 2^-10 x 2^-10 stays in its own window and is floored to nothing at 2^(14 - 24).
  EXPECT_EQ(dot_value(plan, {128, 0, 128, two_to(-10)}, {128, 0, -128, two_to(-10)}), 0);
  // Its negative is floored: -2^-10.
  EXPECT_EQ(dot_value(plan, {128, 0, 128, -two_to(-10)}, {128, 0, -128, two_to(-10)}), -two_to(-10));
  // An even one is cut toward zero.
  EXPECT_EQ(dot_value(plan, {128, 0, 128, 0, -two_to(-10)}, {128, 0, -128, 0, two_to(-10)}), 0);
}

// --- gps, exact, sfma, integer ---

TEST(Pairwise, AddsPairsThenTheirSumOntoC) {
  const Plan plan = plan_of("cdna2:v_mfma_f32_32x32x4f16");
  // (2^24 + 1) + (1 - 2^24): the first pair rounds to 2^24, the second is exact.
  const Values a{4096, 1, 1, -4096}, b{4096, 1, 1, 4096};
  EXPECT_EQ(dot_value(plan, a, b), 1);
  // CDNA1 sums the four exactly.
  EXPECT_EQ(dot_value(plan_of("cdna1:v_mfma_f32_32x32x4f16"), a, b), 2);
}

TEST(Pairwise, OnBf16TakesTwoTermsAStep) {
  const Plan plan = plan_of("cdna2:v_mfma_f32_32x32x4bf16");
  // c = -2^24: first pair 2^24 + 1 rounds to 2^24 and cancels c; the second pair stays: 1 + 1.
  EXPECT_EQ(dot_value(plan, {4096, 1, 1, 1}, {4096, 1, 1, 1}, -two_to(24)), 2);
}

TEST(Pairwise, ReadsSubnormalsAsPlusZeroAndFlushesResults) {
  const Plan plan = plan_of("cdna2:v_mfma_f32_32x32x4f16");
  EXPECT_EQ(dot_value(plan, {two_to(-24)}, {1024}), 0);
  EXPECT_EQ(dot_value(plan, {}, {}, two_to(-127)), 0);
  const Plan bf16 = plan_of("cdna2:v_mfma_f32_32x32x2bf16");
  EXPECT_EQ(dot_value(bf16, {two_to(-100)}, {two_to(-26)}), two_to(-126));
  EXPECT_EQ(dot_value(bf16, {two_to(-100)}, {two_to(-27)}), 0);
  // A flushed product keeps its sign: -0 + -0 (the other product) + -0 (c) = -0.
  EXPECT_EQ(dot_code(bf16, {-two_to(-100), -0.0}, {two_to(-27), 1}, -0.0), 0x80000000U);
}

TEST(Exact, RoundsOnceAndKeepsSubnormals) {
  const Plan plan = plan_of("cdna1:v_mfma_f32_32x32x4f16");
  // 2^30 + 2^6 + 2^-40: half an ulp (2^6) and a little: up. Without the little it is a tie to even: down.
  EXPECT_EQ(dot_value(plan, {32768, 8, two_to(-20)}, {32768, 8, two_to(-20)}), two_to(30) + 128);
  EXPECT_EQ(dot_value(plan, {32768, 8}, {32768, 8}), two_to(30));
  EXPECT_EQ(dot_value(plan, {two_to(-24)}, {two_to(-24)}, two_to(-149)), two_to(-48));
  EXPECT_EQ(dot_value(plan, {}, {}, two_to(-149)), two_to(-149));
}

TEST(Exact, HoldsTermsThatAreFurthestApart) {
  const Plan plan = plan_of("cdna1:v_mfma_f32_32x32x2bf16");
  // 2^127 and half its ulp, 2^103, and the least product there is: up; the least one's negative: down.
  const double big = two_to(127), half = two_to(103), least = two_to(-133);
  EXPECT_EQ(dot_value(plan, {half, least}, {1, least}, big), big + two_to(104));
  EXPECT_EQ(dot_value(plan, {half, -least}, {1, least}, big), big);
}

TEST(FmaChain, IsIeeeFusedMultiplyAddInOrder) {
  for (const char* i : {"hopper:mma.m8n8k4.f64.f64.f64.f64", "ampere:mma.m8n8k4.f64.f64.f64.f64"}) {
    const Plan plan = plan_of(i);
    double expected = 0.1;
    const Values a{1.0 / 3, -7.7e100, 3.1e-200, 1e300}, b{3.3, 1.1e-100, 1e-150, 1e-301};
    for (std::size_t k = 0; k < 4; ++k) expected = std::fma(a[k], b[k], expected);
    EXPECT_EQ(dot_value(plan, a, b, 0.1), expected) << i;
  }
}

TEST(FmaChain, FollowsIeeeForTheSignOfZero) {
  const Plan plan = plan_of("hopper:mma.m8n8k4.f64.f64.f64.f64");
  const Code minus_zero = Code{1} << 63;
  const Values ones(4, 1), minus_zeros(4, -0.0);
  EXPECT_EQ(dot_code(plan, minus_zeros, ones, -0.0), minus_zero);
  EXPECT_EQ(dot_code(plan, minus_zeros, ones, 0.0), 0U);
  EXPECT_EQ(dot_code(plan, {1, -1}, {1, 1}, -0.0), 0U);
}

TEST(Integer, WrapsAt32Bits) {
  const Plan plan = plan_of("cdna3:v_mfma_i32_16x16x32_i8");
  EXPECT_EQ(dot_of(plan, {{0x80}, {0x80}, 0x7fffffff, {}, {}}), 0x80003fffU);
  EXPECT_EQ(dot_of(plan, {{0x80}, {0x7f}, 0x80000000, {}, {}}), 0x7fffc080U);
  EXPECT_EQ(dot_of(plan_of("x86:tdpbssd"), {{0xff}, {0xff}, 0, {}, {}}), 1U);
  EXPECT_EQ(dot_of(plan_of("x86:tdpbuud"), {{0xff}, {0xff}, 0, {}, {}}), 0xfe01U);
  EXPECT_EQ(dot_of(plan_of("x86:tdpbsud"), {{0xff}, {0xff}, 0, {}, {}}), 0xffffff01U);
  EXPECT_EQ(dot_of(plan_of("x86:tdpbusd"), {{0xff}, {0xff}, 0, {}, {}}), 0xffffff01U);
}

// --- x86 ---

TEST(X86, TileKeepsEvenAndOddTermsApartAndAddsCLast) {
  const Plan plan = plan_of("x86:tdpbf16ps");
  const double big = two_to(15);
  // t0 = 2^30, t1 = 1: their sum loses the 1 before c is there to cancel 2^30.
  EXPECT_EQ(dot_value(plan, {big, 1}, {big, 1}, -two_to(30)), 0);
  // Both even: 2^30 - 2^30 + 1.
  EXPECT_EQ(dot_value(plan, {big, 0, -big, 0, 1}, {big, 0, big, 0, 1}), 1);
  // One even, one odd: the odd chain keeps its 1 for itself and loses it only at the end.
  EXPECT_EQ(dot_value(plan, {big, -big, 0, 1}, {big, big, 0, 1}), 0);
}

TEST(X86, FlushesWhatIsTinyAfterRoundingAsIfTheExponentWereUnbounded) {
  const Plan plan = plan_of("x86:tdpbf16ps");
  const Values a{two_to(-126), 0, -two_to(-75)};
  EXPECT_EQ(dot_value(plan, a, {1, 0, two_to(-76)}), two_to(-126));
  EXPECT_EQ(dot_value(plan, a, {1, 0, two_to(-75)}), 0);
  const Plan lane = plan_of("x86:vdpbf16ps");
  EXPECT_EQ(dot_value(lane, {0, -two_to(-75)}, {0, two_to(-76)}, two_to(-126)), two_to(-126));
  EXPECT_EQ(dot_value(lane, {0, -two_to(-75)}, {0, two_to(-75)}, two_to(-126)), 0);
}

TEST(X86, LaneAddsTheOddElementFirst) {
  const Plan plan = plan_of("x86:vdpbf16ps");
  const double big = two_to(15);
  EXPECT_EQ(dot_value(plan, {1, big}, {1, big}, -two_to(30)), 1);
  EXPECT_EQ(dot_value(plan, {big, 1}, {big, 1}, -two_to(30)), 0);
}

TEST(X86, ReadsSubnormalsAsZerosOfTheirSignExceptF16Operands) {
  const Plan bf16 = plan_of("x86:tdpbf16ps");
  EXPECT_EQ(dot_value(bf16, {two_to(-130)}, {two_to(100)}), 0);
  EXPECT_EQ(dot_value(bf16, {}, {}, two_to(-130)), 0);
  const Plan f16 = plan_of("x86:tdpfp16ps");
  EXPECT_EQ(dot_value(f16, {two_to(-24)}, {1}), two_to(-24));
  EXPECT_EQ(dot_value(f16, {}, {}, two_to(-130)), 0);
  // -0 (c, flushed) + +0 (t0 + t1) = +0.
  EXPECT_EQ(dot_code(f16, {}, {}, -two_to(-130)), 0U);
}

// --- RISC-V ---

TEST(Riscv, HandWorkedCases) {
  for (const test::RiscvFact& fact : test::riscv_facts()) {
    const Plan plan = plan_of(std::string("riscv:") + fact.instruction);
    EXPECT_EQ(dot_of(plan, {fact.a, fact.b, fact.c, {}, {}}), fact.d) << fact.instruction << ", c " << fact.c;
  }
}

}  // namespace
}  // namespace assay
