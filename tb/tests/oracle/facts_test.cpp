// Section 7 of docs/numerics.md, fact by fact: each number in it is written here as it is written there.
#include <gtest/gtest.h>

#include <cmath>

#include "tb/oracle/datum.hpp"
#include "tb/tests/core/riscv_facts.hpp"
#include "tb/tests/oracle/rows.hpp"

namespace assay::exact {
namespace {

// The code of a value that a small format holds: the one that decodes to it.
Code code(const Format& format, double value) {
  for (Code candidate = 0; candidate < Code{1} << format.stored_bits; ++candidate) {
    const Datum datum = decode(format, candidate);
    if (datum.kind != Kind::finite) continue;
    const double found = std::ldexp(datum.value.significand.get_d(), static_cast<int>(datum.value.exponent));
    if (found == value) return candidate;
  }
  throw std::runtime_error(format.name + " does not hold the value asked for.");
}

// sum of a[i] * b[i] + c, all as values; unlisted terms zero.
OracleResult dot(const Instruction& i, const std::vector<double>& a, const std::vector<double>& b, Code c) {
  Codes codes_a, codes_b;
  for (const double value : a) codes_a.push_back(code(i.a, value));
  for (const double value : b) codes_b.push_back(code(i.b, value));
  return oracle(i, codes_a, codes_b, c);
}

double power(int exponent) { return std::ldexp(1.0, exponent); }

// A value that an f32 holds exactly.
Code exact_f32(double value) {
  const auto narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) != value) throw std::runtime_error("f32 does not hold the value asked for.");
  return f32(narrow);
}

OracleResult is(double value) { return number(exact_f32(value)); }

TEST(Facts, HopperKeepsOneMoreBitThanVolta) {
  const Code c = exact_f32(power(-24) - 1);
  EXPECT_EQ(dot(row("hopper", "mma.m16n8k16.f32.f16.f16.f32"), {1}, {1}, c), is(power(-24)));
  EXPECT_EQ(dot(row("hopper", "wgmma.m64nNk16.f32.f16.f16"), {1}, {1}, c), is(power(-24)));
  EXPECT_EQ(dot(row("volta", "mma.m8n8k4.f32.f16.f16.f32"), {1}, {1}, c), is(power(-23)));
}

class AdaF16 : public testing::TestWithParam<const char*> {
 protected:
  const Instruction& instruction() const { return row("ada", GetParam()); }
};

TEST_P(AdaF16, FourProductsBelowTheLastPlaceAreLost) {
  EXPECT_EQ(dot(instruction(), std::vector<double>(4, power(-12)), std::vector<double>(4, power(-13)), exact_f32(1)),
            is(1));
}

TEST_P(AdaF16, FourProductsInTheLastPlaceOfALesserCAreKept) {
  EXPECT_EQ(dot(instruction(), std::vector<double>(4, power(-12)), std::vector<double>(4, power(-12)),
                exact_f32(1 - power(-24))),
            is(1 + power(-23)));
}

TEST_P(AdaF16, FourSquaresAreExact) {
  const std::vector<double> four(4, 1 - power(-11));
  EXPECT_EQ(dot(instruction(), four, four, 0), is(4 * (1 - power(-10) + power(-22))));
}

TEST_P(AdaF16, TheResultIsCut) {
  EXPECT_EQ(dot(instruction(), {1, 1}, {2, power(-23) + power(-24)}, 0), is(2));
  EXPECT_EQ(dot(instruction(), {-1, -1}, {2, power(-23) + power(-24)}, 0), is(-2));
}

TEST_P(AdaF16, IsNotMonotone) {
  const std::vector<double> a{.5, .5, .5, .5};
  const std::vector<double> b{power(-24), power(-24), power(-24), power(-23) + power(-24)};
  EXPECT_EQ(dot(instruction(), a, b, exact_f32(1 - power(-24))), is(1 + power(-23)));
  EXPECT_EQ(dot(instruction(), a, b, exact_f32(1)), is(1));
}

INSTANTIATE_TEST_SUITE_P(Facts, AdaF16, testing::Values("mma.m16n8k8.f32.f16.f16.f32", "mma.m16n8k16.f32.f16.f16.f32"),
                         [](const auto& info) { return info.index == 0 ? "K8" : "K16"; });

