#include "model/core/integer.hpp"

#include <gtest/gtest.h>

#include <bitset>

namespace assay {
namespace {

TEST(BitLength, CountsTheBitsOfAValue) {
  EXPECT_EQ(bit_length(std::uint64_t{0}), 0);
  EXPECT_EQ(bit_length(std::uint64_t{5}), 3);
  EXPECT_EQ(bit_length(~std::uint64_t{0}), 64);
  for (int bit = 0; bit < 128; ++bit) {
    EXPECT_EQ(bit_length(u128{1} << bit), bit + 1);
    EXPECT_EQ(bit_length((u128{1} << bit) | 1), bit + 1);
  }
  EXPECT_EQ(bit_length(u128{0}), 0);
}

TEST(Shifts, AreDefinedForEveryDistance) {
  const u128 value = (u128{1} << 127) | 1;
  EXPECT_TRUE(shift_left(value, 0) == value);
  EXPECT_TRUE(shift_left(value, 127) == u128{1} << 127);
  EXPECT_TRUE(shift_left(value, 128) == 0);
  EXPECT_TRUE(shift_right(value, 127) == 1);
  EXPECT_TRUE(shift_right(value, 128) == 0);
  EXPECT_TRUE(shift_right(value, 1000000) == 0);
}

TEST(LowMask, IsThatManyOnes) {
  EXPECT_TRUE(low_mask(0) == 0);
  EXPECT_TRUE(low_mask(3) == 7);
  EXPECT_TRUE(low_mask(127) == ~u128{0} >> 1);
  EXPECT_TRUE(low_mask(128) == ~u128{0});
  EXPECT_TRUE(low_mask(200) == ~u128{0});
}

// --- Wide, held to the plainest thing there is: bits, one by one ---

constexpr int words = 5;
constexpr std::size_t bits = 64 * words;
using Plain = std::bitset<bits>;

Plain plain(u128 magnitude, int distance) {
  Plain p;
  for (std::size_t i = 0; i < 128; ++i) {
    const std::size_t at = i + static_cast<std::size_t>(distance);
    if ((magnitude >> i & 1) != 0 && at < bits) p.set(at);
  }
  return p;
}

Plain sum(const Plain& x, const Plain& y) {
  Plain s;
  bool carry = false;
  for (std::size_t i = 0; i < bits; ++i) {
    s[i] = x[i] ^ y[i] ^ carry;
    carry = (x[i] && y[i]) || (carry && (x[i] || y[i]));
  }
  return s;
}

Plain negated(const Plain& x) { return sum(~x, plain(1, 0)); }

Plain plain(const Wide<words>& w) {
  Plain p;
  for (std::size_t i = 0; i < bits; ++i) p[i] = (w.word[i / 64] >> (i % 64) & 1) != 0;
  return p;
}

// Magnitudes with their ones in awkward places.
const std::vector<u128>& magnitudes() {
  static const std::vector<u128> list{
      0,
      1,
      3,
      ~std::uint64_t{0},
      u128{1} << 64,
      (u128{1} << 64) - 1,
      (u128{1} << 124) - 1,
      (u128{0xdeadbeef12345678} << 57) | 0x123456789abcdef,
  };
  return list;
}

TEST(Wide, HoldsAMagnitudeAtEveryDistance) {
  for (const u128 magnitude : magnitudes()) {
    for (int distance = 0; distance + bit_length(magnitude) < static_cast<int>(bits); ++distance) {
      const auto w = Wide<words>::shifted(magnitude, distance);
      ASSERT_EQ(plain(w), plain(magnitude, distance)) << distance;
      ASSERT_EQ(w.bit_length(), magnitude == 0 ? 0 : distance + bit_length(magnitude));
    }
  }
}

TEST(Wide, AddsAndNegatesAcrossWords) {
  for (const u128 x : magnitudes()) {
    for (const u128 y : magnitudes()) {
      for (int distance = 0; distance < 190; distance += 7) {
        for (const bool minus_x : {false, true}) {
          for (const bool minus_y : {false, true}) {
            Wide<words> a = Wide<words>::shifted(x, distance);
            Wide<words> b = Wide<words>::shifted(y, 3);
            if (minus_x) a = -a;
            if (minus_y) b = -b;
            const Plain expected = sum(plain(a), plain(b));
            a += b;
            ASSERT_EQ(plain(a), expected);
            ASSERT_EQ(a.negative(), expected[bits - 1]);
            ASSERT_EQ(plain(-a), negated(expected));
          }
        }
      }
    }
  }
}

TEST(Wide, ReadsAnyWindowAndKnowsWhatLiesBelowIt) {
  for (const u128 magnitude : magnitudes()) {
    for (const int distance : {0, 5, 64, 100, 190}) {
      const auto w = Wide<words>::shifted(magnitude, distance);
      const Plain p = plain(magnitude, distance);
      for (int from = 0; from < static_cast<int>(bits); ++from) {
        const Plain rest = p >> static_cast<std::size_t>(from);
        u128 window = 0;
        for (std::size_t i = 0; i < 128; ++i) window |= u128{rest[i]} << i;
        ASSERT_TRUE(w.window(from) == window) << distance << " " << from;
        ASSERT_EQ(w.any_below(from), (p ^ (rest << static_cast<std::size_t>(from))).any()) << distance << " " << from;
      }
    }
  }
}

TEST(Wide, OfTwoWordsIsThe128BitIntegerOfTheLanguage) {
  std::uint64_t seed = 1;
  for (int i = 0; i < 20000; ++i) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    const auto x = static_cast<i128>(u128{seed} * (seed >> 7)) >> (seed % 61);
    const auto y = -static_cast<i128>(u128{seed >> 3} << (seed >> 58));
    const auto wide = [](i128 v) {
      const auto w = Wide<2>::shifted(v < 0 ? -static_cast<u128>(v) : static_cast<u128>(v), 0);
      return v < 0 ? -w : w;
    };
    Wide<2> s = wide(x);
    s += wide(y);
    const u128 expected = static_cast<u128>(x) + static_cast<u128>(y);
    ASSERT_TRUE(s.window(0) == expected);
    ASSERT_EQ(s.negative(), static_cast<i128>(expected) < 0);
  }
}

}  // namespace
}  // namespace assay
