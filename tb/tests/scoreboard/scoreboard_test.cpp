// The tester tested: each planted fault must be seen, and nothing else.
#include "tb/scoreboard/scoreboard.hpp"

#include "tb/tests/scoreboard/answers.hpp"

namespace assay {
namespace {

TEST(Scoreboard, EqualAnswersPass) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 100);
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases), true_answers(p, cases));
  const Summary s = board.summary();
  EXPECT_EQ(s.compared, 100U);
  EXPECT_EQ(s.failures(), 0U);
  EXPECT_EQ(s.traced, 0U);
  EXPECT_EQ(s.places, 0U);
  EXPECT_FALSE(s.mistrusted());
  EXPECT_EQ(s.ending(), Ending::passed);
  EXPECT_TRUE(board.failures().empty());
}

TEST(Scoreboard, NothingComparedIsNoPass) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  board.check_all({}, {}, {});
  EXPECT_EQ(board.summary().compared, 0U);
  EXPECT_EQ(board.summary().ending(), Ending::nothing_compared);
  EXPECT_FALSE(board.summary().mistrusted());
}

TEST(Scoreboard, SeesEveryFlippedBitOfD) {
  const Plan p = f16_plan();
  const Case given = ordinary_case(p, 0);
  for (int bit = 0; bit < 32; ++bit) {
    Scoreboard board(p, NanRule::bits);
    Answer spoilt = true_answer(p, given);
    spoilt.d ^= Code{1} << bit;
    EXPECT_EQ(board.expect_and_check(given, true_answer(p, given), spoilt), Verdict::differs) << "bit " << bit;
    EXPECT_EQ(board.summary().differs, 1U);
    EXPECT_EQ(board.summary().compared, 1U);
    EXPECT_EQ(board.summary().ending(), Ending::mismatch);
    ASSERT_EQ(board.failures().size(), 1U);
    EXPECT_EQ(board.failures()[0].place, no_place);
  }
}

// More failures than are kept, and of each kind the first all the same.
TEST(Scoreboard, HasAnExampleOfEachPlaceAtWhichFailuresBegin) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits, 1);
  const auto fail_at = [&](std::uint64_t number, const std::string& place) {
    const Case given = ordinary_case(p, number);
    Answer spoilt = true_answer(p, given, true);
    spoilt.d ^= 1;
    spoil(spoilt, place, 0);
    board.expect_and_check(given, true_answer(p, given, true), spoilt);
  };
  fail_at(0, "multiply[1]");
  fail_at(1, "multiply[2]");
  fail_at(2, "multiply[1]");
  board.expect_and_check(ordinary_case(p, 3), true_answer(p, ordinary_case(p, 3)), error_of("no answer"));
  EXPECT_EQ(board.failures().size(), 1U);
  std::vector<std::pair<std::uint64_t, int>> examples;
  for (const Failure& example : board.examples()) examples.emplace_back(example.given.number, example.place);
  EXPECT_EQ(examples, (std::vector<std::pair<std::uint64_t, int>>{
                          {3, no_place}, {0, p.find_place("multiply[1]")}, {1, p.find_place("multiply[2]")}}));
}

TEST(Scoreboard, SeesSwappedAnswers) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 10);
  std::vector<Answer> answers = true_answers(p, cases);
  std::swap(answers[3], answers[4]);
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases), answers);
  EXPECT_EQ(board.summary().differs, 2U);
  ASSERT_EQ(board.failures().size(), 2U);
  EXPECT_EQ(board.failures()[0].given.number, 3U);
  EXPECT_EQ(board.failures()[1].given.number, 4U);
}

TEST(Scoreboard, SeesDroppedAnswers) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 10);
  std::vector<Answer> answers = true_answers(p, cases);
  answers.resize(8);
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases), answers);
  EXPECT_EQ(board.summary().compared, 8U);
  EXPECT_EQ(board.summary().leftovers, 2U);
  EXPECT_EQ(board.summary().first_leftover, 8U);
  EXPECT_EQ(board.summary().ending(), Ending::mismatch);
}

TEST(Scoreboard, SeesAnAnswerDroppedInTheMiddle) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 10);
  std::vector<Answer> answers = true_answers(p, cases);
  answers.erase(answers.begin() + 5);
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases), answers);
  EXPECT_EQ(board.summary().differs, 4U);
  EXPECT_EQ(board.summary().leftovers, 1U);
}

TEST(Scoreboard, SeesSurplusAnswers) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 10);
  std::vector<Answer> answers = true_answers(p, cases);
  answers.push_back(answers.back());
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases), answers);
  EXPECT_EQ(board.summary().surplus, 1U);
  EXPECT_EQ(board.summary().ending(), Ending::mismatch);
}

TEST(Scoreboard, NothingAnsweredIsAFailure) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  board.check_all(ordinary_cases(p, 3), {}, {});
  EXPECT_EQ(board.summary().leftovers, 3U);
  EXPECT_EQ(board.summary().ending(), Ending::mismatch);
}

