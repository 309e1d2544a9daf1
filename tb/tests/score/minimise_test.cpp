// The fewest cases that kill what many do.
#include "tb/score/minimise.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"

namespace assay {
namespace {

NumberSet set_of(std::size_t size, const std::vector<std::size_t>& numbers) {
  NumberSet made(size);
  for (const std::size_t n : numbers) made.insert(n);
  return made;
}

using Indices = std::vector<std::size_t>;

bool covers(const std::vector<NumberSet>& sets, const Indices& chosen, std::size_t size) {
  NumberSet all(size), held(size);
  for (const NumberSet& s : sets) all.add(s);
  for (const std::size_t i : chosen) held.add(sets[i]);
  return all == held;
}

// By trying every choice.
std::size_t fewest(const std::vector<NumberSet>& sets, std::size_t size) {
  std::size_t best = sets.size();
  for (std::size_t choice = 0; choice < std::size_t{1} << sets.size(); ++choice) {
    Indices chosen;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if ((choice >> i & 1) != 0) chosen.push_back(i);
    }
    if (chosen.size() < best && covers(sets, chosen, size)) best = chosen.size();
  }
  return best;
}

TEST(Cover, IsNotCaughtByTheLargestSet) {
  // The two rows are a cover; the largest set holds more than half of both, and then each half is asked for again.
  //   0 1 2 3 | 4 5 | 6
  //   7 8 9 10| 11 12| 13
  const std::vector<NumberSet> sets{set_of(14, {0, 1, 2, 3, 7, 8, 9, 10}), set_of(14, {4, 5, 11, 12}),
                                    set_of(14, {6, 13}), set_of(14, {0, 1, 2, 3, 4, 5, 6}),
                                    set_of(14, {7, 8, 9, 10, 11, 12, 13})};
  const Cover found = smallest_cover(sets, 14);
  EXPECT_EQ(found.chosen, (Indices{3, 4}));
  EXPECT_TRUE(found.smallest());
}

TEST(Cover, FindsThePlantedOne) {
  // Numbers 0 to 99 dealt out to seven sets, hidden among three hundred that hold a few of several each.
  constexpr std::size_t size = 100, planted = 7;
  std::vector<NumberSet> sets;
  for (std::size_t i = 0; i < 300; ++i) {
    Draws draws(1, i, Part::choice, 0);
    NumberSet made(size);
    for (int j = 0; j < 6; ++j) made.insert(draws.below(size));
    sets.push_back(made);
  }
  for (std::size_t p = 0; p < planted; ++p) {
    NumberSet made(size);
    for (std::size_t n = p; n < size; n += planted) made.insert(n);
    sets.insert(sets.begin() + static_cast<std::ptrdiff_t>(40 * p), made);
  }
  const Cover found = smallest_cover(sets, size);
  EXPECT_EQ(found.chosen, (Indices{0, 40, 80, 120, 160, 200, 240}));
  EXPECT_TRUE(found.smallest());
}

TEST(Cover, IsAsSmallAsTryingAllFinds) {
  constexpr std::size_t size = 12;
  int harder_than_greedy = 0;
  for (std::uint64_t turn = 0; turn < 150; ++turn) {
    std::vector<NumberSet> sets;
    for (std::uint64_t i = 0; i < 11; ++i) {
      Draws draws(2, turn, Part::choice, i);
      NumberSet made(size);
      for (std::uint64_t j = 0, many = 2 + draws.below(4); j < many; ++j) made.insert(draws.below(size));
      sets.push_back(made);
    }
    const Cover found = smallest_cover(sets, size);
    ASSERT_TRUE(covers(sets, found.chosen, size)) << turn;
    ASSERT_TRUE(found.smallest()) << turn;
    ASSERT_EQ(found.chosen.size(), fewest(sets, size)) << turn;
    harder_than_greedy += smallest_cover(sets, size, 0).chosen.size() > found.chosen.size() ? 1 : 0;
  }
  EXPECT_GT(harder_than_greedy, 0);
}

// Any two points of a projective plane share a line, so nothing is known of how many lines cover it but by search.
TEST(Cover, CutShortIsACoverAndSaysHowFewItMightBe) {
  constexpr std::size_t size = 31;  // points of the plane of order 5; its lines are shifts of a difference set
  const Indices line{0, 1, 3, 8, 12, 18};
  std::vector<NumberSet> sets;
  for (std::size_t shift = 0; shift < size; ++shift) {
    NumberSet made(size);
    for (const std::size_t n : line) made.insert((n + shift) % size);
    sets.push_back(made);
  }
  const Cover found = smallest_cover(sets, size, 3);
  EXPECT_TRUE(covers(sets, found.chosen, size));
  EXPECT_FALSE(found.smallest());
  EXPECT_LT(found.at_least, found.chosen.size());
  EXPECT_GE(found.at_least, 1u);
}

TEST(Cover, OfNothingIsEmpty) {
  EXPECT_TRUE(smallest_cover({}, 5).chosen.empty());
  EXPECT_TRUE(smallest_cover({NumberSet(5)}, 5).chosen.empty());
  EXPECT_TRUE(smallest_cover({}, 0).smallest());
}

TEST(Minimiser, KeepsFewCasesThatKillAsMany) {
  const Catalogue catalogue = shipped_catalogue();
  const Plan right = catalogue.plan_of(catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
  const Generator generator(right, 1);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 800; ++i) cases.push_back(generator.make(i));
  Minimiser minimiser(right, NanRule::bits);
  minimiser.see(cases);
  const Minimised found = minimiser.smallest();
  EXPECT_TRUE(found.smallest());
  EXPECT_LT(found.cases.size(), 15u);
  ASSERT_FALSE(found.cases.empty());

  KillScore all(right, NanRule::bits), few(right, NanRule::bits);
  all.see(cases);
  few.see(found.cases);
  EXPECT_EQ(found.killed, all.counts().killed);
  for (std::size_t i = 0; i < all.mutants().size(); ++i) {
    EXPECT_EQ(all.mutants()[i].fate(), few.mutants()[i].fate()) << all.mutants()[i].name;
  }
  // Without any one of them fewer are killed.
  for (std::size_t left_out = 0; left_out < found.cases.size(); ++left_out) {
    std::vector<Case> fewer = found.cases;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left_out));
    KillScore score(right, NanRule::bits);
    score.see(fewer);
    EXPECT_LT(score.counts().killed, found.killed) << left_out;
  }
}

}  // namespace
}  // namespace assay
