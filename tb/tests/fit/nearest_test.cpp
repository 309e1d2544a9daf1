// Faults planted in the datapath itself: they are named; and what no change of a word does is not.
#include "tb/fit/nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/scoreboard/shrink.hpp"

namespace assay {
namespace {

const Plan& right() {
  static const Plan p =
      shipped_catalogue().plan_of(shipped_catalogue().instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
  return p;
}

bool same_bits(Code x, Code y) { return x == y; }

Plan changed(const std::function<void(Datapath&)>& change) {
  Datapath d = right().datapath;
  change(d);
  return std::get<Plan>(plan(d, right().k));
}

// What `unit` gives for some thousand cases.
template <class Unit>
Nearest seen(const Unit& unit) {
  Nearest nearest(right(), same_bits);
  const Generator generator(right(), 1);
  Registers registers;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Case c = generator.make(i);
    const Code d = unit(c);
    nearest.see(c, d, d == dot(right(), c.operand(), registers));
  }
  return nearest;
}

Nearest seen_of(const Plan& wrong) {
  Registers registers;
  return seen([&](const Case& c) { return dot(wrong, c.operand(), registers); });
}

TEST(Nearest, NamesTheWordThatIsWrong) {
  const Nearest narrow = seen_of(changed([](Datapath& d) { d.adders[0].add[0].keep = 24; }));
  ASSERT_GT(narrow.failures(), 10u);
  const NearbyChanges found = narrow.find();
  ASSERT_EQ(found.agree.size(), 1u);
  EXPECT_EQ(found.agree[0].change, "adders.sum.add.product.keep were 24 (it is 25)");
  EXPECT_EQ(found.agree[0].explained, narrow.failures());
  EXPECT_TRUE(found.nearly.empty());

  const Nearest floored = seen_of(changed([](Datapath& d) { d.adders[0].add[0].cut = Cut::down; }));
  ASSERT_FALSE(floored.find().agree.empty());
  EXPECT_EQ(floored.find().agree[0].change, "adders.sum.add.product.cut were down (it is toward_zero)");
}

TEST(Nearest, TellsTwoFaultsApart) {
  const Plan rounded = changed([](Datapath& d) { d.adders[0].results[0].cut = Cut::nearest_even; });
  const Plan flushed = changed([](Datapath& d) { d.subnormals_a = Subnormals::zero; });
  Registers registers;
  Nearest nearest(right(), same_bits);
  const Generator generator(right(), 1);
  std::size_t by_rounding = 0, by_flush = 0;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Case c = generator.make(i);
    const Code good = dot(right(), c.operand(), registers);
    const Plan& unit = i % 2 == 0 ? rounded : flushed;
    const Code d = dot(unit, c.operand(), registers);
    if (d != good) (i % 2 == 0 ? by_rounding : by_flush) += 1;
    if (d != good) nearest.see(c, d, false);
  }
  ASSERT_GT(by_rounding, 0u);
  ASSERT_GT(by_flush, 0u);
  // Both together, or one after the other: each word is named.
  std::string changes;
  for (const NearbyChange& e : nearest.find().agree) changes += e.change + "\n";
  for (const char* change :
       {"adders.sum.result[0].cut were nearest_even (it is toward_zero)", "subnormals.a were zero (it is keep)"})
    EXPECT_NE(changes.find(change), std::string::npos) << changes;
}

// The second mistake is rarer than the first and several steps away: only what is left over tells of it.
TEST(Nearest, GoesOnWithWhatTheFirstMistakeLeavesOver) {
  const Plan rounded = changed([](Datapath& d) { d.adders[0].results[0].cut = Cut::nearest_even; });
  const Plan narrow = changed([](Datapath& d) { d.adders[0].add[0].keep = 19; });
  Registers registers;
  Nearest nearest(right(), same_bits);
  const Generator generator(right(), 1);
  for (std::uint64_t i = 0; i < 6000; ++i) {
    const Case c = generator.make(i);
    const Code d = dot(i / 50 % 5 == 4 ? narrow : rounded, c.operand(), registers);
    if (d != dot(right(), c.operand(), registers)) nearest.see(c, d, false);
  }
  const NearbyChanges found = nearest.find();
  std::string changes;
  for (const NearbyChange& e : found.agree) changes += e.change + "\n";
  EXPECT_NE(changes.find("adders.sum.result[0].cut were nearest_even (it is toward_zero)"), std::string::npos)
      << changes;
  EXPECT_NE(changes.find("adders.sum.add.product.keep were 19 (it is 25)"), std::string::npos) << changes;
  ASSERT_GE(found.agree.size(), 2u);
  EXPECT_EQ(found.agree[0].of, found.failures);
  EXPECT_EQ(found.agree[1].of, found.failures - found.agree[0].explained);
  std::size_t explained = 0;
  for (const NearbyChange& e : found.agree) explained += e.explained;
  EXPECT_EQ(found.left, found.failures - explained);
}

TEST(Nearest, ExplainsNothingThatNoWordSays) {
  Registers registers;
  const Nearest odd = seen([&](const Case& c) {
    const Code d = dot(right(), c.operand(), registers);
    return c.number % 7 == 0 ? d ^ 0x00400000 : d;
  });
  EXPECT_GT(odd.failures(), 100u);
  EXPECT_TRUE(odd.find().agree.empty());
  EXPECT_TRUE(odd.find().nearly.empty());
}

// Two words by two steps each, of which neither alone says anything.
TEST(Nearest, NamesTheSameWordOfEveryInput) {
  const Nearest narrow = seen_of(changed([](Datapath& d) { d.adders[0].add[0].keep = d.adders[0].add[1].keep = 23; }));
  const NearbyChanges found = narrow.find();
  ASSERT_EQ(found.agree.size(), 1u);
  EXPECT_EQ(found.agree[0].change,
            "adders.sum.add.product.keep were 23 (it is 25) and adders.sum.add.acc.keep were 23 (it is 25)");
  EXPECT_EQ(found.agree[0].explained, narrow.failures());
}

TEST(Nearest, NamesANumberThatIsSeveralStepsAway) {
  const Nearest narrow = seen_of(changed([](Datapath& d) { d.adders[0].add[0].keep = 20; }));
  const NearbyChanges found = narrow.find();
  ASSERT_EQ(found.agree.size(), 1u);
  EXPECT_EQ(found.agree[0].change, "adders.sum.add.product.keep were 20 (it is 25)");
}

// Either alone explains some of the failures; only both explain those where both matter.
TEST(Nearest, NamesTwoWordsOfDifferentPlaces) {
  const Nearest both = seen_of(changed([](Datapath& d) {
    d.adders[0].add[0].keep = 24;
    d.adders[0].results[0].cut = Cut::nearest_even;
  }));
  const NearbyChanges found = both.find();
  ASSERT_EQ(found.agree.size(), 1u);
  EXPECT_EQ(found.agree[0].explained, both.failures());
  for (const char* word : {"adders.sum.add.product.keep were 24 (it is 25)",
                           "adders.sum.result[0].cut were nearest_even (it is toward_zero)"})
    EXPECT_NE(found.agree[0].change.find(word), std::string::npos) << found.agree[0].change;
}

// The unit does what the word says in most cases, and in some it does not.
TEST(Nearest, NamesWhatExplainsMostAndSaysWhatItWouldBreak) {
  const Plan narrow = changed([](Datapath& d) { d.adders[0].add[0].keep = 24; });
  Registers registers;
  const Nearest most =
      seen([&](const Case& c) { return dot(c.number % 9 == 0 ? right() : narrow, c.operand(), registers); });
  const NearbyChanges found = most.find();
  ASSERT_FALSE(found.nearly.empty());
  EXPECT_TRUE(found.agree.empty());
  EXPECT_EQ(found.nearly[0].change, "adders.sum.add.product.keep were 24 (it is 25)");
  EXPECT_EQ(found.nearly[0].explained, most.failures());
  EXPECT_GT(found.nearly[0].broken, 0u);
  EXPECT_LT(found.nearly[0].broken, found.right);
  // A word beside it that changes nothing of that is not shown.
  for (std::size_t i = 1; i < found.nearly.size(); ++i) {
    const NearbyChange& other = found.nearly[i];
    EXPECT_NE(std::pair(other.explained, other.broken), std::pair(found.nearly[0].explained, found.nearly[0].broken))
        << other.change;
  }
}

// What passed by the rule for NaN passes here as well: else no change could keep what was right.
TEST(Nearest, TakesNansByTheRuleOfTheVerdict) {
  const Plan wrong = changed([](Datapath& d) {
    d.adders[0].add[0].keep = 24;
    d.nan = Nan{false, 0x7fc00000};
  });
  const auto is_nan = [](Code d) { return (d & 0x7fffffff) > 0x7f800000; };
  Nearest nearest(right(), [&](Code x, Code y) { return x == y || (is_nan(x) && is_nan(y)); });
  const Generator generator(right(), 1);
  Registers registers;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Case c = generator.make(i);
    const Code good = dot(right(), c.operand(), registers), d = dot(wrong, c.operand(), registers);
    nearest.see(c, d, d == good || (is_nan(d) && is_nan(good)));
  }
  const NearbyChanges found = nearest.find();
  ASSERT_FALSE(found.agree.empty());
  EXPECT_EQ(found.agree[0].change, "adders.sum.add.product.keep were 24 (it is 25)");
  EXPECT_EQ(found.agree[0].explained, nearest.failures());
}

