#include "tb/scoreboard/difference.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

const Format& f32() { return *find_format("f32"); }
const Format& i32() { return *find_format("i32"); }

TEST(Difference, CountsTheValuesBetween) {
  EXPECT_EQ(ulps_between(f32(), 0x3f800000, 0x3f800000), 0U);
  EXPECT_EQ(ulps_between(f32(), 0x3f800000, 0x3f800003), 3U);
  EXPECT_EQ(ulps_between(f32(), 0x3f7fffff, 0x3f800000), 1U);
  EXPECT_EQ(ulps_between(f32(), 0x00000001, 0x80000001), 2U);  // on either side of zero
  EXPECT_EQ(ulps_between(f32(), 0x00000000, 0x80000000), 0U);
  EXPECT_EQ(ulps_between(f32(), 0x7f7fffff, 0x7f800000), 1U);  // to infinity
  EXPECT_EQ(ulps_between(i32(), 0xffffffff, 0x00000001), 2U);  // -1 and 1
  EXPECT_EQ(ulps_between(i32(), 0x80000000, 0x7fffffff), 0xffffffffU);
  EXPECT_EQ(ulps_between(*find_format("f64"), 0xffefffffffffffff, 0x7fefffffffffffff), 0xffdffffffffffffeU);
}

TEST(Difference, TakesAnyNanForAnyOther) {
  EXPECT_TRUE(same_result(f32(), 0x7fc00000, 0x7fffffff));
  EXPECT_FALSE(same_result(f32(), 0x7fc00000, 0x7f800000));
  EXPECT_FALSE(same_result(f32(), 0x00000000, 0x80000000));
}

TEST(Difference, SumsUpAMatrix) {
  const std::vector<Code> x{0x3f800000, 0x3f800000, 0x3f800000, 0x7fc00000, 0x40000000, 0x7fc00000};
  const std::vector<Code> y{0x3f800000, 0x3f800002, 0x3f800000, 0x3f800000, 0x40000008, 0x7fffffff};
  const Difference found = difference(f32(), x, y, 3);
  EXPECT_EQ(found.elements, 6U);
  EXPECT_EQ(found.differ, 3U);
  EXPECT_EQ(found.nan_in_one, 1U);
  EXPECT_EQ(found.greatest, 8U);
  EXPECT_DOUBLE_EQ(found.mean, 5);
  EXPECT_EQ(found.row, 1);
  EXPECT_EQ(found.column, 1);
}

TEST(Difference, IsSeenFromAfarInTiles) {
  std::vector<Code> x(7 * 5, 0x3f800000), y = x;
  y[6 * 5 + 4] = 0x3f800004;  // the last element
  y[0] = 0x7fc00000;
  const HeatMap map = heat_map(f32(), x, y, 5, 3, 10);
  EXPECT_EQ(map.height, 3);
  EXPECT_EQ(map.width, 1);
  ASSERT_EQ(map.rows, 3);
  ASSERT_EQ(map.columns, 5);
  EXPECT_EQ(map.tiles[0].elements, 3);
  EXPECT_EQ(map.tiles[0].differ, 1);
  EXPECT_TRUE(map.tiles[0].nan_in_one);
  EXPECT_EQ(map.tiles[0].greatest, 0U);
  EXPECT_EQ(map.tiles[14].elements, 1);
  EXPECT_EQ(map.tiles[14].greatest, 4U);
  EXPECT_EQ(map.tiles[7].differ, 0);
}

}  // namespace
}  // namespace assay
