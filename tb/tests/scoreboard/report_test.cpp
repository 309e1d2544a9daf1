#include "tb/scoreboard/report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tb/tests/scoreboard/answers.hpp"

namespace assay {
namespace {

// 1 x 1 + 1.5 x -1 + 0 x -0 + 2^-24 x 1 - 0.5, of which the device makes a little less.
Failure planted(const Plan& p) {
  Case given;
  given.number = 7;
  given.a = {0x3c00, 0x3e00, 0x0000, 0x0001};
  given.b = {0x3c00, 0xbc00, 0x8000, 0x3c00};
  given.c = 0xbf000000;
  Failure failure{Verdict::differs, given, true_answer(p, given, true), true_answer(p, given, true), no_place};
  failure.device.d ^= 0x00000003;
  return failure;
}

void plant(Failure& failure, const Plan& p, const std::string& place, std::size_t digit) {
  spoil(failure.device, place, digit);
  failure.place = p.find_place(place);
}

ReportOptions with_repro() {
  ReportOptions options;
  options.repro = [](const Case& c) { return "assay compare --seed 1 --case " + std::to_string(c.number); };
  return options;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

// --- one failure ---

TEST(FailureText, ShowsOperandsAndTheFirstPlaceThatDiffers) {
  const Plan p = f16_plan();
  Failure failure = planted(p);
  plant(failure, p, "step[0].sum.align[3]", 6);
  EXPECT_EQ(failure_text(p, failure, with_repro()),
            R"(case 7: d differs
  expected  bf7fffff  1|01111110|11111111111111111111111
  got       bf7ffffc  1|01111110|11111111111111111111100
                                                      ^^
  first difference: step[0].sum.align[3] (a[3] x b[3])
            expected                      got
    addend  0000000000000000000000000010  0000000000000000000000000011
                                                                     ^
  c         bf000000
  a x b     [0] 3c00 x 3c00   [1] 3e00 x bc00   [3] 0001 x 3c00
            1 term of two zeros left out
  again     assay compare --seed 1 --case 7
)");
}

TEST(FailureText, ShowsBundlesFieldByField) {
  const Plan p = f16_plan();
  Failure failure = planted(p);
  plant(failure, p, "multiply[3]", 1);
  EXPECT_EQ(failure_text(p, failure),
            R"(case 7: d differs
  expected  bf7fffff  1|01111110|11111111111111111111111
  got       bf7ffffc  1|01111110|11111111111111111111100
                                                      ^^
  first difference: multiply[3] (a[3] x b[3])
                 expected                got
    class        00                      00
    sign         0                       0
    exponent     110010 = -14            110110 = -10
                                            ^
    significand  0000000000010000000000  0000000000010000000000
  c         bf000000
  a x b     [0] 3c00 x 3c00   [1] 3e00 x bc00   [3] 0001 x 3c00
            1 term of two zeros left out
)");
}

TEST(FailureText, SaysWhereAMaskedCaseDiffers) {
  const Plan p = f16_plan();
  Failure failure = planted(p);
  failure.device.d = failure.reference.d;
  failure.verdict = Verdict::masked;
  plant(failure, p, "step[0].special", 0);
  EXPECT_EQ(failure_text(p, failure),
            R"(case 7: d is equal, but step[0].special on the way to it differs
  d         bf7fffff  1|01111110|11111111111111111111111
  first difference: step[0].special (NaN and infinity)
             expected  got
    outcome  00        01
                        ^
  c         bf000000
  a x b     [0] 3c00 x 3c00   [1] 3e00 x bc00   [3] 0001 x 3c00
            1 term of two zeros left out
)");
}

TEST(FailureText, ShowsErrors) {
  const Plan p = f16_plan();
  Failure failure = planted(p);
  failure.verdict = Verdict::device_error;
  failure.device = error_of(
      "The process \"simulate --quickly\" ended with signal 11 (segmentation fault) before it had answered this case.");
  EXPECT_EQ(failure_text(p, failure),
            R"(case 7: the device gave no answer: The process "simulate --quickly" ended with signal 11
  (segmentation fault) before it had answered this case.
  c         bf000000
  a x b     [0] 3c00 x 3c00   [1] 3e00 x bc00   [3] 0001 x 3c00
            1 term of two zeros left out
)");
  std::swap(failure.reference, failure.device);
  failure.verdict = Verdict::reference_error;
  EXPECT_EQ(failure_text(p, failure).rfind("case 7: the reference gave no answer: The process", 0), 0U);
}

// A sum of more than 500 bits: the digits around the first that differs, with their place in the register.
TEST(FailureText, ShowsPartOfAWideField) {
  const Plan p = planned(fused("bf16", "f32", {}), 2);
  Failure failure;
  failure.verdict = Verdict::masked;
  failure.given.a = {0x3f80, 0x3f80};
  failure.given.b = {0x3f80, 0x3f80};
  failure.reference = failure.device = true_answer(p, failure.given, true);
  plant(failure, p, "step[0].sum.reduce", 60);
  const std::string text = failure_text(p, failure);
  EXPECT_NE(text.find(R"(
                  expected                              got
    sum[303:160]  000000000800000000000000000000000000  000010000800000000000000000000000000
                                                            ^
)"),
            std::string::npos)
      << text;
  EXPECT_LE(widest_line(text), 100U);
}

TEST(FailureText, ShowsScales) {
  Datapath words = fused("e2m1", "f32", 35);
  words.operands.scale = "ue8m0";
  words.operands.scale_block = 32;
  words.product.times_scales = true;
  const Plan p = planned(words, 64);
  Failure failure;
  failure.verdict = Verdict::differs;
  failure.given.a.assign(64, 0);
  failure.given.b.assign(64, 0);
  failure.given.a[63] = 2;
  failure.given.scale_a = {0x7f, 0x80};
  failure.given.scale_b = {0x7e, 0x81};
  failure.device.d = 0x80000000;
  EXPECT_EQ(failure_text(p, failure),
            R"(case 0: d differs in the sign of a zero
  expected  00000000  0|00000000|00000000000000000000000
  got       80000000  1|00000000|00000000000000000000000
                      ^
  c         00000000
  scale_a   7f 80
  scale_b   7e 81
  a x b     [63] 2 x 0
            63 terms of two zeros left out
)");
}

TEST(FailureText, KeepsTo100Columns) {
  const Plan f64 = planned(fused("f64", "f64", 60), 4);
  Failure failure;
  failure.verdict = Verdict::differs;
  failure.given.a = failure.given.b = {0x3ff0000000000000, 0x3ff0000000000001, 0, 0x4000000000000000};
  failure.reference = failure.device = true_answer(f64, failure.given, true);
  failure.device.d ^= 1;
  plant(failure, f64, "multiply[1]", 9);
  EXPECT_LE(widest_line(failure_text(f64, failure)), 100U);

  const Plan many = f16_plan(256);
  failure = {Verdict::differs, ordinary_case(many, 3), {}, {}, no_place};
  failure.device.d = 1;
  const std::string text = failure_text(many, failure);
  EXPECT_LE(widest_line(text), 100U);
  EXPECT_NE(text.find("[ 63] 3c42 x 3c00"), std::string::npos) << text;
  EXPECT_EQ(text.find("[ 64]"), std::string::npos);
  EXPECT_NE(text.find("            192 more terms left out\n"), std::string::npos);
}

TEST(FailureText, SplitsEveryFormat) {
  const auto d_lines = [](const std::string& format, Code expected, Code got) {
    Datapath words = fused(format == "i32" ? "i8" : "e4m3", format, 20);
    words.adders[0].results[0].overflow = format == "i32" ? Overflow::wrap : Overflow::infinity;
    const Plan p = planned(words, 1);
    const Failure failure{Verdict::differs, {0, {0}, {0}, 0, {}, {}, {}, {}, ""}, answer_of(expected), answer_of(got)};
    const std::string text = failure_text(p, failure);
    return text.substr(text.find('\n') + 1, text.find("  c  ") - text.find('\n') - 1);
  };
  EXPECT_EQ(d_lines("f16", 0x3c00, 0x3c01),
            "  expected  3c00  0|01111|0000000000\n"
            "  got       3c01  0|01111|0000000001\n"
            "                                   ^\n");
  EXPECT_EQ(d_lines("tf32", 0x3f800000, 0x3f802000),
            "  expected  3f800000  0|01111111|0000000000|0000000000000\n"
            "  got       3f802000  0|01111111|0000000001|0000000000000\n"
            "                                          ^\n");
  EXPECT_EQ(d_lines("i32", 0xffffffff, 0x7fffffff),
            "  expected  ffffffff  11111111111111111111111111111111\n"
            "  got       7fffffff  01111111111111111111111111111111\n"
            "                      ^\n");
}

// --- the summary ---

TEST(SummaryText, OfAPass) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 200);
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases, true), true_answers(p, cases, true));
  EXPECT_EQ(report_text(board),
            "compared 200 cases, and 4800 places in 200 of them\n"
            "expected d: 0.0 % zero, 0.0 % NaN, 0.0 % infinity\n"
            "passed\n");
}