TEST(Nearest, ConcludesNothingFromAFewFailures) {
  const Plan narrow = changed([](Datapath& d) { d.adders[0].add[0].keep = 24; });
  Registers registers;
  Nearest one(right(), same_bits);
  const Generator generator(right(), 1);
  for (std::uint64_t i = 0; one.failures() == 0; ++i) {
    const Case c = generator.make(i);
    const Code d = dot(narrow, c.operand(), registers);
    if (d != dot(right(), c.operand(), registers)) one.see(c, d, false);
  }
  const NearbyChanges found = one.find();
  EXPECT_FALSE(found.conclusive());
  ASSERT_FALSE(found.agree.empty());
  EXPECT_FALSE(found.as_well.empty());  // the same bits by another word
  EXPECT_TRUE(found.nearly.empty());
}

TEST(Nearest, KeepsTheFirstFailuresAndCountsAll) {
  Nearest nearest(right(), same_bits);
  const Case c = Generator(right(), 1).make(0);
  for (int i = 0; i < 400; ++i) nearest.see(c, 1, false);
  EXPECT_EQ(nearest.failures(), 300u);
  EXPECT_EQ(nearest.failures_seen(), 400u);
  nearest.make_room();
  for (int i = 0; i < 400; ++i) nearest.see(c, 1, false);
  EXPECT_EQ(nearest.failures(), 600u);
}

