#include "tb/explain/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tb/explain/numbers.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

TEST(BitGrid, FoldsRunsInWhichEveryRowRepeatsItsBit) {
  const Dyadic one{1, 0}, tiny{1, -100};
  BitGrid grid(0, -100, 0);
  grid.fold({one, tiny, one - tiny});
  ASSERT_EQ(grid.bands(), 1u);
  EXPECT_TRUE(grid.folded());
  EXPECT_EQ(grid.row(one, 0, 0, -100), "1.[0 x 99]0");
  EXPECT_EQ(grid.row(one - tiny, 0, 0, -100), "0.[1 x 99]1");
}

TEST(BitGrid, BreaksIntoBandsWhatDoesNotFold) {
  Dyadic dense{0, -120};
  for (int i = 0; i < 60; ++i) dense = dense + Dyadic{1, -2 * i};
  BitGrid grid(0, -119, 0);
  grid.fold({dense});
  ASSERT_EQ(grid.bands(), 2u);
  EXPECT_EQ(grid.band_name(1), "bits 2^-62 to 2^-119");
  const std::string joined = grid.row(dense, 0, 0, -119) + grid.row(dense, 1, 0, -119);
  EXPECT_EQ(joined.size(), 121u);
  EXPECT_EQ(std::count(joined.begin(), joined.end(), '1'), 60);
}

TEST(Scientific, TurnsToHexadecimalDigitsWhereBitsAreTooMany) {
  EXPECT_EQ(scientific(Dyadic{13, -3}, 0), "+1.101 x 2^0");
  EXPECT_EQ(scientific(Dyadic{-13, -3}, -3, 3), "-0xd x 2^-3");
  EXPECT_EQ(scientific(Dyadic{0x19, -4}, 0, 3), "+0x1.9 x 2^0");
}

}  // namespace
}  // namespace assay::explain