TEST(SummaryText, OfNothing) {
  const Plan p = f16_plan();
  EXPECT_EQ(report_text(Scoreboard(p, NanRule::bits)),
            "compared 0 cases\n"
            "nothing compared: give at least one case that both devices can answer\n");
}

TEST(SummaryText, OfMistrustedCases) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  for (int i = 0; i < 19; ++i) board.expect_and_check(ordinary_case(p, 0), answer_of(0), answer_of(0));
  board.expect_and_check(ordinary_case(p, 0), answer_of(0x7f800000), answer_of(0x7f800000));
  EXPECT_EQ(report_text(board),
            "compared 20 cases\n"
            "expected d: 95.0 % zero, 0.0 % NaN, 5.0 % infinity\n"
            "mistrusted: 95.0 % of the expected d are zero or NaN; that they agree says little\n"
            "passed\n");
}

Scoreboard with_every_fault(const Plan& p) {
  const std::vector<Case> cases = ordinary_cases(p, 10);
  std::vector<Answer> answers = true_answers(p, cases, true), references = answers;
  answers[0].d ^= 1;
  spoil(answers[1], "step[0].acc", 1);
  spoil(answers[2], "step[0].acc", 1);
  spoil(answers[3], "multiply[0]", 1);
  answers[4] = error_of("No answer within 10 s.");
  references[5] = error_of("This case has no recorded d.");
  answers.resize(8);
  Scoreboard board(p, NanRule::bits, 2);
  board.check_all(cases, references, answers);
  board.check_all({}, {}, {answers[0]});
  board.complain("The device ended with status 3.");
  return board;
}

