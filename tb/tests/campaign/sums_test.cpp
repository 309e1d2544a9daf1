// Sums of comparisons do not depend on the order of their parts, and stay small however many there are.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/campaign/blocks.hpp"
#include "tb/campaign/comparison_sum.hpp"
#include "tb/campaign/merge.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

// The record of a block in which every case of ten differs at one place, its cases numbered from 10 * block.
json record_of(std::uint64_t block, const std::string& place) {
  json kept = json::array();
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::string number = std::to_string(10 * block + i);
    kept.push_back({10 * block + i, "text of " + number, "again " + number});
  }
  std::vector<std::uint64_t> counts(16);
  counts[0] = counts[1] = 10;  // compared, differs
  return {{"counts", counts},
          {"first_leftover", static_cast<std::uint64_t>(-1)},
          {"first_places", {{place, 10}}},
          {"repeated", json::object()},
          {"groups", {{"raw", place, 10}}},
          {"complaints", json::array()},
          {"waived", json::array()},
          {"known", json::array()},
          {"alike",
           {{{"first", place},
             {"changes", ""},
             {"cases", 10},
             {"kept", kept},
             {"block", block},
             {"explanation", {"block " + std::to_string(block)}}}}}};
}

TEST(Sums, TheFirstTenOfThoseAlikeAreKept) {
  ComparisonSum forward, backward;
  for (std::uint64_t block = 0; block < 50; ++block) forward.add(record_of(block, "d"));
  for (std::uint64_t block = 50; block-- > 0;) backward.add(record_of(block, "d"));
  EXPECT_EQ(forward.record(), backward.record());
  ASSERT_EQ(forward.alike().size(), 1U);
  const AlikeFailures& alike = forward.alike().begin()->second;
  EXPECT_EQ(alike.cases, 500U);
  ASSERT_EQ(alike.kept.size(), 10U);
  EXPECT_EQ(alike.kept.begin()->first, 0U);
  EXPECT_EQ(alike.kept.rbegin()->first, 9U);
  EXPECT_EQ(alike.explanation, std::vector<std::string>{"block 0"});
  EXPECT_EQ(forward.failures(), 500U);
}

TEST(Sums, ATreeOfSumsIsASum) {
  ComparisonSum all, left, right;
  for (std::uint64_t block = 0; block < 20; ++block) {
    const json record = record_of(block, block % 3 == 0 ? "d" : "step[0].sum.round");
    all.add(record);
    (block % 2 == 0 ? left : right).add(record);
  }
  ComparisonSum joined;
  joined.add(right.record());
  joined.add(left.record());
  EXPECT_EQ(joined.record(), all.record());
}

TEST(Sums, KindsOfFailuresAreKeptInBounds) {
  ComparisonSum forward, backward;
  const auto name = [](std::uint64_t i) { return "place " + std::to_string(100'000 + i); };
  for (std::uint64_t i = 0; i < 1500; ++i) forward.add(record_of(i, name(i)));
  for (std::uint64_t i = 1500; i-- > 0;) backward.add(record_of(i, name(i)));
  EXPECT_EQ(forward.alike().size(), 1000U);
  EXPECT_EQ(forward.record().at("alike"), backward.record().at("alike"));
  EXPECT_EQ(forward.failures(), 15'000U);  // all are counted
}

TEST(Blocks, EachCaseIsInOne) {
  for (const std::uint64_t cases : {1, 999, 1000, 1001, 5000, 2'000'000}) {
    const Blocks blocks = usual_blocks(cases);
    std::uint64_t next = 0;
    for (std::uint64_t block = 0; block < blocks.count(); ++block) {
      EXPECT_EQ(blocks.at(block).first, next);
      EXPECT_EQ(blocks.at(block).backward, block % 2 == 1);
      next += blocks.at(block).count;
    }
    EXPECT_EQ(next, cases);
    EXPECT_EQ(blocks.of({0, blocks.count()}).count, cases);
  }
  EXPECT_EQ((Blocks{25, 10}.of({1, 2}).first), 10U);
  EXPECT_EQ((Blocks{25, 10}.of({1, 2}).count), 15U);
}

TEST(Ranges, RunsOfNumbersAreShort) {
  EXPECT_EQ(ranges_text({}), "");
  EXPECT_EQ(ranges_text({1, 2, 3, 7, 9, 10}), "1-3, 7, 9-10");
}

}  // namespace
}  // namespace assay::campaign
