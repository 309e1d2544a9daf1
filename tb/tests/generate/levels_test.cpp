#include "tb/generate/levels.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

TEST(Levels, AreCountedFromOneAndGrow) {
  ASSERT_EQ(levels().size(), 3U);
  for (std::size_t i = 0; i < levels().size(); ++i) {
    EXPECT_EQ(levels()[i].number, static_cast<int>(i) + 1);
    if (i > 0) {
      EXPECT_GE(levels()[i].cases, 100 * levels()[i - 1].cases);
    }
  }
  EXPECT_EQ(find_level(2), &levels()[1]);
  EXPECT_EQ(find_level(0), nullptr);
  EXPECT_EQ(find_level(4), nullptr);
  EXPECT_EQ(level_names(), "1 (5,000 cases, seconds), 2 (2,000,000 cases, minutes), 3 (200,000,000 cases, hours)");
}

TEST(Levels, NumbersAreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

// Each case is in one shard, and no shard is larger than another by more than one.
TEST(Shards, FollowOneAnotherAndMakeUpTheWhole) {
  for (const std::uint64_t cases : {0U, 1U, 7U, 5000U, 2000000U}) {
    for (const std::uint64_t shards : {1U, 2U, 3U, 18U, 1000U}) {
      std::uint64_t next = 0;
      for (std::uint64_t i = 1; i <= shards; ++i) {
        const CaseRange range = Shard{i, shards}.of(cases);
        ASSERT_EQ(range.first, next) << i << "/" << shards << " of " << cases;
        ASSERT_GE(range.count, cases / shards);
        ASSERT_LE(range.count, cases / shards + 1);
        next += range.count;
      }
      EXPECT_EQ(next, cases);
    }
  }
}

TEST(Shards, OfMoreCasesThanMultiplyIn64Bits) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const CaseRange last = Shard{1000, 1000}.of(most);
  EXPECT_EQ(last.first + last.count, most);
  EXPECT_EQ((Shard{1, most}.of(most).count), 1U);
}

}  // namespace
}  // namespace assay