TEST(Scoreboard, ErrorsAreFailures) {
  const Plan p = f16_plan();
  const Case given = ordinary_case(p, 0);
  const Answer good = true_answer(p, given), bad = error_of("The process ended with signal 11.");
  Scoreboard board(p, NanRule::bits);
  EXPECT_EQ(board.expect_and_check(given, good, bad), Verdict::device_error);
  EXPECT_EQ(board.expect_and_check(given, bad, good), Verdict::reference_error);
  EXPECT_EQ(board.expect_and_check(given, bad, bad), Verdict::reference_error);
  const Summary s = board.summary();
  EXPECT_EQ(s.compared, 0U);
  EXPECT_EQ(s.device_errors, 1U);
  EXPECT_EQ(s.reference_errors, 2U);
  EXPECT_EQ(s.ending(), Ending::mismatch);
  EXPECT_EQ(board.failures().size(), 3U);
}

TEST(Scoreboard, ComplaintsAreFailures) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 3);
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases), true_answers(p, cases));
  board.complain("");
  EXPECT_EQ(board.summary().ending(), Ending::passed);
  board.complain("The device answered case 2 twice.");
  EXPECT_EQ(board.summary().failures(), 1U);
  EXPECT_EQ(board.summary().ending(), Ending::mismatch);
}

TEST(Scoreboard, NansByTheirBitsOrAnyForAny) {
  const Plan p = f16_plan();
  const Case given = ordinary_case(p, 0);
  struct Row {
    Code expected, got;
    Verdict bits, any;
  };
  const Row rows[] = {
      {0x7fffffff, 0x7fffffff, Verdict::equal, Verdict::equal},
      {0x7fffffff, 0x7fc00000, Verdict::differs, Verdict::equal},
      {0x7fffffff, 0xffc00000, Verdict::differs, Verdict::equal},
      {0x7fffffff, 0x7f800001, Verdict::differs, Verdict::equal},    // a signalling one
      {0x7fffffff, 0x7f800000, Verdict::differs, Verdict::differs},  // infinity
      {0x7f800000, 0x7fffffff, Verdict::differs, Verdict::differs},
      {0x7fffffff, 0x3f800000, Verdict::differs, Verdict::differs},
      {0x00000000, 0x80000000, Verdict::differs, Verdict::differs},
  };
  for (const Row& row : rows) {
    const Answer expected = answer_of(row.expected), got = answer_of(row.got);
    EXPECT_EQ(Scoreboard(p, NanRule::bits).expect_and_check(given, expected, got), row.bits);
    EXPECT_EQ(Scoreboard(p, NanRule::any).expect_and_check(given, expected, got), row.any);
  }
}

// A format whose NaN is one code among numbers.
TEST(Scoreboard, WhatIsNanIsDecidedByTheFormatOfD) {
  Datapath words = fused("e4m3fnuz", "e4m3fnuz", 10);
  words.adders[0].results[0].overflow = Overflow::largest;
  const Plan p = planned(words, 2);
  const Case given = ordinary_case(p, 0);
  Scoreboard board(p, NanRule::any);
  EXPECT_EQ(board.expect_and_check(given, answer_of(0x80), answer_of(0x80)), Verdict::equal);
  EXPECT_EQ(board.expect_and_check(given, answer_of(0x80), answer_of(0x7f)), Verdict::differs);
  EXPECT_EQ(board.expect_and_check(given, answer_of(0xff), answer_of(0x7f)), Verdict::differs);
  EXPECT_EQ(board.summary().nans, 2U);
}

// --- white box ---

TEST(Scoreboard, SeesAPlaceThatDiffersBehindAnEqualD) {
  const Plan p = f16_plan();
  const Case given = ordinary_case(p, 0);
  const Answer expected = true_answer(p, given, true);
  for (const Place& place : p.places) {
    Scoreboard board(p, NanRule::bits);
    Answer spoilt = expected;
    spoil(spoilt, place.name, static_cast<std::size_t>((place.width + 3) / 4) - 1);
    EXPECT_EQ(board.expect_and_check(given, expected, spoilt), Verdict::masked) << place.name;
    EXPECT_EQ(board.summary().masked, 1U);
    EXPECT_EQ(board.summary().ending(), Ending::mismatch);
    ASSERT_EQ(board.failures().size(), 1U);
    EXPECT_EQ(p.places[static_cast<std::size_t>(board.failures()[0].place)].name, place.name);
  }
}

TEST(Scoreboard, NamesTheFirstOfSeveralPlaces) {
  const Plan p = f16_plan();
  const Case given = ordinary_case(p, 0);
  Answer spoilt = true_answer(p, given, true);
  for (const char* place : {"encode", "multiply[2]", "step[0].sum.reduce", "step[0].sum.align[1]"}) {
    spoil(spoilt, place, 0);
  }
  spoilt.d ^= 1;
  Scoreboard board(p, NanRule::bits);
  EXPECT_EQ(board.expect_and_check(given, true_answer(p, given, true), spoilt), Verdict::differs);
  EXPECT_EQ(board.failures().at(0).place, p.find_place("multiply[2]"));
}

