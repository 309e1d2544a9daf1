// Real numbers in formats: rounded once, and block scales chosen as the formats' definitions say.
#include "tb/explore/workload.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tb/explore/real.hpp"
#include "tb/generate/random.hpp"
#include "tb/oracle/datum.hpp"

namespace assay {
namespace {

Format format(const char* name) { return *find_format(name); }

TEST(Real, RoundsToTheNearestAsRationalsDo) {
  Draws draws(1, 0, Part::a, 0);
  int compared = 0;
  for (const char* const name : {"f16", "bf16", "f32"}) {
    const Format f = format(name);
    for (int i = 0; i < 2000; ++i) {
      const double x =
          std::ldexp(static_cast<double>(draws.bits() >> 11), draws.between(-80, -30)) * (draws.coin() ? 1 : -1);
      const Number n = number_of(x);
      exact::Dyadic d;
      d.significand = static_cast<unsigned long>(n.magnitude);
      if (n.negative) d.significand = -d.significand;
      d.exponent = n.quantum;
      EXPECT_EQ(nearest_code(n, f), exact::encode(f, exact::nearest(f, exact::finite(d)))) << name << " " << x;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6000);
}

TEST(Real, IsTheSameThereAndBack) {
  for (const char* const name : {"f16", "e4m3", "e5m2fnuz", "e2m1", "bf16"}) {
    const Format f = format(name);
    for (Code code = 0; code < Code{1} << f.stored_bits; ++code) {
      const double value = value_of(code, f);
      if (!std::isfinite(value) || value == 0) continue;
      EXPECT_EQ(saturated(number_of(value), f), code) << name;
    }
  }
}

TEST(Real, SaturatesOnTheWayInAndOverflowsInResults) {
  EXPECT_EQ(value_of(saturated(number_of(1e6), format("e4m3")), format("e4m3")), 448);
  EXPECT_EQ(value_of(saturated(number_of(-1e6), format("f16")), format("f16")), -65504);
  EXPECT_EQ(nearest_code(number_of(65520), format("f16")), 0x7c00u);
  EXPECT_EQ(nearest_code(number_of(65519), format("f16")), 0x7bffu);
}

// 1 / 3 and 7 / 5 in f16, and a quotient that lies just beside a tie.
TEST(Real, QuotientsAreRoundedOnce) {
  EXPECT_EQ(saturated_quotient(1, number_of(3), format("f16")), 0x3555u);
  EXPECT_EQ(saturated_quotient(7, number_of(5), format("f16")), 0x3d9au);
  const double tie = 1 + std::ldexp(1.0, -11);
  EXPECT_EQ(saturated_quotient(tie, number_of(1), format("f16")), 0x3c00u);
  EXPECT_EQ(saturated_quotient(std::nextafter(tie, 2.0), number_of(1), format("f16")), 0x3c01u);
}

// One row of a and of b with these values, of one block.
Workload scaled(const std::vector<double>& values, const char* element, const char* scale, bool tensor) {
  const int k = static_cast<int>(values.size());
  const OperandFormats formats{format(element), format(element), format("f32"), format(scale), k, tensor};
  return workload_of({{1, 1, k}, values, values, {0}}, formats);
}

double element(const CodeMatrix& codes, int j, const char* name) {
  return value_of(codes.view().get(0, j), format(name));
}

TEST(Scales, ThatArePowersFollowTheGreatestExponent) {
  // The greatest, 100, has exponent 6; e2m1's greatest, 6, has 2: the scale is 2^4, and 100 / 16 becomes 6.
  const Workload w = scaled({100, -24, 3, 0}, "e2m1", "ue8m0", false);
  EXPECT_EQ(element(w.scale_a, 0, "ue8m0"), 16);
  EXPECT_EQ(element(w.a, 0, "e2m1"), 6);
  EXPECT_EQ(element(w.a, 1, "e2m1"), -1.5);
  EXPECT_EQ(element(w.a, 2, "e2m1"), 0);
  EXPECT_EQ(element(scaled({0, 0, 0, 0}, "e2m1", "ue8m0", false).a, 0, "e2m1"), 0);
}

TEST(Scales, WithAMantissaBringTheGreatestToTheGreatest) {
  const Workload w = scaled({9, 1.5, -3, 0}, "e2m1", "ue4m3", false);  // 9 / 6 = 1.5
  EXPECT_EQ(element(w.scale_a, 0, "ue4m3"), 1.5);
  EXPECT_EQ(element(w.a, 0, "e2m1"), 6);
  EXPECT_EQ(element(w.a, 1, "e2m1"), 1);
  EXPECT_EQ(element(w.a, 2, "e2m1"), -2);
}

TEST(Scales, OfATensorMakeRoomForThoseOfBlocks) {
  const Workload w = scaled({1e-6, -1e-6, 2e-7, 0}, "e2m1", "ue4m3", true);  // too small for ue4m3 by itself
  EXPECT_EQ(element(w.scale_a, 0, "ue4m3"), 448);
  EXPECT_EQ(element(w.a, 0, "e2m1"), 6);
  EXPECT_EQ(element(w.a, 2, "e2m1"), 1);
  EXPECT_EQ(element(scaled({1e-6, -1e-6, 2e-7, 0}, "e2m1", "ue4m3", false).a, 0, "e2m1"), 0);
  EXPECT_EQ(element(scaled({100, -24, 3, 0}, "e2m1", "ue8m0", true).a, 1, "e2m1"), -1.5);  // nothing to make room for
}

}  // namespace
}  // namespace assay
