// Sections 2 to 4 of docs/numerics.md, sentence by sentence, each by a case that another reading would fail. Codes are
// bits; unlisted terms are zero.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/oracle/rows.hpp"

namespace assay::exact {
namespace {

// f16
constexpr Code one = 0x3c00, minus_one = 0xbc00, inf = 0x7c00, minus_inf = 0xfc00, a_nan = 0x7e01;
// f32
constexpr Code f32_inf = 0x7f800000, f32_minus_inf = 0xff800000, f32_nan = 0x7fc00000, f32_minus_0 = 0x80000000;

Code f32_power(int exponent) { return static_cast<Code>(exponent + 127) << 23; }
Code minus(Code f32_code) { return f32_code ^ f32_minus_0; }
Code bf16_power(int exponent) { return static_cast<Code>(exponent + 127) << 7; }
Code f16_power(int exponent) { return static_cast<Code>(exponent + 15) << 10; }

const Instruction& volta() { return row("volta", "mma.m8n8k4.f32.f16.f16.f32"); }
const Instruction& hopper() { return row("hopper", "mma.m16n8k16.f32.f16.f16.f32"); }
const Instruction& hopper_bf16() { return row("hopper", "mma.m16n8k16.f32.bf16.bf16.f32"); }
const Instruction& hopper_f16_out() { return row("hopper", "mma.m16n8k16.f16.f16.f16.f16"); }
const Instruction& hopper_e4m3() { return row("hopper", "wgmma.m64nNk32.f32.e4m3.e4m3"); }
const Instruction& emulated() { return row("hopper", "mma.m16n8k32.f32.e4m3.e4m3.f32"); }
const Instruction& emulated_f16_out() { return row("hopper", "mma.m16n8k32.f16.e4m3.e4m3.f16"); }

// ---- section 3: special values

struct Special {
  const char* name;
  std::vector<Code> a, b;
  Code c;
  enum { nan, positive, negative } result;
};

// f16 operands, f32 c.
const std::vector<Special>& specials() {
  static const std::vector<Special> cases{
      {"NaN in a", {a_nan, one}, {one, inf}, 0, Special::nan},
      {"NaN in b, times zero", {0}, {a_nan}, 0, Special::nan},
      {"NaN in c", {inf}, {one}, f32_nan, Special::nan},
      {"zero times infinity", {0}, {inf}, 0, Special::nan},
      {"infinity times minus zero", {minus_inf}, {0x8000}, f32_inf, Special::nan},
      {"products of both infinities", {inf, inf}, {one, minus_one}, 0, Special::nan},
      {"product against c", {inf}, {one}, f32_minus_inf, Special::nan},
      {"one infinity", {inf, one}, {one, one}, 0, Special::positive},
      {"two alike", {inf, minus_inf}, {minus_one, one}, 0, Special::negative},
      {"c alone", {one}, {one}, f32_minus_inf, Special::negative},
      {"product like c", {minus_inf}, {minus_one}, f32_inf, Special::positive},
  };
  return cases;
}

void expect_specials(const Instruction& i, OracleResult nan) {
  for (const Special& s : specials()) {
    const OracleResult expected =
        s.result == Special::nan ? nan : number(s.result == Special::positive ? f32_inf : f32_minus_inf);
    EXPECT_EQ(oracle(i, s.a, s.b, s.c), expected) << title(i) << ": " << s.name;
  }
}

TEST(Specials, DecideEveryAlgorithmOnF16) {
  expect_specials(volta(), canonical_nan(0x7fffffff));
  expect_specials(hopper(), canonical_nan(0x7fffffff));
  expect_specials(row("ampere", "mma.m16n8k16.f32.f16.f16.f32"), canonical_nan(0x7fffffff));
  for (const char* name : {"v_mfma_f32_32x32x4_2b_f16", "v_mfma_f32_32x32x8_f16", "v_mfma_f32_16x16x16_f16"}) {
    expect_specials(row("cdna3", name), any_nan());
  }
  expect_specials(row("cdna2", "v_mfma_f32_16x16x16f16"), any_nan());
  expect_specials(row("cdna1", "v_mfma_f32_16x16x16f16"), any_nan());
  expect_specials(row("x86", "tdpfp16ps"), any_nan());
}

TEST(Specials, F16OutHasItsOwnCanonicalNan) {
  EXPECT_EQ(oracle(hopper_f16_out(), {a_nan}, {one}, 0), canonical_nan(0x7fff));
  EXPECT_EQ(oracle(hopper_f16_out(), {inf}, {one}, minus_inf), canonical_nan(0x7fff));
  EXPECT_EQ(oracle(hopper_f16_out(), {one}, {one}, minus_inf), number(minus_inf));
}

TEST(Specials, DecideFp8) {
  EXPECT_EQ(oracle(hopper_e4m3(), {0x7f}, {0}, 0), canonical_nan(0x7fffffff));
  EXPECT_EQ(oracle(row("hopper", "wgmma.m64nNk32.f32.e5m2.e5m2"), {0x7c}, {0x3c}, 0), number(f32_inf));
  EXPECT_EQ(oracle(emulated(), {0x7f}, {0}, 0), canonical_nan(0x7fffffff));
  EXPECT_EQ(oracle(row("hopper", "mma.m16n8k32.f32.e5m2.e5m2.f32"), {0x7c}, {0x3c}, f32_minus_inf),
            canonical_nan(0x7fffffff));
  EXPECT_EQ(oracle(row("hopper", "mma.m16n8k32.f32.e5m2.e5m2.f32"), {0x7c}, {0x3c}, 0), number(f32_inf));
  for (const char* name : {"v_mfma_f32_32x32x16_fp8_fp8", "v_mfma_f32_16x16x32_bf8_bf8"}) {
    EXPECT_EQ(oracle(row("cdna3", name), {0x80}, {0}, 0), any_nan());
    EXPECT_EQ(oracle(row("cdna3", name), {0x40}, {0x40}, f32_minus_inf), number(f32_minus_inf));
  }
}

TEST(Specials, DmmaNanIsAny) {
  const Instruction& i = row("ampere", "mma.m8n8k4.f64.f64.f64.f64");
  EXPECT_EQ(oracle(i, {0x7ff0000000000000}, {0}, 0), any_nan());
  EXPECT_EQ(oracle(i, {0x7ff0000000000000}, {0x3ff0000000000000}, 0x3ff0000000000000), number(0x7ff0000000000000));
}

// Of several NaNs b's goes first, then what has come so far, then a's; it is made quiet. A NaN that is made is
// negative.
TEST(Specials, HopperDmmaTakesOneOfItsNans) {
  const Instruction& i = row("hopper", "mma.m8n8k4.f64.f64.f64.f64");
  const Code quiet = 0x7ff8000000000000, of_a = 0x7ff0000000000001, of_b = 0xfff0000000000002,
             of_c = 0x7ff0000000000003;
  const Code f64_one = 0x3ff0000000000000, f64_inf = 0x7ff0000000000000;
  EXPECT_EQ(oracle(i, {of_a}, {of_b}, of_c), canonical_nan(of_b | quiet));
  EXPECT_EQ(oracle(i, {of_a}, {f64_one}, of_c), canonical_nan(of_c | quiet));
  EXPECT_EQ(oracle(i, {of_a}, {f64_one}, 0), canonical_nan(of_a | quiet));
  EXPECT_EQ(oracle(i, {of_a, 0}, {f64_one, of_b}, 0), canonical_nan(of_b | quiet));
  EXPECT_EQ(oracle(i, {of_a, of_c}, {f64_one, f64_one}, 0), canonical_nan(of_a | quiet));
  EXPECT_EQ(oracle(i, {f64_inf, of_a}, {0, f64_one}, 0), canonical_nan(0xfff8000000000000));
}

TEST(Specials, Tf32ReadsANanOfIgnoredBitsAsInfinity) {
  const Instruction& i = row("hopper", "mma.m16n8k8.f32.tf32.tf32.f32");
  EXPECT_EQ(oracle(i, {0x7f800001}, {0x3f800000}, 0), number(f32_inf));
  EXPECT_EQ(oracle(i, {0x7f802000}, {0x3f800000}, 0), canonical_nan(0x7fffffff));
}

TEST(Specials, AStepsOverflowIsTheNextStepsInfinity) {
  const Instruction& i = row("ampere", "mma.m16n8k16.f16.f16.f16.f16");  // two steps of eight
  const Codes b(16, f16_power(8));
  Codes a(16);
  a[0] = f16_power(8);  // 2^16: over
  a[8] = f16_power(8) | 0x8000;
  EXPECT_EQ(oracle(i, a, b, 0), number(inf));
  a[1] = f16_power(8) | 0x8000;  // within the first step it does not overflow
  EXPECT_EQ(oracle(i, a, b, 0), number(minus_inf));
}

TEST(Agreement, OfABareNanIsWithAnyNanAndNothingElse) {
  const Instruction& i = row("x86", "tdpfp16ps");
  EXPECT_TRUE(agrees(i, any_nan(), 0xffc00000));
  EXPECT_TRUE(agrees(i, any_nan(), 0x7f800001));
  EXPECT_FALSE(agrees(i, any_nan(), f32_inf));
  EXPECT_FALSE(agrees(i, any_nan(), 0));
  EXPECT_TRUE(agrees(i, canonical_nan(0x7fffffff), 0x7fffffff));
  EXPECT_FALSE(agrees(i, canonical_nan(0x7fffffff), 0x7fc00000));
  EXPECT_FALSE(agrees(i, number(0), f32_minus_0));
}

// ---- section 4: sfma in IEEE's directions

// What rz, rm and rp make of one case, on a unit of either kind.
void expect_directed(const Codes& a, const Codes& b, Code c, const Codes& rounded) {
  const std::vector<std::string> directions{"rz", "rm", "rp"};
  for (const std::string architecture : {"ampere", "hopper"}) {
    for (std::size_t r = 0; r < directions.size(); ++r) {
      const Instruction& i = row(architecture, "mma.m8n8k4." + directions[r] + ".f64.f64.f64.f64");
      EXPECT_EQ(oracle(i, a, b, c), number(rounded[r])) << title(i);
    }
  }
}

constexpr Code one64 = 0x3ff0000000000000, minus_one64 = 0xbff0000000000000, minus_0_64 = 0x8000000000000000;
constexpr Code most64 = 0x7fefffffffffffff, least64 = 0xffefffffffffffff;
constexpr Code inf64 = 0x7ff0000000000000, minus_inf64 = 0xfff0000000000000;

TEST(Directed, SumsGoDownUpOrTowardZero) {
  const Code tiny = 0x3c30000000000000;  // 2^-60
  expect_directed({one64}, {tiny}, one64, {one64, one64, one64 + 1});
  expect_directed({one64}, {tiny}, minus_one64, {minus_one64 - 1, minus_one64, minus_one64 - 1});
  expect_directed({minus_one64}, {tiny}, minus_one64, {minus_one64, minus_one64 + 1, minus_one64});
  // Below the least subnormal, twice.
  const Code least_normal = 0x0010000000000000;
  expect_directed({least_normal}, {least_normal}, 0, {0, 0, 1});
  expect_directed({least_normal, least_normal}, {least_normal, least_normal}, 0, {0, 0, 2});
  const Codes minus(4, least_normal | minus_0_64);
  expect_directed({least_normal, 0, 0, 0}, minus, 0, {minus_0_64, minus_0_64 + 1, minus_0_64});
}

TEST(Directed, WhatIsTooLargeIsTheGreatestNumberOrInfinity) {
  const Code two = 0x4000000000000000;
  expect_directed({most64}, {two}, 0, {most64, most64, inf64});
  expect_directed({least64}, {two}, 0, {least64, minus_inf64, least64});
  // It goes on into the chain as that.
  expect_directed({most64, least64}, {two, one64}, 0, {0, minus_0_64, inf64});
  expect_directed({one64}, {inf64}, 0, {inf64, inf64, inf64});
}

TEST(Directed, AnExactlyZeroSumIsNegativeOnlyDown) {
  expect_directed({one64}, {one64}, minus_one64, {0, minus_0_64, 0});
  expect_directed(Codes(4, one64), {one64, minus_one64, one64, minus_one64}, 0, {0, minus_0_64, 0});
  expect_directed({}, {}, 0, {0, 0, 0});
  expect_directed(Codes(4, minus_0_64), Codes(4, one64), minus_0_64, {minus_0_64, minus_0_64, minus_0_64});
  expect_directed({}, {}, minus_0_64, {0, minus_0_64, 0});
}

TEST(Directed, NansAreThoseOfTheNearest) {
  EXPECT_EQ(oracle(row("ampere", "mma.m8n8k4.rz.f64.f64.f64.f64"), {inf64}, {0}, 0), any_nan());
  const Instruction& i = row("hopper", "mma.m8n8k4.rm.f64.f64.f64.f64");
  EXPECT_EQ(oracle(i, {inf64}, {0}, 0), canonical_nan(0xfff8000000000000));
  EXPECT_EQ(oracle(i, {inf64 | 1}, {one64}, inf64 | 3), canonical_nan(0x7ff8000000000003));
}

// ---- section 3: signs of zero

TEST(Zero, OfAFusedSumIsPositive) {
  const std::vector<std::pair<const char*, const char*>> fused{
      {"hopper", "mma.m16n8k16.f32.f16.f16.f32"}, {"ampere", "mma.m16n8k16.f32.f16.f16.f32"},
      {"cdna3", "v_mfma_f32_32x32x4_2b_f16"},     {"cdna3", "v_mfma_f32_32x32x16_fp8_fp8"},
      {"cdna1", "v_mfma_f32_16x16x16f16"},
  };
  for (const auto& [architecture, name] : fused) {
    const Instruction& i = row(architecture, name);
    EXPECT_EQ(oracle(i, {}, {}, f32_minus_0), number(0)) << title(i);
    const Code plus = i.a.name == "f16" ? one : 0x40;
    const Code minus = i.a.name == "f16" ? minus_one : 0xc0;
    EXPECT_EQ(oracle(i, {plus, minus}, {plus, plus}, f32_minus_0), number(0)) << title(i);
  }
  const Codes minus_zeros(16, 0x8000);
  EXPECT_EQ(oracle(hopper(), minus_zeros, Codes(16, one), f32_minus_0), number(0));
}

TEST(Zero, FollowsIeeeElsewhere) {
  const Codes f32_minus_zeros(4, f32_minus_0);
  EXPECT_EQ(oracle(row("cdna3", "v_mfma_f32_16x16x4_f32"), f32_minus_zeros, Codes(4, 0x3f800000), f32_minus_0),
            number(f32_minus_0));
  EXPECT_EQ(oracle(row("cdna3", "v_mfma_f32_16x16x4_f32"), {}, {}, f32_minus_0), number(0));
  EXPECT_EQ(oracle(row("cdna2", "v_mfma_f32_16x16x16f16"), Codes(16, 0x8000), Codes(16, one), f32_minus_0),
            number(f32_minus_0));
  EXPECT_EQ(oracle(row("x86", "vdpbf16ps"), {0x8000, 0x8000}, {0x3f80, 0x3f80}, f32_minus_0), number(f32_minus_0));
  EXPECT_EQ(oracle(row("x86", "tdpbf16ps"), Codes(32, 0x8000), Codes(32, 0x3f80), f32_minus_0), number(0));  // from +0
  EXPECT_EQ(oracle(emulated(), {}, {}, f32_minus_0), number(0));
}

TEST(Zero, OfANonZeroFusedSumIsPositiveToo) {
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(-76)}, {bf16_power(-76) | 0x8000}, 0), number(0));
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(-76)}, {bf16_power(-76)}, 0), number(0));
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-13)}, {f16_power(-13) | 0x8000}, 0), number(0));
  // -2^-32 rounds to +0 in either of two chained steps, so that c = -0 is added to +0.
  const Instruction& i = row("hopper", "mma.m16n8k32.f16.e5m2.e5m2.f16");
  EXPECT_EQ(oracle(i, {0x01}, {0x81}, 0x8000), number(0));
  EXPECT_EQ(oracle(i, {0, 0, 0x01}, {0, 0, 0x81}, 0x8000), number(0));
}

