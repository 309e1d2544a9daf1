// The oracle's arithmetic against rationals that round by comparison alone.
#include "tb/oracle/dyadic.hpp"

#include <gtest/gtest.h>

namespace assay::exact {
namespace {

mpq_class rational(const Dyadic& x) {
  const mpz_class power = mpz_class(1) << static_cast<mp_bitcnt_t>(std::abs(x.exponent));
  return x.exponent >= 0 ? mpq_class(x.significand * power) : mpq_class(x.significand) / power;
}

// Every integer near x, tried: the right one is the last not above x, not beyond x, or the nearest.
mpz_class tried(const mpq_class& x, Rounding rounding) {
  mpz_class best;
  bool found = false;
  for (int n = -20; n <= 20; ++n) {
    const mpq_class distance = abs(x - n);
    const mpq_class best_distance = found ? abs(x - best) : mpq_class(1000);
    switch (rounding) {
      case Rounding::down:
        if (n > x) continue;
        break;
      case Rounding::toward_zero:
        if (abs(mpq_class(n)) > abs(x) || n * x < 0) continue;
        break;
      case Rounding::nearest_even:
        if (distance == best_distance && n % 2 != 0) continue;
        break;
      case Rounding::nearest_away:
        if (distance == best_distance && abs(mpz_class(n)) < abs(best)) continue;
        break;
      case Rounding::nearest_up: break;  // the later one is the greater
    }
    if (distance <= best_distance) best = n;
    found = true;
  }
  return best;
}

TEST(Dyadic, RoundsToAnyUnitAsComparisonSays) {
  for (const Rounding rounding :
       {Rounding::toward_zero, Rounding::down, Rounding::nearest_even, Rounding::nearest_away, Rounding::nearest_up}) {
    for (int significand = -64; significand <= 64; ++significand) {
      for (long exponent = -5; exponent <= -2; ++exponent) {
        const Dyadic x{significand, exponent};
        EXPECT_EQ(units_in(x, 0, rounding), tried(rational(x), rounding))
            << significand << " * 2^" << exponent << ", rounding " << static_cast<int>(rounding);
        EXPECT_EQ(rational(rounded_to_unit({significand, exponent + 7}, 7, rounding)),
                  128 * tried(rational(x), rounding));
      }
    }
  }
}

TEST(Dyadic, KeepsWhatTheUnitHolds) {
  EXPECT_EQ(units_in({-5, 3}, 1, Rounding::toward_zero), -20);
  EXPECT_EQ(units_in({5, 3}, 3, Rounding::down), 5);
  EXPECT_EQ(units_in({0, -900}, 1000, Rounding::nearest_even), 0);
}

TEST(Dyadic, AddsAndMultipliesExactly) {
  const Dyadic x{-3, -200};
  const Dyadic y{5, 300};
  EXPECT_EQ(rational(x + y), rational(x) + rational(y));
  EXPECT_EQ(rational(y + x), rational(x) + rational(y));
  EXPECT_EQ(rational(x * y), rational(x) * rational(y));
  EXPECT_EQ(sign(x), -1);
  EXPECT_EQ(sign(Dyadic{0, 9}), 0);
}

TEST(Dyadic, FindsThePowerBelow) {
  EXPECT_EQ(floor_log2({1, 0}), 0);
  EXPECT_EQ(floor_log2({-1, 7}), 7);
  EXPECT_EQ(floor_log2({7, -3}), -1);
  EXPECT_EQ(floor_log2({8, -3}), 0);
  EXPECT_TRUE(reaches({-8, -3}, 0));
  EXPECT_FALSE(reaches({7, -3}, 0));
  EXPECT_FALSE(reaches({0, 50}, -1000));
}

}  // namespace
}  // namespace assay::exact