TEST(SummaryText, OfEveryFault) {
  const Plan p = f16_plan();
  const Scoreboard board = with_every_fault(p);
  EXPECT_EQ(summary_text(p, board.summary()),
            "compared 6 cases, and 144 places in 6 of them\n"
            "expected d: 0.0 % zero, 0.0 % NaN, 0.0 % infinity\n"
            "1 case with a d that differs\n"
            "3 cases with an equal d, but a place on the way that differs\n"
            "1 case with an error of the reference\n"
            "1 case with an error of the device\n"
            "2 cases never answered, the first of them case 8\n"
            "1 more answer than cases\n"
            "The device ended with status 3.\n"
            "first place that differs:\n"
            "  step[0].acc                                        2\n"
            "  multiply[0]                                        1\n"
            "failed: 10 faults\n");
}

// Families stand by the number of their failures, the places of each likewise.
TEST(SummaryText, CountsFailuresByFamilyAndPlace) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits, 0);
  const auto fail = [&](std::string_view family, const std::string& place, int times) {
    for (int i = 0; i < times; ++i) {
      Case given = ordinary_case(p, 0);
      given.family = family;
      Answer wrong = true_answer(p, given, true);
      if (place.empty()) {
        wrong.d ^= 1;
      } else {
        spoil(wrong, place, 0);
      }
      board.expect_and_check(given, true_answer(p, given, true), wrong);
    }
  };
  fail("raw", "", 1);
  for (const char* place : {"multiply[0]", "multiply[1]", "multiply[2]", "multiply[3]", "step[0].acc"})
    fail("rounding", place, 2);
  fail("rounding", "", 12);
  Case dead = ordinary_case(p, 0);
  dead.family = "raw";
  board.expect_and_check(dead, true_answer(p, dead, true), error_of("It died."));
  const std::string text = summary_text(p, board.summary());
  EXPECT_NE(text.find("failures by family and by the first place that differs:\n"
                      "  family    first difference  cases\n"
                      "  rounding  d                    12\n"
                      "            multiply[0]           2\n"
                      "            multiply[1]           2\n"
                      "            3 other places        6\n"
                      "  raw       d                     1\n"
                      "            no d                  1\n"),
            std::string::npos)
      << text;
}

TEST(SummaryText, SaysAnErrorOfManyCasesOnceWithItsCount) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  for (int i = 0; i < 20; ++i) {
    const Case given = ordinary_case(p, 0);
    const std::string error = i == 7 ? "It hung." : i % 4 == 0 ? "It was not asked." : "It was late.";
    board.expect_and_check(given, true_answer(p, given), error_of(error));
  }
  ASSERT_EQ(board.failures().size(), 3U);
  EXPECT_EQ(board.failures()[2].device.error, "It hung.");
  EXPECT_EQ(summary_text(p, board.summary()),
            "compared 0 cases\n"
            "20 cases with an error of the device\n"
            "  14 times: It was late.\n"
            "  5 times: It was not asked.\n"
            "  and 1 other\n"
            "failed: 20 faults\n");
}