// ---- sections 2 and 4: fda

TEST(Fda, AProductIsNotNormalised) {
  // 1.5 * 1.5 = 2.25 has exponent 0, so 2^-23 is still in the window; the result is cut.
  EXPECT_EQ(oracle(volta(), {0x3e00}, {0x3e00}, minus(f32_power(-23))), number(0x400fffff));
}

TEST(Fda, ASubnormalOperandKeepsItsEncodedExponent) {
  // 2^-24 * 1 counts as 2^-14: 2^-38 is below the window, as 2^-37 is not.
  EXPECT_EQ(oracle(volta(), {0x0001}, {one}, f32_power(-38)), number(f32_power(-24)));
  EXPECT_EQ(oracle(volta(), {0x0001}, {one}, f32_power(-37)), number(f32_power(-24) | 1 << 10));
}

TEST(Fda, AZeroTermTakesNoPart) {
  EXPECT_EQ(oracle(volta(), {one, 0x7800}, {one, 0}, minus(f32_power(-23))), number(0x3f7ffffe));
}

TEST(Fda, CTakesPartAndIsCutToo) {
  EXPECT_EQ(oracle(volta(), {one, one}, {one, minus_one}, f32_power(-24)), number(0));
  EXPECT_EQ(oracle(volta(), {}, {}, f32_power(-24)), number(f32_power(-24)));
}

