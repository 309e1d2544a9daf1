// What is measured, on products small enough to measure by hand.
#include "tb/explore/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tb/explore/real.hpp"

namespace assay {
namespace {

const Format& f32 = *find_format("f32");

Code code(double x) { return nearest_code(number_of(x), f32); }

// Sums 1, -2 and 4, exactly; before the operands were rounded the first was 2.
Right sums() {
  return {{{1, -2, 4}, {0, 0, 0}, {{"f32", {code(1), code(-2), code(4)}}}}, {{2, -2, 4}, {0, 0, 0}, {}}, 1};
}

constexpr double ulp = 1.1920928955078125e-07;  // of 1

TEST(Measured, ErrorsAreThoseOfTheirDefinitions) {
  // One ulp above 1, two below 2 in size, and right.
  const Sample s = sample_of({code(1 + ulp), code(-2 + 4 * ulp), code(4)}, sums(), f32);
  EXPECT_DOUBLE_EQ(s.normwise, std::sqrt((1 + 16) * ulp * ulp / 21));
  EXPECT_DOUBLE_EQ(s.quantisation, std::sqrt(1.0 / 24));
  EXPECT_DOUBLE_EQ(s.total, std::sqrt(((1 - ulp) * (1 - ulp) + 16 * ulp * ulp) / 24));
  EXPECT_DOUBLE_EQ(s.elementwise, ulp);
  EXPECT_DOUBLE_EQ(s.greatest, 2 * ulp);
  EXPECT_DOUBLE_EQ(s.bias, (0.5 + 2.0) / 3);  // sums are 2.6 in size on the average: so is the first one's unit
  EXPECT_DOUBLE_EQ(s.shrink, (0.5 - 2.0) / 3);
  EXPECT_DOUBLE_EQ(s.value, (1 + ulp - 2 + 4 * ulp + 4) / 3);
  EXPECT_EQ(s.correct, 1u);
  EXPECT_EQ(s.results, 3u);
  EXPECT_EQ(s.histogram[histogram_zero], 1u);
  EXPECT_EQ(s.histogram[histogram_zero + 1], 1u);
  EXPECT_EQ(s.histogram[histogram_zero + 3], 1u);  // from -2 to -2 + 4 ulps of 1 there are 4 steps: half as wide each
}

TEST(Measured, WhatIsNotFiniteIsSpecialUnlessItIsRight) {
  const Code infinity = f32.infinity();
  const Sample wrong = sample_of({infinity, code(-2), code(4)}, sums(), f32);
  EXPECT_EQ(wrong.special, 1u);
  EXPECT_EQ(wrong.correct, 2u);
  EXPECT_EQ(wrong.normwise, 0);
  Right beyond = sums();
  beyond.exact.rounded["f32"][0] = infinity;
  EXPECT_EQ(sample_of({infinity, code(-2), code(4)}, beyond, f32).special, 0u);
  EXPECT_EQ(sample_of({infinity, code(-2), code(4)}, beyond, f32).correct, 3u);
}

// No error was seen, and it is not zero. A seed of infinities that are right says nothing of errors beside another one.
TEST(Measured, WhereNothingIsFiniteErrorsAreInfinite) {
  const Code infinity = f32.infinity();
  const Sample wrong = sample_of({infinity, infinity, f32.quiet_nan()}, sums(), f32);
  EXPECT_EQ(wrong.special, 3u);
  for (const double error : {wrong.normwise, wrong.total, wrong.elementwise, wrong.greatest})
    EXPECT_EQ(error, std::numeric_limits<double>::infinity());
  EXPECT_EQ(measures_of({wrong, sample_of({code(1), code(-2), code(4)}, sums(), f32)}).normwise.mean,
            std::numeric_limits<double>::infinity())
      << "a seed of which nothing is finite is no seed without errors";
  Right beyond = sums();
  for (Code& nearest : beyond.exact.rounded["f32"]) nearest = infinity;
  const Sample right = sample_of({infinity, infinity, infinity}, beyond, f32);
  EXPECT_EQ(right.correct, 3u);
  EXPECT_EQ(measures_of({right, right}).normwise.mean, std::numeric_limits<double>::infinity());
  const Sample finite = sample_of({code(1 + ulp), code(-2), code(4)}, sums(), f32);
  const Measures both = measures_of({right, finite});
  EXPECT_EQ(both.normwise.mean, finite.normwise);
  EXPECT_EQ(both.correct.mean, (1 + 2.0 / 3) / 2);
}

// Errors relative to sums whose squares no double holds.
TEST(Measured, SumsMayBeAsLargeAsDoublesAre) {
  for (const int power : {-600, 0, 600}) {
    const double size = std::ldexp(1.0, power);
    const Format& f64 = *find_format("f64");
    const Code one = nearest_code(number_of(size), f64), more = nearest_code(number_of(1.25 * size), f64);
    const Right right{{{size, -size}, {0, 0}, {{"f64", {one, one | f64.sign_bit()}}}}, {{size, -size}, {0, 0}, {}}, 1};
    const Sample s = sample_of({more, one | f64.sign_bit()}, right, f64);
    EXPECT_DOUBLE_EQ(s.normwise, 0.25 / std::sqrt(2)) << power;
    EXPECT_DOUBLE_EQ(s.total, s.normwise) << power;
    EXPECT_EQ(s.bias, std::ldexp(1.0, 49)) << power;
  }
}

TEST(Measured, ZerosOfEitherSignAreRight) {
  const Right zero{{{0}, {0}, {{"f32", {0}}}}, {{0}, {0}, {}}, 1};
  EXPECT_EQ(sample_of({f32.sign_bit()}, zero, f32).correct, 1u);
  EXPECT_EQ(sample_of({f32.sign_bit()}, zero, f32).histogram[histogram_zero], 1u);
}

TEST(Estimates, AreStudentsInterval) {
  const Estimate e = estimate_of({1, 2, 3, 4});  // deviation 1.2910, half width 3.182 x 1.2910 / 2
  EXPECT_DOUBLE_EQ(e.mean, 2.5);
  EXPECT_NEAR(e.high - e.mean, 2.0540, 1e-4);
  EXPECT_NEAR(e.mean - e.low, 2.0540, 1e-4);
  EXPECT_EQ(estimate_of({7}).low, 7);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(estimate_of({7, infinity}).low, infinity);
}

TEST(Estimates, OfNoErrorAreAnInfiniteRatio) {
  const Sample right = sample_of({code(1), code(-2), code(4)}, sums(), f32);
  EXPECT_EQ(measures_of({right, right}).sqnr_db.mean, std::numeric_limits<double>::infinity());
  EXPECT_EQ(measures_of({right, right}).correct.mean, 1);
  EXPECT_EQ(measures_of({right, right}).results, 6u);
}

}  // namespace
}  // namespace assay