TEST(Scoreboard, ComparesOnlyPlacesThatBothFilled) {
  const Plan p = f16_plan();
  const Case given = ordinary_case(p, 0);
  const auto multiply = static_cast<std::size_t>(p.find_place("multiply[0]"));
  Answer spoilt = true_answer(p, given, true);
  spoil(spoilt, "multiply[0]", 2);
  spoilt.traced[multiply] = 0;
  Scoreboard board(p, NanRule::bits);
  EXPECT_EQ(board.expect_and_check(given, true_answer(p, given, true), spoilt), Verdict::equal);
  EXPECT_EQ(board.expect_and_check(given, spoilt, true_answer(p, given, true)), Verdict::equal);
  EXPECT_EQ(board.summary().traced, 2U);
  EXPECT_EQ(board.summary().places, 2 * (p.places.size() - 1));
  // Where one has no trace there is nothing to compare but d.
  EXPECT_EQ(board.expect_and_check(given, true_answer(p, given, false), spoilt), Verdict::equal);
  EXPECT_EQ(board.summary().traced, 2U);
}

TEST(Scoreboard, NansThatCountAsEqualDoSoInTheTraceToo) {
  const Plan p = f16_plan();
  Case given = ordinary_case(p, 0);
  given.c = 0x7fc00000;
  const Answer expected = true_answer(p, given, true);
  Answer other = expected;
  other.d ^= 1;
  spoil(other, "encode", 7);
  EXPECT_EQ(Scoreboard(p, NanRule::any).expect_and_check(given, expected, other), Verdict::equal);
  EXPECT_EQ(Scoreboard(p, NanRule::bits).expect_and_check(given, expected, other), Verdict::differs);
}

TEST(Scoreboard, CountsFirstPlaces) {
  const Plan p = f16_plan();
  const std::vector<Case> cases = ordinary_cases(p, 6);
  std::vector<Answer> answers = true_answers(p, cases, true);
  spoil(answers[0], "decode.a[1]", 2);
  for (const std::size_t i : {1U, 2U, 3U}) spoil(answers[i], "step[0].sum.window", 0);
  answers[4].d ^= 1;  // no place says so
  Scoreboard board(p, NanRule::bits);
  board.check_all(cases, true_answers(p, cases, true), answers);
  const Summary s = board.summary();
  EXPECT_EQ(s.masked, 4U);
  EXPECT_EQ(s.differs, 1U);
  ASSERT_EQ(s.first_places.size(), 2U);
  EXPECT_EQ(s.first_places[0].place, p.find_place("step[0].sum.window"));
  EXPECT_EQ(s.first_places[0].count, 3U);
  EXPECT_EQ(s.first_places[1].place, p.find_place("decode.a[1]"));
  EXPECT_EQ(s.first_places[1].count, 1U);
}

// --- what was expected, and what is kept ---

TEST(Scoreboard, MistrustsMostlyZerosAndNans) {
  const Plan p = f16_plan();
  const auto mistrusted = [&](int zeros, int nans, int ones) {
    Scoreboard board(p, NanRule::bits);
    const Case given = ordinary_case(p, 0);
    for (int i = 0; i < zeros + nans + ones; ++i) {
      const Answer answer = answer_of(i < zeros          ? (i % 2 == 0 ? 0U : 0x80000000U)
                                      : i < zeros + nans ? 0x7fffffffU
                                                         : 0x3f800000U);
      board.expect_and_check(given, answer, answer);
    }
    EXPECT_EQ(board.summary().zeros, static_cast<std::uint64_t>(zeros));
    EXPECT_EQ(board.summary().nans, static_cast<std::uint64_t>(nans));
    EXPECT_EQ(board.summary().ending(), Ending::passed);
    return board.summary().mistrusted();
  };
  EXPECT_TRUE(mistrusted(100, 0, 0));
  EXPECT_TRUE(mistrusted(50, 41, 9));
  EXPECT_FALSE(mistrusted(50, 40, 10));
  EXPECT_FALSE(mistrusted(0, 0, 100));
}

TEST(Scoreboard, CountsInfinities) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits);
  for (const Code d : {0x7f800000U, 0xff800000U, 0x7f7fffffU}) {
    board.expect_and_check(ordinary_case(p, 0), answer_of(d), answer_of(d));
  }
  EXPECT_EQ(board.summary().infinities, 2U);
}

TEST(Scoreboard, KeepsTheFirstFailuresWholeAndCountsTheOthers) {
  const Plan p = f16_plan();
  Scoreboard board(p, NanRule::bits, 3);
  const std::vector<Case> cases = ordinary_cases(p, 20);
  std::vector<Answer> answers = true_answers(p, cases);
  for (Answer& answer : answers) answer.d ^= 1;
  board.check_all(cases, true_answers(p, cases), answers);
  EXPECT_EQ(board.summary().differs, 20U);
  ASSERT_EQ(board.failures().size(), 3U);
  const Failure& kept = board.failures()[2];
  EXPECT_EQ(kept.given.number, 2U);
  EXPECT_EQ(kept.given.a, cases[2].a);
  EXPECT_EQ(kept.reference.d ^ 1, kept.device.d);
}

}  // namespace
}  // namespace assay