TEST(Fda, TermsAreCutTowardZeroWhateverTheirSign) {
  EXPECT_EQ(oracle(volta(), {one, one}, {one, minus_one}, minus(f32_power(-24))), number(0));
  EXPECT_EQ(oracle(volta(), {one, one}, {one, minus_one}, minus(0x34400000)),
            number(minus(f32_power(-23))));  // -1.5 * 2^-23
}

TEST(Fda, TheResultIsCutTowardZero) {
  EXPECT_EQ(oracle(hopper(), {one, 0x0001, 0x0001}, {one, one, f16_power(-1)}, 0), number(0x3f800000));
  EXPECT_EQ(oracle(hopper(), {one, 0x0001, 0x0001}, {minus_one, minus_one, 0xb800}, 0), number(0xbf800000));
}

TEST(Fda, F32OverflowsAt2To128) {
  const Code greatest = 0x7f7fffff;
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(60)}, {bf16_power(43)}, greatest), number(greatest));  // below the cut
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(60)}, {bf16_power(44)}, greatest), number(f32_inf));   // one unit
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(60)}, {bf16_power(44) | 0x8000}, minus(greatest)), number(f32_minus_inf));
}

TEST(Fda, F16OverflowsAt65520AndRoundsToNearestEven) {
  const Code greatest = 0x7bff;  // 65504
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(2)}, {f16_power(2)}, greatest), number(inf));
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(2), f16_power(-5)}, {f16_power(2), 0x8000 | f16_power(-5)}, greatest),
            number(greatest));
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-6)}, {f16_power(-5)}, one), number(one));          // tie to even
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-6)}, {f16_power(-5)}, one + 1), number(one + 2));  // tie to even
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-6), 0x0001}, {f16_power(-5), one}, one), number(one + 1));
}

// n * 2^exponent for an n of up to eight bits.
Code bf16(Code n, int exponent) {
  int top = 7;
  while ((n >> top) == 0) --top;
  return bf16_power(exponent + top) | (n << (7 - top) & 0x7f);
}

Instruction with_floor(Instruction i, int floor) {
  i.exponent_floor = floor;
  return i;
}

TEST(Fda, TheFloorBindsForF32) {
  // 2047 * 2^-160 + 2^-160 = 2^-149. From a floor of -133 the window ends at 2^-158, and both lose their last bits.
  const Codes a{bf16(89, -80), bf16_power(-80)};
  const Codes b{bf16(23, -80), bf16_power(-80)};
  EXPECT_EQ(hopper_bf16().exponent_floor, -133);
  EXPECT_EQ(oracle(hopper_bf16(), a, b, 0), number(0));
  EXPECT_EQ(oracle(with_floor(hopper_bf16(), -134), a, b, 0), number(0));
  EXPECT_EQ(oracle(with_floor(hopper_bf16(), -135), a, b, 0), number(1));
}

