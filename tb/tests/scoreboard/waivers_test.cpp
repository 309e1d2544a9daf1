// What waivers cover, and what they never do.
#include "tb/scoreboard/waivers.hpp"

#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "tb/scoreboard/report.hpp"
#include "tb/scoreboard/scoreboard.hpp"

namespace assay {
namespace {

const Plan& plan_of_test() {
  static const Plan p =
      shipped_catalogue().plan_of(shipped_catalogue().instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
  return p;
}

Waiver waiver() {
  Waiver w;
  w.name = "w.yaml:2";
  w.reason = "another NaN code";
  w.owner = "J. Doe";
  return w;
}

Answer answer(Code d) {
  Answer a;
  a.d = d;
  return a;
}

Summary after(const Waiver& w, Code expected, Code got) {
  Scoreboard scoreboard(plan_of_test(), NanRule::bits);
  scoreboard.waive({w});
  scoreboard.expect_and_check({}, answer(expected), answer(got));
  return scoreboard.summary();
}

TEST(Waivers, MatchNamesWithStars) {
  EXPECT_TRUE(matches("step[0].sum.align[5]", "step[0].sum.align[5]"));
  EXPECT_FALSE(matches("step[0].sum.align[5]", "step[0].sum.align[15]"));
  EXPECT_TRUE(matches("step[*].sum.align[*]", "step[0].sum.align[15]"));
  EXPECT_TRUE(matches("*round", "step[0].sum.round"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a.b.b.c"));
  EXPECT_FALSE(matches("a*b*c", "a.b.b"));
  EXPECT_FALSE(matches("*round", "round.x"));
}

TEST(Waivers, CoverByTheClassOfD) {
  Waiver nan = waiver();
  nan.expected = nan.got = ResultClass::nan;
  EXPECT_EQ(after(nan, 0x7fffffff, 0x7fc00000).waived(), 1u);
  EXPECT_EQ(after(nan, 0x7fffffff, 0x7fc00000).ending(), Ending::passed);
  EXPECT_EQ(after(nan, 0x7fffffff, 0x7f800000).waived(), 0u);
  EXPECT_EQ(after(nan, 0x7fffffff, 0x7f800000).ending(), Ending::mismatch);
  Waiver flushed = waiver();
  flushed.expected = ResultClass::subnormal;
  flushed.got = ResultClass::zero;
  EXPECT_EQ(after(flushed, 0x00000001, 0x00000000).waived(), 1u);
  EXPECT_EQ(after(flushed, 0x00800000, 0x00000000).waived(), 0u);
  Waiver normal = waiver();
  normal.expected = ResultClass::normal;
  normal.got = ResultClass::infinity;
  EXPECT_EQ(after(normal, 0x7f7fffff, 0x7f800000).waived(), 1u);
}

// What is waived is told apart from what is wrong: only that is explained and shown.
TEST(Waivers, AreAVerdictOfTheirOwn) {
  Waiver nan = waiver();
  nan.expected = nan.got = ResultClass::nan;
  Scoreboard scoreboard(plan_of_test(), NanRule::bits);
  scoreboard.waive({nan});
  const std::vector<Answer> expected{answer(0x7fffffff), answer(0x7fffffff), answer(0)};
  const std::vector<Answer> got{answer(0x7fc00000), answer(0), answer(0)};
  const std::vector<Verdict> verdicts{Verdict::waived, Verdict::differs, Verdict::equal};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(scoreboard.judge({}, expected[i], got[i]), verdicts[i]);
  EXPECT_EQ(scoreboard.summary().compared, 0u);
  EXPECT_EQ(scoreboard.summary().waived(), 0u);
  EXPECT_EQ(scoreboard.check_all(std::vector<Case>(3), expected, got), verdicts);
  EXPECT_EQ(scoreboard.summary().compared, 3u);
  EXPECT_EQ(scoreboard.summary().waived(), 1u);
  EXPECT_EQ(scoreboard.failures().size(), 1u);
}

TEST(Waivers, CoverAPlaceOnTheWay) {
  const Plan& plan = plan_of_test();
  Waiver w = waiver();
  w.place = "step[0].sum.align[*]";
  w.masked = true;
  for (const char* differing : {"step[0].sum.align[3]", "step[0].sum.reduce"}) {
    Scoreboard scoreboard(plan, NanRule::bits);
    scoreboard.waive({w});
    Answer expected = answer(0), got = answer(0);
    expected.trace.emplace(plan);
    got.trace.emplace(plan);
    expected.traced = got.traced = std::vector<char>(plan.places.size(), 1);
    got.trace->put(plan.find_place(differing), u128{1});
    scoreboard.expect_and_check({}, expected, got);
    EXPECT_EQ(scoreboard.summary().waived(), std::string(differing) == "step[0].sum.align[3]" ? 1u : 0u);
  }
}

TEST(Waivers, CoverAResultWhereNoPlaceDiffers) {
  for (const auto& [place, waived] : {std::pair{"d", 1U}, {"*", 1U}, {"step*", 0U}}) {
    Waiver w = waiver();
    w.place = place;
    EXPECT_EQ(after(w, 0, 1).waived(), waived) << place;
  }
}

TEST(Waivers, NeverCoverAnError) {
  Waiver all = waiver();
  all.place = "";
  all.expected = ResultClass::zero;
  Scoreboard scoreboard(plan_of_test(), NanRule::bits);
  scoreboard.waive({all});
  Answer crashed;
  crashed.error = "It crashed.";
  EXPECT_EQ(scoreboard.expect_and_check({}, answer(0), crashed), Verdict::device_error);
  EXPECT_EQ(scoreboard.summary().waived(), 0u);
  EXPECT_EQ(scoreboard.summary().ending(), Ending::mismatch);
}

TEST(Waivers, AreSaidAloudUsedOrNot) {
  Waiver nan = waiver();
  nan.expected = ResultClass::nan;
  const Plan& plan = plan_of_test();
  const std::string used = summary_text(plan, after(nan, 0x7fffffff, 0x7fc00000));
  EXPECT_NE(used.find("w.yaml:2 waives 1 case (another NaN code; J. Doe)\npassed, 1 waived\n"), std::string::npos)
      << used;
  const std::string unused = summary_text(plan, after(nan, 0, 0));
  EXPECT_NE(unused.find("w.yaml:2 waives nothing: is it still needed? (another NaN code; J. Doe)\npassed\n"),
            std::string::npos)
      << unused;
}

}  // namespace
}  // namespace assay