TEST(Nearest, DoesNotContradictWhatWasRight) {
  // One failure that a coarser window would explain, among results that it would not.
  Registers registers;
  const Plan coarse = changed([](Datapath& d) { d.adders[0].add[0].keep = 24; });
  std::uint64_t first = 0;
  const Nearest once = seen([&](const Case& c) {
    const Code d = dot(coarse, c.operand(), registers), good = dot(right(), c.operand(), registers);
    if (d != good && first == 0) first = c.number;
    return c.number == first && first != 0 ? d : good;
  });
  EXPECT_EQ(once.failures(), 1u);
  for (const NearbyChange& e : once.find().agree) EXPECT_NE(e.change, "adders.sum.add.product.keep were 24 (it is 25)");
}

TEST(Shrunk, KeepsOnlyWhatTheFaultNeeds) {
  const Plan wrong = changed([](Datapath& d) { d.adders[0].add[0].keep = 24; });
  Registers registers;
  const auto fails_one = [&](const Case& c) {
    return dot(wrong, c.operand(), registers) != dot(right(), c.operand(), registers);
  };
  const Fails fails = [&](const std::vector<Case>& cases) {
    std::vector<bool> result;
    for (const Case& c : cases) result.push_back(fails_one(c));
    return result;
  };
  const Generator generator(right(), 1);
  int tried = 0;
  for (std::uint64_t i = 0; i < 2000 && tried < 20; ++i) {
    const Case c = generator.make(i);
    if (!fails_one(c)) continue;
    ++tried;
    const Case small = shrunk(right(), c, fails);
    EXPECT_TRUE(fails_one(small));
    int terms = 0;
    for (std::size_t j = 0; j < small.a.size(); ++j) terms += small.a[j] != 0 || small.b[j] != 0 ? 1 : 0;
    EXPECT_LE(terms, 4) << "case " << i;
  }
  EXPECT_EQ(tried, 20);
}

}  // namespace
}  // namespace assay