TEST(Fda, TheFloorBindsForF16) {
  // 2^-25 is a tie that 2^-48 would break, were it not below the window.
  const Codes a{f16_power(-12), 0x0001};
  const Codes b{f16_power(-13), 0x0001};
  EXPECT_EQ(hopper_f16_out().exponent_floor, -21);
  EXPECT_EQ(oracle(hopper_f16_out(), a, b, 0), number(0));
  EXPECT_EQ(oracle(with_floor(hopper_f16_out(), -22), a, b, 0), number(0));
  EXPECT_EQ(oracle(with_floor(hopper_f16_out(), -23), a, b, 0), number(1));
}

TEST(Fda, ThirteenOutputBitsLeaveTheLowTenZero) {
  // c = 1 - 2^-24 is aligned as 1 - 2^-13; 1.5 and that are 2.5 - 2^-13, of which 2.5 - 2^-12 is kept.
  EXPECT_EQ(oracle(hopper_e4m3(), {0x3c}, {0x38}, 0x3f7fffff), number(0x401ffc00));
  EXPECT_EQ(oracle(hopper_e4m3(), {0xbc}, {0x38}, 0xbf7fffff), number(0xc01ffc00));
  EXPECT_EQ(oracle(hopper_e4m3(), {}, {}, 0x3fffffff), number(0x3ffffc00));
}

TEST(Fda, ThirteenBitsOfASubnormalEndAt2ToMinus139) {
  EXPECT_EQ(oracle(hopper_e4m3(), {}, {}, 0x00000400), number(0x00000400));
  EXPECT_EQ(oracle(hopper_e4m3(), {}, {}, 0x000007ff), number(0x00000400));
  EXPECT_EQ(oracle(hopper_e4m3(), {}, {}, 0x800003ff), number(0));  // the aligned sum is exactly zero
}

TEST(Fda, BlockScalesJoinTheExponent) {
  const Instruction& i = row("rtx_blackwell", "mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0");
  OracleOperands o = padded(i, {0x38, 0x01}, {0x38, 0x38}, 0);  // 1 + 2^-9
  o.scale_a = {0x7f + 3};
  o.scale_b = {0x7f - 10};
  EXPECT_EQ(oracle(i, o), number(f32_power(-7) | 1 << 14));
  o.c = f32_power(-7 - 26);  // below a window that begins at 2^-7
  EXPECT_EQ(oracle(i, o), number(f32_power(-7) | 1 << 14));
  o.scale_a = o.scale_b = {0xfe};
  EXPECT_EQ(oracle(i, o), number(f32_inf));
  o.scale_a = o.scale_b = {0x00};  // 2^-127, not zero
  EXPECT_EQ(oracle(i, o), number(o.c));
  o.scale_b = {0xff};
  EXPECT_EQ(oracle(i, o), canonical_nan(0x7fffffff));
  o.c = f32_inf;
  EXPECT_EQ(oracle(i, o), canonical_nan(0x7fffffff));
}

TEST(Cofda, TheStepsFollowTheTerms) {
  const Instruction& i = row("ampere", "mma.m16n8k16.f32.f16.f16.f32");  // steps of eight
  Codes a(16), b(16, one);
  a[0] = 0x7400;  // 2^14
  a[1] = 0xf400;
  a[7] = f16_power(-12);
  EXPECT_EQ(oracle(i, a, b, 0), number(0));  // lost beside 2^14
  std::swap(a[7], a[8]);
  EXPECT_EQ(oracle(i, a, b, 0), number(f32_power(-12)));  // the next step
}

TEST(Cofda, AStepsResultHasTheExponentItRoundsTo) {
  // 2 - 2^-12 rounds to 2, whose exponent 1 puts 2^-24 below the next step's window.
  const Instruction& i = row("ampere", "mma.m16n8k16.f16.f16.f16.f16");
  Codes a(16, 0), b(16, one);
  a[0] = 0x4000;
  a[1] = minus_one;
  b[1] = f16_power(-12);
  a[8] = a[9] = minus_one;
  a[10] = b[10] = f16_power(-12);
  EXPECT_EQ(oracle(i, a, b, 0), number(0));
  a[0] = one;  // exponent 0: 1 - 1 + 2^-24 keeps it
  a[9] = 0;
  b[1] = 0;
  EXPECT_EQ(oracle(i, a, b, 0), number(0x0001));
}

TEST(EmulatedFp8, TheFirstStepTakesEveryOtherPair) {
  // 2^8 * 2^8 - 2^8 * 2^8 within one step leave nothing of 2^-10 in it; in the other step it is kept.
  for (std::size_t place = 0; place < 32; ++place) {
    Codes a(32), b(32);
    a[4] = b[4] = a[28] = 0x78;
    b[28] = 0xf8;
    if (place == 4 || place == 28) continue;
    a[place] = 0x01;  // 2^-9
    b[place] = 0x30;  // 2^-1
    EXPECT_EQ(oracle(emulated(), a, b, 0), number((place / 2) % 2 == 0 ? 0 : f32_power(-10))) << place;
  }
}

TEST(EmulatedFp8, OfSixteenTermsEachStepTakesEight) {
  const Instruction& i = row("hopper", "mma.m16n8k16.f32.e4m3.e4m3.f32");
  for (std::size_t place = 0; place < 16; ++place) {
    Codes a(16), b(16);
    a[5] = b[5] = a[12] = 0x78;
    b[12] = 0xf8;
    if (place == 5 || place == 12) continue;
    a[place] = 0x01;
    b[place] = 0x30;
    EXPECT_EQ(oracle(i, a, b, 0), number((place / 2) % 2 == 0 ? 0 : f32_power(-10))) << place;
  }
}

TEST(EmulatedFp8, TheSecondStepTakesTheFirstsResult) {
  Codes a(32), b(32);
  a[0] = b[0] = a[2] = 0x78;  // 2^16 in the first step, -2^16 in the second
  b[2] = 0xf8;
  a[6] = 0x01;
  b[6] = 0x30;
  EXPECT_EQ(oracle(emulated(), a, b, 0), number(0));
}

TEST(EmulatedFp8, CIsAddedLastAndRoundedToNearest) {
  EXPECT_EQ(oracle(emulated(), {0x38}, {0x38}, f32_power(-24)), number(0x3f800000));
  EXPECT_EQ(oracle(emulated(), {0x38}, {0x38}, 0x34400000), number(0x3f800002));  // 1.5 * 2^-23, a tie
  EXPECT_EQ(oracle(emulated(), {}, {}, 0x807fffff), number(0x807fffff));
  EXPECT_EQ(oracle(emulated(), {0x38}, {0x38}, 0x7f7fffff), number(0x7f7fffff));
}