TEST(SummaryText, CountsErrorsThatDifferInTheirCodesTogether) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  for (int i = 0; i < 20; ++i) {
    const Case given = ordinary_case(p, 0);
    const std::string error = i % 4 == 0 ? "Row " + std::to_string(i % 3) + " waited for 1000 cycles."
                                         : "d is 3f80000" + std::to_string(i % 10) + ", and 7bff when asked again.";
    board.expect_and_check(given, true_answer(p, given), error_of(error));
  }
  ASSERT_EQ(board.failures().size(), 4U);
  EXPECT_EQ(board.failures()[1].device.error, "d is 3f800001, and 7bff when asked again.");
  EXPECT_EQ(summary_text(p, board.summary()),
            "compared 0 cases\n"
            "20 cases with an error of the device\n"
            "  15 times: d is .., and .. when asked again.\n"
            "  2 times: Row 0 waited for 1000 cycles.\n"
            "  2 times: Row 1 waited for 1000 cycles.\n"
            "  and 1 other\n"
            "failed: 20 faults\n");
}

// It may come of the cases before it, which nobody tries.
TEST(ReportText, DoesNotSayThatAnErrorComesAlone) {
  const Plan p = f16_plan();
  const auto report = [&](const Answer& device) {
    Scoreboard board(p, NanRule::bits);
    const Case given = ordinary_case(p, 0);
    board.expect_and_check(given, true_answer(p, given), device);
    return report_text(board, with_repro());
  };
  EXPECT_NE(report(answer_of(1)).find("to see again:\n"), std::string::npos);
  EXPECT_NE(report(error_of("It was late.")).find("to see again, where a case needs no others:\n"), std::string::npos);
}

// A NaN of other bits and a zero of the other sign are seldom what is wrong with a unit: they are counted apart.
TEST(SummaryText, SaysInWhatLittleADiffers) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits, 0);
  const Case given = ordinary_case(p, 0);
  for (const auto& [expected, got] : std::vector<std::pair<Code, Code>>{
           {0x7fffffff, 0x7fc00000}, {0x7fffffff, 0xffc00000}, {0, 0x80000000}, {0, 1}, {0x7fffffff, 0}}) {
    board.expect_and_check(given, answer_of(expected), answer_of(got));
  }
  const std::string text = summary_text(p, board.summary());
  EXPECT_NE(text.find("5 cases with a d that differs\n"
                      "  2 of them with a NaN on both sides, of other bits; --nan any takes every NaN for the other\n"
                      "  1 of them in the sign of a zero\n"),
            std::string::npos)
      << text;
}

TEST(FailureText, SaysWhereTheNumberIsTheSame) {
  const Plan p = f16_plan();
  const auto heading = [&](Code expected, Code got) {
    const std::string text =
        failure_text(p, {Verdict::differs, ordinary_case(p, 3), answer_of(expected), answer_of(got), no_place});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(heading(0x7fffffff, 0x7fc00000), "case 3: d is a NaN on both sides, of other bits");
  EXPECT_EQ(heading(0x80000000, 0), "case 3: d differs in the sign of a zero");
  EXPECT_EQ(heading(0x7fffffff, 0x7f800000), "case 3: d differs");
  EXPECT_EQ(heading(0, 1), "case 3: d differs");
}

TEST(SummaryText, OfCasesWithoutARecordedResult) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  board.leave_out_unrecorded(4);
  EXPECT_EQ(board.summary().ending(), Ending::nothing_compared);
  ReportOptions options;
  options.nothing = "none of the 4 cases has a recorded d";
  EXPECT_EQ(summary_text(p, board.summary(), options),
            "compared 0 cases\n4 cases without a recorded d not compared\n"
            "nothing compared: none of the 4 cases has a recorded d\n");
  const Case given = ordinary_case(p, 0);
  board.expect_and_check(given, true_answer(p, given), true_answer(p, given));
  EXPECT_EQ(board.summary().ending(), Ending::passed);
  const std::string text = summary_text(p, board.summary());
  EXPECT_EQ(text.rfind("compared 1 case\n4 cases without a recorded d not compared\n", 0), 0U) << text;
  EXPECT_NE(text.find("\npassed, 4 not compared\n"), std::string::npos) << text;
  EXPECT_EQ(report_json(board)["summary"]["unrecorded"], 4);
}

TEST(SummaryText, GathersThePlacesThatAreTooMany) {
  const Plan p = f16_plan(16);
  Scoreboard board(p, NanRule::bits, 0);
  for (int i = 0; i < 13; ++i) {
    const Case given = ordinary_case(p, 0);
    Answer spoilt = true_answer(p, given, true);
    spoil(spoilt, "decode.b[" + std::to_string(i) + "]", 2);
    board.expect_and_check(given, true_answer(p, given, true), spoilt);
  }
  const std::string text = summary_text(p, board.summary());
  EXPECT_NE(text.find("  decode.b[9]                                        1\n"
                      "  3 other places                                     3\n"),
            std::string::npos)
      << text;
}

TEST(ReportText, ShowsTheKeptFailuresAndCountsTheOthers) {
  const Plan p = f16_plan();
  const std::string text = report_text(with_every_fault(p), with_repro());
  EXPECT_EQ(text.rfind("case 0: d differs\n", 0), 0U);
  EXPECT_NE(text.find("  again     assay compare --seed 1 --case 0\n\ncase 1: d is equal, but step[0].acc on"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n4 more failures not shown\n\ncompared 6 cases"), std::string::npos) << text;
  EXPECT_EQ(text.find("case 2:"), std::string::npos);
}

std::string without_colour(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

TEST(ReportText, IsInColourOnlyWhereAskedFor) {
  const Plan p = f16_plan();
  const Scoreboard board = with_every_fault(p);
  ReportOptions options = with_repro();
  const std::string plain = report_text(board, options);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  options.colour = true;
  const std::string coloured = report_text(board, options);
  EXPECT_NE(coloured, plain);
  EXPECT_EQ(without_colour(coloured), plain);
}

// --- JSON ---

TEST(ReportJson, SaysTheSame) {
  const Plan p = f16_plan();
  const nlohmann::json report = report_json(with_every_fault(p), with_repro());
  EXPECT_EQ(report["summary"], nlohmann::json::parse(R"({
    "compared": 6, "differs": 1, "masked": 3, "reference_errors": 1, "device_errors": 1, "leftovers": 2, "surplus": 1, "unsteady": 0,
    "failure_groups": [{"first": "step[0].acc", "cases": 2}, {"first": "d", "cases": 1},
                       {"first": "no expected d", "cases": 1}, {"first": "no d", "cases": 1},
                       {"first": "multiply[0]", "cases": 1}],
    "unrecorded": 0, "nan_codes": 0, "zero_signs": 0,
    "complaints": ["The device ended with status 3."], "expected": {"zero": 0, "nan": 0, "infinity": 0},
    "mistrusted": false, "traced": 6, "places": 144, "conclusion": "failed", "waivers": [], "known_differences": [],
    "first_places": [{"name": "step[0].acc", "cases": 2}, {"name": "multiply[0]", "cases": 1}]})"));
  ASSERT_EQ(report["failures"].size(), 2U);
  EXPECT_EQ(report["failures"][0], nlohmann::json::parse(R"({
    "case": 0, "verdict": "differs", "a": ["3c00", "3c01", "3c02", "3c03"], "b": ["3c00", "3c00", "3c00", "3c00"],
    "c": "3f000000", "expected": "40903000", "got": "40903001", "again": "assay compare --seed 1 --case 0"})"));
  EXPECT_EQ(report["failures"][1]["verdict"], "masked");
  EXPECT_EQ(report["failures"][1]["place"]["name"], "step[0].acc");
  EXPECT_NE(report["failures"][1]["place"]["expected"], report["failures"][1]["place"]["got"]);
}

TEST(ReportJson, HasErrorsInPlaceOfAnswers) {
  const Plan p = f16_plan();
  Failure failure = planted(p);
  failure.verdict = Verdict::device_error;
  failure.device = error_of("No answer within 10 s.");
  const nlohmann::json found = failure_json(p, failure);
  EXPECT_EQ(found["verdict"], "device error");
  EXPECT_EQ(found["device_error"], "No answer within 10 s.");
  EXPECT_EQ(found["expected"], "bf7fffff");
  EXPECT_EQ(found.count("got"), 0U);
  EXPECT_EQ(found.count("again"), 0U);
  std::swap(failure.reference, failure.device);
  failure.verdict = Verdict::reference_error;
  EXPECT_EQ(failure_json(p, failure)["reference_error"], "No answer within 10 s.");
}

TEST(ReportJson, OfPassAndOfNothing) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  EXPECT_EQ(report_json(board)["summary"]["conclusion"], "nothing compared");
  board.expect_and_check(ordinary_case(p, 0), answer_of(1), answer_of(1));
  EXPECT_EQ(report_json(board)["summary"]["conclusion"], "passed");
  EXPECT_EQ(report_json(board)["failures"], nlohmann::json::array());
}

}  // namespace
}  // namespace assay