TEST(Facts, AdaF16OutRoundsToNearest) {
  for (const char* name : {"mma.m16n8k8.f16.f16.f16.f16", "mma.m16n8k16.f16.f16.f16.f16"}) {
    EXPECT_EQ(dot(row("ada", name), {power(-24), power(-24)}, {power(-1), power(-2)}, 0), number(0x0001));
  }
}

TEST(Facts, HopperE4m3SumIsExactInTheAccumulator) {
  EXPECT_EQ(dot(row("hopper", "wgmma.m64nNk32.f32.e4m3.e4m3"), {448, 7.5}, {1, 1}, 0), is(455.5));
}

TEST(Facts, HopperE4m3KeepsThirteenBits) {
  const Instruction& i = row("hopper", "wgmma.m64nNk32.f32.e4m3.e4m3");
  EXPECT_EQ(dot(i, {16, 0.029296875}, {1, 1}, 0), is(16.029296875));
  EXPECT_EQ(dot(i, {32, 0.029296875}, {1, 1}, 0), is(32.02734375));
}

TEST(Facts, Cdna3FloorsWhatHopperCuts) {
  const std::vector<double> a{2048, 2048};
  const std::vector<double> b{2048, -2048};
  const Code c = f32(-0.000001F);
  for (const char* name : {"v_mfma_f32_32x32x8_f16", "v_mfma_f32_16x16x16_f16", "v_mfma_f32_32x32x4_2b_f16"}) {
    EXPECT_EQ(dot(row("cdna3", name), a, b, c), is(-0.25)) << name;
  }
  EXPECT_EQ(dot(row("hopper", "mma.m16n8k16.f32.f16.f16.f32"), a, b, c), is(0));
}

TEST(Facts, FdrdaRevisionsDiffer) {
  const Instruction& i = row("cdna3", "v_mfma_f32_32x32x4_2b_f16");
  const Codes a{code(i.a, power(-12)), code(i.a, power(-12)), code(i.a, power(-16))};
  const Codes b{code(i.b, -power(-12)), code(i.b, -power(-13)), code(i.b, power(-16))};
  EXPECT_EQ(oracle(i, a, b, f32(1)), number(0x3f7fffff));
  EXPECT_EQ(oracle(i, a, b, f32(1), Revision::second), number(0x3f7fffff));
  EXPECT_EQ(oracle(i, a, b, f32(1), Revision::first), number(0x3f7ffffe));
}

TEST(Facts, GfdrdaLosesCBelowTwentyFivePlaces) {
  const Instruction& i = row("cdna3", "v_mfma_f32_32x32x16_fp8_fp8");
  EXPECT_EQ(dot(i, {1}, {1}, exact_f32(-power(-25))), number(0x3f7fffff));
  EXPECT_EQ(dot(i, {1}, {1}, exact_f32(-power(-26))), number(0x3f800000));
}

TEST(Facts, GdfsGroupThatCancelsKeepsItsExponent) {
  const Instruction& i = row("rtx_blackwell", "mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue8m0");
  OracleOperands operands = padded(i, {}, {}, 0);
  operands.a[0] = operands.a[1] = operands.a[16] = 0x2;
  operands.b[0] = operands.b[16] = 0x2;
  operands.b[1] = 0xa;
  operands.scale_a = {0x93, 0x6f, 0x7f, 0x7f};
  operands.scale_b = {0x7f, 0x7f, 0x7f, 0x7f};
  EXPECT_EQ(oracle(i, operands), number(0));
  operands.a[0] = operands.a[1] = 0;  // all zero, the group has no exponent to keep
  EXPECT_EQ(oracle(i, operands), number(0x37800000));
}

TEST(Facts, VoltaWidensANarrowerCFirst) {
  EXPECT_EQ(oracle(row("volta", "mma.m8n8k4.f32.f16.f16.f16"), {0x0010}, {0x0010}, 0x0001), number(0x33800080));
}

TEST(Facts, RiscvByHand) {
  for (const test::RiscvFact& fact : test::riscv_facts()) {
    const OracleResult d = oracle(row("riscv", fact.instruction), fact.a, fact.b, fact.c);
    EXPECT_EQ(d.bits, fact.d) << fact.instruction << ", c " << fact.c;
  }
}

}  // namespace
}  // namespace assay::exact