TEST(EmulatedFp8, AnF16StepCanOverflow) {
  EXPECT_EQ(oracle(emulated_f16_out(), {0x7e}, {0x7e}, 0xfbff), number(inf));  // 448 * 448 and the least finite c
}

// ---- gdfs

const Instruction& nvfp4() { return row("rtx_blackwell", "mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"); }
const Instruction& mxfp4() { return row("rtx_blackwell", "mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0"); }

// 1 * 1 at each of the places.
OracleOperands ones_at(const Instruction& i, const std::vector<std::size_t>& places, Code scale) {
  OracleOperands o = padded(i, {}, {}, 0);
  for (const std::size_t place : places) o.a[place] = o.b[place] = 0x2;
  o.scale_a = o.scale_b = Codes(static_cast<std::size_t>(i.scales()), scale);
  return o;
}

TEST(Gdfs, GroupsTakeTheScalesOfTheirBlocks) {
  OracleOperands o = ones_at(nvfp4(), {0, 16, 47, 63}, 0x38);
  o.scale_a = {0x38, 0x40, 0x48, 0x50};  // 1 2 4 8
  EXPECT_EQ(oracle(nvfp4(), o), number(0x41700000));
  o = ones_at(mxfp4(), {0, 16, 47, 63}, 0x7f);
  o.scale_b = {0x7f, 0x82};  // 1 8
  EXPECT_EQ(oracle(mxfp4(), o), number(0x41900000));
}

TEST(Gdfs, NanScaleOrNanCIsNanAndInfiniteCIsC) {
  OracleOperands o = ones_at(nvfp4(), {0}, 0x38);
  o.c = f32_minus_inf;
  EXPECT_EQ(oracle(nvfp4(), o), number(f32_minus_inf));
  o.scale_b[3] = 0xff;  // the top bit is read as zero
  EXPECT_EQ(oracle(nvfp4(), o), canonical_nan(0x7fffffff));
  o.scale_b[3] = 0x38;
  o.c = f32_nan;
  EXPECT_EQ(oracle(nvfp4(), o), canonical_nan(0x7fffffff));
}

TEST(Gdfs, TheSumKeepsThirtyFiveBitsBelowTheScalesExponent) {
  for (const int below : {35, 36}) {
    OracleOperands o = ones_at(mxfp4(), {0, 1, 32}, 0x7f);
    o.b[1] = 0xa;  // the first group cancels, and keeps exponent 0
    o.scale_b[1] = static_cast<Code>(0x7f - below);
    EXPECT_EQ(oracle(mxfp4(), o), number(below == 35 ? f32_power(-35) : 0));
  }
}

TEST(Gdfs, AGroupsSumIsNotNormalised) {
  // 16 * 36 = 576 has the exponent of its scales, 0, and leaves 2^-35 in the window; a c of 576 has 9 and does not.
  OracleOperands o = ones_at(mxfp4(), {32}, 0x7f);
  std::fill_n(o.a.begin(), 32, Code{0x7});
  std::fill_n(o.b.begin(), 16, Code{0x7});
  std::fill_n(o.b.begin() + 16, 16, Code{0xf});
  o.scale_b[1] = 0x7f - 35;
  EXPECT_EQ(oracle(mxfp4(), o), number(f32_power(-35)));
  std::fill_n(o.b.begin() + 16, 16, Code{0});
  o.c = 0xc4100000;
  EXPECT_EQ(oracle(mxfp4(), o), number(0));
  o.scale_b[1] = 0x7f - 26;
  EXPECT_EQ(oracle(mxfp4(), o), number(f32_power(-26)));
  o.scale_b[1] = 0x7f - 27;
  EXPECT_EQ(oracle(mxfp4(), o), number(0));
}

TEST(Gdfs, ANegativeTermIsCutTowardZero) {
  OracleOperands o = ones_at(mxfp4(), {0, 1, 32}, 0x7f);
  o.b[1] = o.b[32] = 0xa;
  o.scale_b[1] = 0x7f - 36;
  EXPECT_EQ(oracle(mxfp4(), o), number(0));
  o.scale_b[1] = 0x7f - 35;
  EXPECT_EQ(oracle(mxfp4(), o), number(minus(f32_power(-35))));
}

TEST(Gdfs, TheFloorBinds) {
  // 2^-149 less 2^-176: a window that begins at -139 ends at 2^-174, so nothing takes the last place away.
  EXPECT_EQ(mxfp4().exponent_floor, -139);
  OracleOperands o = ones_at(mxfp4(), {0, 1, 32}, 0x7f);
  o.scale_a = {0x7f - 75, 0x7f - 100};
  o.scale_b = {0x7f - 75, 0x7f - 76};  // group 0: 2 * 2^-150; group 2: 2^-176
  o.b[32] = 0xa;
  EXPECT_EQ(oracle(mxfp4(), o), number(1));
  EXPECT_EQ(oracle(with_floor(mxfp4(), -141), o), number(0));
}

TEST(Gdfs, AZeroScaleTakesNoPart) {
  OracleOperands o = ones_at(nvfp4(), {0, 16}, 0x00);
  o.scale_a = {0x00, 0x38, 0x38, 0x38};
  o.scale_b = {0x78, 0x38, 0x38, 0x38};  // 0 * 2^8 would have exponent 2
  o.c = minus(f32_power(-35));
  EXPECT_EQ(oracle(nvfp4(), o), number(0x3f7fffff));
  o.scale_a[0] = 0x01;  // 2^-9: exponents -6 + 8, and 2^-35 is out of the window
  o.a[0] = 0x0;
  EXPECT_EQ(oracle(nvfp4(), o), number(0x3f7fffff));
  o.a[0] = 0x1;
  o.a[1] = 0x9;
  o.b[1] = 0x2;
  EXPECT_EQ(oracle(nvfp4(), o), number(0x3f800000));
}

// ---- fdrda and its kin

const Instruction& fdrda() { return row("cdna3", "v_mfma_f32_32x32x4_2b_bf16"); }
const Instruction& gfdrda() { return row("cdna3", "v_mfma_f32_32x32x16_fp8_fp8"); }

TEST(Fdrda, AnOverflowedProductIsAnInfinity) {
  const Code big = bf16_power(64);
  EXPECT_EQ(oracle(fdrda(), {big}, {big}, 0), number(f32_inf));
  EXPECT_EQ(oracle(fdrda(), {big}, {big | 0x8000}, f32_power(127)), number(f32_minus_inf));
  EXPECT_EQ(oracle(fdrda(), {big, big}, {big, big | 0x8000}, 0), any_nan());
  EXPECT_EQ(oracle(fdrda(), {big}, {bf16_power(63)}, 0), number(f32_power(127)));
  // An infinite c decides first, and the overflow is not looked at.
  EXPECT_EQ(oracle(fdrda(), {big}, {big}, f32_minus_inf), number(f32_minus_inf));
  EXPECT_EQ(oracle(fdrda(), {big, big}, {big, big | 0x8000}, f32_inf), number(f32_inf));
}

TEST(Fdrda, ProductsAreCutTowardZeroAt24Bits) {
  EXPECT_EQ(oracle(fdrda(), {0x3f80, 0x3f80, bf16_power(-12)}, {0x3f80, 0xbf80, bf16_power(-12)}, 0),
            number(f32_power(-24)));
  EXPECT_EQ(oracle(fdrda(), {0x3f80, 0x3f80, bf16_power(-12)}, {0x3f80, 0xbf80, 0x8000 | bf16_power(-13)}, 0),
            number(0));
}

TEST(Fdrda, CIsFlooredAt24Bits) {
  const Codes a{0x3f80, 0x3f80}, b{0x3f80, 0xbf80};
  EXPECT_EQ(oracle(fdrda(), a, b, f32_power(-25)), number(0));
  EXPECT_EQ(oracle(fdrda(), a, b, minus(f32_power(-25))), number(minus(f32_power(-24))));
  EXPECT_EQ(oracle(fdrda(), a, b, minus(f32_power(-120))), number(minus(f32_power(-24))));
}

TEST(Fdrda, TheDotSumIsFlooredAtBit32OfTheLargerExponent) {
  // 1 - 2^-24 - 2^-25 is a tie, whose even neighbour is the lower; 2^-32 breaks it, 2^-33 is floored away.
  const auto at = [](int exponent, Revision revision) {
    return oracle(fdrda(), {bf16_power(-24), bf16_power(-25), bf16_power(exponent)}, {0xbf80, 0xbf80, 0x3f80},
                  f32_power(0), revision);
  };
  EXPECT_EQ(at(-32, Revision::second), number(0x3f7fffff));
  EXPECT_EQ(at(-33, Revision::second), number(0x3f7ffffe));
  EXPECT_EQ(at(-31, Revision::first), number(0x3f7fffff));
  EXPECT_EQ(at(-32, Revision::first), number(0x3f7ffffe));
}

TEST(Fdrda, TheSumIsFlooredAtBit31OfItsOwnExponent) {
  // 2 - 2^-23 + 2^-22 is a tie, one binade up from e_max: bit 31 is 2^-30 there. Revision 1 has no such floor.
  const auto at = [](int exponent, Revision revision) {
    return oracle(fdrda(), {bf16_power(-22), bf16_power(exponent)}, {0x3f80, 0x3f80}, 0x3fffffff, revision);
  };
  EXPECT_EQ(at(-30, Revision::second), number(0x40000001));
  EXPECT_EQ(at(-31, Revision::second), number(0x40000000));
  EXPECT_EQ(at(-31, Revision::first), number(0x40000001));
  EXPECT_EQ(at(-32, Revision::first), number(0x40000000));
}

TEST(Fdrda, AZeroCCountsAsExponentMinus126) {
  // 2^-150 is a tie; what could break it is floored away at bit 31 of 2^-126.
  const auto at = [](int exponent) {
    return oracle(fdrda(), {bf16_power(-75), bf16_power(exponent + 80)}, {bf16_power(-75), bf16_power(-80)}, 0,
                  Revision::first);
  };
  EXPECT_EQ(at(-157), number(1));
  EXPECT_EQ(at(-158), number(0));
}

TEST(Fdrda, TheSumsOwnExponentIsNeverBelowMinus126) {
  const auto at = [](int exponent) {
    return oracle(fdrda(), {bf16_power(-75), bf16_power(exponent + 80)}, {bf16_power(-75), bf16_power(-80)}, 0);
  };
  EXPECT_EQ(at(-157), number(1));
  EXPECT_EQ(at(-158), number(0));  // the first floor keeps it, the second does not
}

TEST(Fdrda, TheSumIsFlooredNotCut) {
  // -(1 + 2^-24) is a tie; 2^-32 more is floored to 2^-31 more.
  EXPECT_EQ(oracle(fdrda(), {bf16_power(-24), bf16_power(-32)}, {0xbf80, 0xbf80}, 0xbf800000), number(0xbf800001));
  EXPECT_EQ(oracle(fdrda(), {bf16_power(-24)}, {0xbf80}, 0xbf800000), number(0xbf800000));
}

TEST(Fdrda, ATinySumKeepsItsSign) {
  EXPECT_EQ(oracle(fdrda(), {bf16_power(-80)}, {0x8000 | bf16_power(-80)}, 0), number(f32_minus_0));
  EXPECT_EQ(oracle(fdrda(), {bf16_power(-80)}, {bf16_power(-80)}, 0), number(0));
}

TEST(Fdrda, TheResultRoundsToNearestEven) {
  const Code bf16_one = 0x3f80;
  EXPECT_EQ(oracle(fdrda(), {bf16_one}, {bf16_one}, f32_power(-24)), number(0x3f800000));
  EXPECT_EQ(oracle(fdrda(), {bf16_one}, {bf16_one}, 0x34400000), number(0x3f800002));
  EXPECT_EQ(oracle(fdrda(), {bf16_power(-75)}, {bf16_power(-75)}, 0), number(0));  // 2^-150: a tie
  EXPECT_EQ(oracle(fdrda(), {bf16(3, -75)}, {bf16_power(-75)}, 0), number(2));     // 1.5 * 2^-149: a tie
  // 2^128 - 2^120 and c: half a unit below 2^128 is an infinity, a whole unit is the greatest number.
  EXPECT_EQ(oracle(fdrda(), {bf16(255, 120)}, {bf16_one}, f32_power(119) | 0x7fff80), number(f32_inf));
  EXPECT_EQ(oracle(fdrda(), {bf16(255, 120)}, {bf16_one}, f32_power(119) | 0x7fff00), number(0x7f7fffff));
}

TEST(Cofdrda, TheStepsFollowTheTerms) {
  const Instruction& i = row("cdna3", "v_mfma_f32_16x16x16_f16");  // steps of eight
  Codes a(16), b(16, one);
  a[0] = 0x7400;
  a[1] = 0xf400;
  a[7] = f16_power(-12);
  EXPECT_EQ(oracle(i, a, b, 0), number(0));
  std::swap(a[7], a[8]);
  EXPECT_EQ(oracle(i, a, b, 0), number(f32_power(-12)));
}

