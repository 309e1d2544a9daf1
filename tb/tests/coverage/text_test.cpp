#include "tb/coverage/text.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

Coverage coverage() {
  Coverage c;
  c.subject = "a unit", c.cases = 7;
  Point p;
  p.name = "shift", p.about = "by how much";
  p.bins = {{"product[0] by 1", "", 3},
            {"product[1] by 1", "", 0},
            {"product[2] by 1", "", 0},
            {"product[4] by 1", "", 0},
            {"c by 9", "it never is so far below", 0}};
  c.points = {p};
  return c;
}

TEST(CoverageText, CountsHitsAmongWhatCanBeReached) {
  const std::string text = coverage_table(coverage());
  EXPECT_EQ(text.rfind("a unit\n7 cases\n", 0), 0u) << text;
  EXPECT_NE(text.find("shift                            1         4   25.0      3           1  by how much\n"),
            std::string::npos)
      << text;
}

TEST(CoverageText, GathersBinsThatDifferByAnIndex) {
  EXPECT_EQ(open_bins(coverage()),
            "\nOpen: neither hit nor shown to be out of reach\n  shift\n    product[1..2,4] by 1\n");
}

TEST(CoverageText, GivesEachReasonOnce) {
  EXPECT_EQ(unreachable_bins(coverage()),
            "\nOut of reach, and why\n  shift\n    it never is so far below\n      c by 9\n");
}

TEST(CoverageText, ShowsNoCountWhereNoCaseCanHit) {
  const std::string text = all_bins(coverage());
  EXPECT_NE(text.find("             3  product[0] by 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("             -  c by 9\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay
