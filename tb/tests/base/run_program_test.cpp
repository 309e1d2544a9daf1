// What a program says that is asked something small, and how it ended.
#include "model/base/run_program.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(SaidWithin, TellsTextAndStatus) {
  const Said said = said_within(seconds(30), {"sh", "-c", "echo here; echo there >&2; exit 3"});
  EXPECT_EQ(said.text, "here\nthere\n");
  EXPECT_EQ(said.status, 3);
  EXPECT_TRUE(said.in_time);
}

TEST(SaidWithin, EndsWhatGivesNoAnswer) {
  const auto start = std::chrono::steady_clock::now();
  const Said said = said_within(milliseconds(100), {"sh", "-c", "echo here; sleep 60; echo late"});
  EXPECT_FALSE(said.in_time);
  EXPECT_EQ(said.text, "here\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(30));
}

TEST(SaidWithin, KnowsWhatCannotBeStarted) {
  const Said said = said_within(seconds(30), {"/nowhere/at/all"});
  EXPECT_EQ(said.status, not_started);
  EXPECT_EQ(said.text, "");
  EXPECT_TRUE(said.in_time);
}

}  // namespace
}  // namespace assay
