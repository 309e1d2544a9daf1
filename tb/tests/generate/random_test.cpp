#include "tb/generate/random.hpp"

#include <gtest/gtest.h>

#include <set>

namespace assay {
namespace {

// Philox4x64-10 of all zeros, as its authors publish it: what a seed means does not depend on the machine.
TEST(Random, IsPhilox) {
  Draws draws(0, 0, Part::choice, 0);
  EXPECT_EQ(draws.bits(), 0x16554d9eca36314cU);
  EXPECT_EQ(draws.bits(), 0xdb20fe9d672d0fdcU);
  EXPECT_EQ(draws.bits(), 0xd7e772cee186176bU);
  EXPECT_EQ(draws.bits(), 0x7e68b68aec7ba23bU);
}

TEST(Random, EveryCoordinateAndEveryDrawGivesAnotherValue) {
  std::set<std::uint64_t> values;
  int drawn = 0;
  for (std::uint64_t seed : {0U, 1U}) {
    for (std::uint64_t number : {0U, 1U}) {
      for (const Part part : {Part::choice, Part::a, Part::b, Part::c}) {
        for (const int index : {0, 1, 2}) {
          Draws draws = Random{seed, number}.at(part, index);
          for (int i = 0; i < 9; ++i, ++drawn) values.insert(draws.bits());
        }
      }
    }
  }
  EXPECT_EQ(values.size(), static_cast<std::size_t>(drawn));
}

TEST(Random, BetweenReachesBothEndsAndNothingBeyond) {
  Draws draws(7, 0, Part::choice, 0);
  std::set<int> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(draws.between(-3, 4));
  EXPECT_EQ(seen, (std::set<int>{-3, -2, -1, 0, 1, 2, 3, 4}));
}

TEST(Random, BelowIsEven) {
  Draws draws(7, 1, Part::choice, 0);
  int counts[3] = {};
  for (int i = 0; i < 30000; ++i) ++counts[draws.below(3)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(Random, CoinHasTwoSides) {
  Draws draws(7, 2, Part::choice, 0);
  int heads = 0;
  for (int i = 0; i < 10000; ++i) heads += draws.coin() ? 1 : 0;
  EXPECT_NEAR(heads, 5000, 250);
}

}  // namespace
}  // namespace assay
