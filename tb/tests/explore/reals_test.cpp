// The inputs of studies: as they are defined, and the same whatever else is asked for.
#include "tb/explore/reals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

StudyInput input(InputFamily family) {
  StudyInput i;
  i.family = family;
  return i;
}

Reals made(const StudyInput& i, const ProductShape& shape, std::uint64_t seed = 1) {
  return reals_of(i, {seed, 0}, shape, -14, nullptr);
}

double mean_of(const std::vector<double>& values, const std::function<double(double)>& of) {
  double sum = 0;
  for (const double v : values) sum += of(v);
  return sum / static_cast<double>(values.size());
}

constexpr ProductShape many{20, 20, 1000};

TEST(Portable, LogarithmsAndPowersAreThoseOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 7.3)
    EXPECT_NEAR(portable_log(x), std::log(x), 4e-16 * std::fabs(std::log(x)));
  for (double x = -900; x < 900; x += 0.37) EXPECT_NEAR(portable_exp2(x) / std::exp2(x), 1, 1e-15);
}

TEST(Inputs, AreWhatTheirNamesSay) {
  const std::vector<double> normal = made(input(InputFamily::normal), many).a;
  EXPECT_NEAR(mean_of(normal, [](double x) { return x; }), 0, 0.03);
  EXPECT_NEAR(mean_of(normal, [](double x) { return x * x; }), 1, 0.04);
  EXPECT_NEAR(mean_of(normal, [](double x) { return x * x * x * x; }), 3, 0.3);
  const std::vector<double> uniform = made(input(InputFamily::uniform), many).b;
  EXPECT_NEAR(mean_of(uniform, [](double x) { return x * x; }), 1.0 / 3, 0.01);
  for (const double x : uniform) EXPECT_LE(std::fabs(x), 1);
}

TEST(Inputs, PositiveOnesAreTheSameWithoutTheirSigns) {
  StudyInput positive = input(InputFamily::normal);
  const Reals signs = made(positive, many);
  positive.positive = true;
  const Reals sizes = made(positive, many);
  for (std::size_t i = 0; i < signs.a.size(); ++i) ASSERT_EQ(sizes.a[i], std::fabs(signs.a[i]));
  for (std::size_t i = 0; i < signs.b.size(); ++i) ASSERT_EQ(sizes.b[i], std::fabs(signs.b[i]));
}

TEST(Inputs, OutliersAreAsOftenAndAsFarAsAskedFor) {
  StudyInput outliers = input(InputFamily::outliers);
  outliers.probability = 0.05;
  outliers.deviation = 100;
  const std::vector<double> a = made(outliers, many).a;
  EXPECT_NEAR(mean_of(a, [](double x) { return std::fabs(x) > 6 ? 1 : 0; }), 0.05 * 0.952, 0.006);
}

TEST(Inputs, LogUniformOnesFillEveryBinadeAlike) {
  StudyInput log = input(InputFamily::log_uniform);
  log.least = -8;
  log.greatest = 8;
  const std::vector<double> a = made(log, many).a;
  for (int e = -8; e < 8; ++e)
    EXPECT_NEAR(mean_of(a, [&](double x) { return std::ilogb(x) == e ? 1 : 0; }), 1.0 / 16, 0.01) << e;
}

TEST(Inputs, GradientsAreHalfSubnormal) {
  const std::vector<double> b = made(input(InputFamily::gradient), many).b;
  EXPECT_NEAR(mean_of(b, [](double x) { return std::fabs(x) < std::ldexp(1.0, -14) ? 1 : 0; }), 0.5, 0.02);
}

TEST(Inputs, IllConditionedOnesHaveAboutTheirCondition) {
  StudyInput ill = input(InputFamily::ill_conditioned);
  ill.condition = 1e5;
  const Reals r = made(ill, {8, 8, 1024});
  double added = 0, left = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      long double sum = 0;
      for (std::size_t t = 0; t < 1024; ++t) {
        added += std::fabs(r.a[i * 1024 + t] * r.b[j * 1024 + t]);
        sum += static_cast<long double>(r.a[i * 1024 + t]) * static_cast<long double>(r.b[j * 1024 + t]);
      }
      left += std::fabs(static_cast<double>(sum));
    }
  }
  EXPECT_GT(added / left, 0.6e5);
  EXPECT_LT(added / left, 1.7e5);
}

TEST(Inputs, OfALongerSumBeginWithThoseOfAShorter) {
  const Reals longer = made(input(InputFamily::normal), {2, 2, 64}),
              shorter = made(input(InputFamily::normal), {2, 2, 16});
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(longer.a[64 + i], shorter.a[16 + i]);
  EXPECT_NE(made(input(InputFamily::normal), {2, 2, 16}, 2).a, shorter.a);
  EXPECT_NE(shorter.a, shorter.b);
}

}  // namespace
}  // namespace assay
