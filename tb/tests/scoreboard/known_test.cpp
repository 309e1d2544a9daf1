// Known differences: what counts as one, and what never does.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

constexpr Code right = 0x3f800000, known = 0x3f800001, wrong = 0x3f800002;

// Where c is 1 the device is known to give another d.
KnownDifference difference() {
  return {"last_bit", "its last bit is set", [](const Case&) { return right; },
          [](const Case& c) { return c.c == 1 ? known : right; }};
}

Case case_with(Code c) {
  Case given;
  given.c = c;
  return given;
}

Answer answer(Code d) {
  Answer a;
  a.d = d;
  return a;
}

struct Row {
  Code c, expected, got;
  Verdict of_device, of_reference;
};

// All of d, of both sides, to the bit.
TEST(KnownDifferences, AreThoseWhereBothSidesAreAsSaid) {
  Scoreboard device(plan_of_test(), NanRule::bits), reference(plan_of_test(), NanRule::bits);
  device.expect_known({}, {difference()});
  reference.expect_known({difference()}, {});
  for (const Row& row :
       {Row{1, right, known, Verdict::known, Verdict::differs}, Row{1, known, right, Verdict::differs, Verdict::known},
        Row{1, right, right, Verdict::equal, Verdict::equal}, Row{1, right, wrong, Verdict::differs, Verdict::differs},
        Row{1, wrong, known, Verdict::differs, Verdict::differs},
        Row{0, right, known, Verdict::differs, Verdict::differs}}) {
    EXPECT_EQ(device.expect_and_check(case_with(row.c), answer(row.expected), answer(row.got)), row.of_device);
    EXPECT_EQ(reference.judge(case_with(row.c), answer(row.expected), answer(row.got)), row.of_reference);
  }
  const Summary summary = device.summary();
  EXPECT_EQ(summary.compared, 6u);
  EXPECT_EQ(summary.differs, 4u);
  EXPECT_EQ(summary.known_cases(), 1u);
  EXPECT_EQ(reference.summary().known_cases(), 0u);
  EXPECT_EQ(summary.ending(), Ending::mismatch);
}

TEST(KnownDifferences, AreCountedByNameAndFailNothing) {
  Scoreboard scoreboard(plan_of_test(), NanRule::bits);
  scoreboard.expect_known({}, {difference()});
  EXPECT_EQ(summary_text(plan_of_test(), scoreboard.summary()).find("last_bit"), std::string::npos);
  for (int i = 0; i < 2; ++i) scoreboard.expect_and_check(case_with(1), answer(right), answer(known));
  const Summary summary = scoreboard.summary();
  EXPECT_TRUE(scoreboard.failures().empty());
  EXPECT_EQ(summary_text(plan_of_test(), summary),
            "compared 2 cases\n"
            "expected d: 0.0 % zero, 0.0 % NaN, 0.0 % infinity\n"
            "2 cases with the known difference last_bit of the device: its last bit is set\n"
            "passed, 2 with a known difference\n");
  EXPECT_EQ(summary_json(plan_of_test(), summary).at("known_differences"),
            nlohmann::json::parse(R"([{"name":"last_bit","reason":"its last bit is set","of":"device","cases":2}])"));
}

// A mismatch that is known is none to be waived, and an error is no difference.
TEST(KnownDifferences, ComeBeforeWaiversAndExcuseNoErrors) {
  Scoreboard scoreboard(plan_of_test(), NanRule::bits);
  Waiver all;
  all.masked = false;
  scoreboard.waive({all});
  scoreboard.expect_known({}, {difference()});
  EXPECT_EQ(scoreboard.judge(case_with(1), answer(right), answer(known)), Verdict::known);
  EXPECT_EQ(scoreboard.judge(case_with(1), answer(right), answer(wrong)), Verdict::waived);
  Answer crashed = answer(known);
  crashed.error = "died";
  EXPECT_EQ(scoreboard.judge(case_with(1), answer(right), crashed), Verdict::device_error);
}

}  // namespace
}  // namespace assay