TEST(Gfdrda, EvenAndOddProductsAlignApart) {
  // 2^14 cancels among the even ones. 2^-14 beside it is cut toward zero; among the odd ones it is exact until the two
  // sums meet, and those are floored.
  EXPECT_EQ(oracle(gfdrda(), {0x78, 0, 0x78, 0, 0x08}, {0x78, 0, 0xf8, 0, 0x88}, 0), number(0));
  EXPECT_EQ(oracle(gfdrda(), {0x78, 0x08, 0x78}, {0x78, 0x88, 0xf8}, 0), number(minus(f32_power(-10))));
  EXPECT_EQ(oracle(gfdrda(), {0x78, 0x08, 0x78}, {0x78, 0x08, 0xf8}, 0), number(0));
  EXPECT_EQ(oracle(gfdrda(), {0x08, 0x78, 0, 0x78}, {0x88, 0x78, 0, 0xf8}, 0), number(minus(f32_power(-10))));
}

TEST(Gfdrda, TheRevisionsDifferBetweenTwoRecordedCases) {
  // 33554424 + 10 + 2^-6 and + 2^-8 are recorded. One binade up from e_max, the second floor takes 2^-7 away.
  const auto at = [](Code small, Revision revision) {
    return oracle(gfdrda(), {0x5a, small}, {0x40, 0x40}, 0x4bfffffc, revision);
  };
  EXPECT_EQ(at(0x10, Revision::second), number(0x4c000001));
  EXPECT_EQ(at(0x08, Revision::second), number(0x4c000000));
  EXPECT_EQ(at(0x04, Revision::second), number(0x4c000000));
  EXPECT_EQ(at(0x10, Revision::first), number(0x4c000001));
  EXPECT_EQ(at(0x08, Revision::first), number(0x4c000001));
  EXPECT_EQ(at(0x04, Revision::first), number(0x4c000000));
}

TEST(Gfdrda, BothRevisionsLoseCBelowTwentyFivePlaces) {
  for (const Revision revision : {Revision::first, Revision::second}) {
    EXPECT_EQ(oracle(gfdrda(), {0x40}, {0x40}, minus(f32_power(-25)), revision), number(0x3f7fffff));
    EXPECT_EQ(oracle(gfdrda(), {0x40}, {0x40}, minus(0x32ffffff), revision), number(0x3f800000));
  }
}

TEST(Cogfdrda, TheStepsFollowTheTerms) {
  const Instruction& i = row("cdna3", "v_mfma_f32_16x16x32_fp8_fp8");  // steps of sixteen
  Codes a(32), b(32, 0x40);
  a[0] = b[0] = b[1] = 0x78;  // 2^14 - 2^14
  a[1] = 0xf8;
  a[15] = 0x84;  // -2^-8
  b[15] = 0x08;
  EXPECT_EQ(oracle(i, a, b, 0), number(0));  // cut beside the odd 2^14
  std::swap(a[15], a[16]);
  std::swap(b[15], b[16]);
  EXPECT_EQ(oracle(i, a, b, 0), number(minus(f32_power(-15))));
}

// ---- exact

TEST(Exact, FourProductsAndCRoundOnce) {
  const Instruction& i = row("cdna1", "v_mfma_f32_16x16x16f16");  // steps of four
  Codes a(16), b(16, f16_power(-12));
  a[0] = a[3] = f16_power(-12);  // 1 + 2 * 2^-24
  EXPECT_EQ(oracle(i, a, b, 0x3f800000), number(0x3f800001));
  std::swap(a[3], a[4]);  // each a tie by itself
  EXPECT_EQ(oracle(i, a, b, 0x3f800000), number(0x3f800000));
}

TEST(Exact, NoBitIsLostBeforeTheRounding) {
  const Instruction& i = row("cdna1", "v_mfma_f32_16x16x2bf16");
  EXPECT_EQ(oracle(i, {bf16_power(60), bf16_power(60)}, {bf16_power(60), 0x8000 | bf16_power(60)}, 1), number(1));
  EXPECT_EQ(oracle(i, {bf16_power(64), bf16_power(64)}, {bf16_power(64), 0x8000 | bf16_power(64)}, 1), number(1));
  EXPECT_EQ(oracle(i, {bf16(3, -75)}, {bf16_power(-75)}, 0), number(2));  // subnormals are kept
  EXPECT_EQ(oracle(i, {bf16_power(64)}, {bf16_power(64)}, 0), number(f32_inf));
}

// ---- gps

const Instruction& gps4() { return row("cdna2", "v_mfma_f32_16x16x16bf16_1k"); }
const Instruction& gps2() { return row("cdna2", "v_mfma_f32_16x16x8bf16"); }

TEST(Gps, GroupsAreBinaryTrees) {
  const Codes a{bf16_power(24), 0x3f80, 0x3f80, 0x3f80}, ones(4, 0x3f80);
  EXPECT_EQ(oracle(gps4(), a, ones, 0), number(0x4b800001));  // (2^24 + 1) + (1 + 1)
  EXPECT_EQ(oracle(gps2(), a, ones, 0), number(0x4b800001));  // (0 + (2^24 + 1)) + (1 + 1)
  const Codes first{0x3f80, bf16_power(24), 0, 0x3f80};
  EXPECT_EQ(oracle(gps4(), first, ones, f32_power(0)), number(0x4b800000));  // 1 + ((1 + 2^24) + 1)
  const Codes apart{0x3f80, 0, bf16_power(24)};
  EXPECT_EQ(oracle(gps4(), apart, ones, f32_power(0)), number(0x4b800000));  // 1 + (1 + 2^24)
  EXPECT_EQ(oracle(gps2(), apart, ones, f32_power(0)), number(0x4b800001));  // (1 + 1) + 2^24
}

TEST(Gps, AProductRoundsAndOverflowsByItself) {
  EXPECT_EQ(oracle(gps4(), {bf16_power(64), bf16_power(64)}, {bf16_power(64), 0x8000 | bf16_power(64)}, 0), any_nan());
  EXPECT_EQ(oracle(gps4(), {bf16_power(64)}, {bf16_power(64)}, 0), number(f32_inf));
}

TEST(Gps, ASubnormalOperandIsAPositiveZero) {
  EXPECT_EQ(oracle(gps4(), Codes(16, 0x807f), Codes(16, 0x3f80), f32_minus_0), number(0));
  EXPECT_EQ(oracle(gps4(), Codes(16, 0x8000), Codes(16, 0x3f80), 0x807fffff), number(0));
  EXPECT_EQ(oracle(gps4(), Codes(16, 0x8000), Codes(16, 0x3f80), f32_minus_0), number(f32_minus_0));
  EXPECT_EQ(oracle(row("cdna2", "v_mfma_f32_16x16x16f16"), {0x03ff}, {one}, 0), number(0));  // f16's own subnormals
}

TEST(Gps, ASubnormalResultBecomesAZeroOfItsSign) {
  EXPECT_EQ(oracle(gps4(), Codes(16, bf16_power(-70)), Codes(16, 0x8000 | bf16_power(-60)), f32_minus_0),
            number(f32_minus_0));
  EXPECT_EQ(oracle(gps4(), {bf16_power(-70)}, {bf16_power(-56)}, 0), number(f32_power(-126)));
  EXPECT_EQ(oracle(gps4(), {0, bf16(3, -71)}, {0, bf16_power(-56)}, minus(f32_power(-126))), number(0));
  EXPECT_EQ(oracle(gps4(), {bf16(255, -77)}, {bf16(255, -65)}, 0), number(0));
}

// ---- integer

TEST(Integer, WrapsAtThirtyTwoBits) {
  const Instruction& i = row("cdna3", "v_mfma_i32_16x16x32_i8");
  EXPECT_EQ(oracle(i, {1}, {1}, 0x7fffffff), number(0x80000000));
  EXPECT_EQ(oracle(i, {0xff}, {0x01}, 0x80000000), number(0x7fffffff));
  EXPECT_EQ(oracle(i, Codes(32, 0x80), Codes(32, 0x80), 0), number(32 * 128 * 128));
  EXPECT_EQ(oracle(i, Codes(32, 0x80), Codes(32, 0x7f), 5), number(0x100000000 - 32 * 128 * 127 + 5));
}

TEST(Integer, SignsAreTheOperandsOwn) {
  const Codes high(64, 0xff);
  EXPECT_EQ(oracle(row("x86", "tdpbssd"), high, high, 0), number(64));
  EXPECT_EQ(oracle(row("x86", "tdpbsud"), high, Codes(64, 0x02), 0), number(0x100000000 - 128));
  EXPECT_EQ(oracle(row("x86", "tdpbusd"), high, Codes(64, 0x02), 0), number(64 * 255 * 2));
  EXPECT_EQ(oracle(row("x86", "tdpbsud"), Codes(64, 0x02), high, 0), number(64 * 255 * 2));
  EXPECT_EQ(oracle(row("x86", "tdpbusd"), Codes(64, 0x02), high, 0), number(0x100000000 - 128));
  EXPECT_EQ(oracle(row("x86", "tdpbuud"), high, high, 1), number(64 * 255 * 255 + 1));
}

// ---- the x86 units

const Instruction& tile() { return row("x86", "tdpbf16ps"); }
const Instruction& lane() { return row("x86", "vdpbf16ps"); }

TEST(X86, ATileChainsEvenAndOddTermsApart) {
  Codes a(32), b(32, 0x3f80);
  a[0] = bf16_power(24);
  a[2] = a[4] = 0x3f80;
  EXPECT_EQ(oracle(tile(), a, b, 0), number(0x4b800000));  // 2^24 + 1 + 1, one after the other
  std::swap(a[2], a[3]);
  std::swap(a[4], a[5]);
  EXPECT_EQ(oracle(tile(), a, b, 0), number(0x4b800001));  // 2^24 + (1 + 1)
}

TEST(X86, BothChainsOfATileStartFromPlusZero) {
  const Codes b(32, bf16_power(-60));
  for (const std::size_t place : {0U, 1U}) {
    Codes a(32, 0x8000);
    a[place] = 0x8000 | bf16_power(-70);  // flushed: its chain ends in -0, the other in +0
    EXPECT_EQ(oracle(tile(), a, b, f32_minus_0), number(0)) << place;
  }
  Codes a(32, 0x8000);
  a[0] = a[1] = 0x8000 | bf16_power(-70);
  EXPECT_EQ(oracle(tile(), a, b, f32_minus_0), number(f32_minus_0));
}

TEST(X86, ATileAddsCLast) {
  const Codes a{bf16_power(24), 0, 0, 0x3f80}, b(4, 0x3f80);
  EXPECT_EQ(oracle(tile(), a, b, minus(f32_power(24))), number(0));
}

TEST(X86, ALaneTakesTheOddProductFirst) {
  EXPECT_EQ(oracle(lane(), {0xbf80, 0x3f80}, {bf16_power(24), 0x3f80}, f32_power(24)), number(0));
  EXPECT_EQ(oracle(lane(), {0x3f80, 0xbf80}, {0x3f80, bf16_power(24)}, f32_power(24)), number(f32_power(0)));
}

TEST(X86, ProductsAreFused) {
  // (1 + 2^-7)^2 - 1 - 2^-6 = 2^-14, and 2^-14 * 2^-14 beside 1 needs more bits than an f32 has.
  EXPECT_EQ(oracle(lane(), {0, 0x3f81}, {0, 0x3f81}, minus(0x3f820000)), number(f32_power(-14)));
}

TEST(X86, IsTinyAfterRoundingWithAnUnboundedExponent) {
  const auto less = [](int exponent) {
    return oracle(lane(), {0, bf16_power(-76)}, {0, 0x8000 | bf16_power(exponent + 76)}, f32_power(-126));
  };
  EXPECT_EQ(less(-151), number(f32_power(-126)));
  EXPECT_EQ(less(-150), number(0));
  const auto more = [](int exponent) {  // the even product is -0, and keeps a -0
    return oracle(lane(), {0, bf16_power(-76)}, {0x8000, bf16_power(exponent + 76)}, minus(f32_power(-126)));
  };
  EXPECT_EQ(more(-151), number(minus(f32_power(-126))));
  EXPECT_EQ(more(-150), number(f32_minus_0));
}

TEST(X86, SubnormalOperandsAreZerosOfTheirSign) {
  EXPECT_EQ(oracle(lane(), {0x807f, 0x807f}, {0x3f80, 0x3f80}, 0x807fffff), number(f32_minus_0));
  EXPECT_EQ(oracle(lane(), {0x807f, 0x007f}, {0x3f80, 0x3f80}, 0x807fffff), number(0));
  EXPECT_EQ(oracle(lane(), {0x007f}, {bf16_power(60)}, 0), number(0));
  EXPECT_EQ(oracle(lane(), {0x007f}, {0x7f80}, 0), any_nan());
}

TEST(X86, SubnormalsOfF16AreNumbersAndOfItsCAreNot) {
  const Instruction& i = row("x86", "tdpfp16ps");
  EXPECT_EQ(oracle(i, {0x0001}, {one}, 0x007fffff), number(f32_power(-24)));
  EXPECT_EQ(oracle(i, {}, {}, 0x807fffff), number(0));  // +0 and -0; a number, flushed after, would give -0
  EXPECT_EQ(oracle(tile(), {}, {}, 0x807fffff), number(0));
}

}  // namespace
}  // namespace assay::exact
