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

Plan changed(const std::function<void(Datapath&)>& change) {
  Datapath d = right().datapath;
  change(d);
  return std::get<Plan>(plan(d, right().k));
}

// What `unit` gives for some thousand cases.
template <class Unit>
Nearest seen(const Unit& unit) {
  Nearest nearest(right());
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
  const std::vector<NearbyChange> found = narrow.find();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].change, "adders.sum.add.product.keep were 24 (it is 25)");
  EXPECT_EQ(found[0].explained, narrow.failures());

  const Nearest floored = seen_of(changed([](Datapath& d) { d.adders[0].add[0].cut = Cut::down; }));
  ASSERT_FALSE(floored.find().empty());
  EXPECT_EQ(floored.find()[0].change, "adders.sum.add.product.cut were down (it is toward_zero)");
}

TEST(Nearest, TellsTwoFaultsApart) {
  const Plan rounded = changed([](Datapath& d) { d.adders[0].results[0].cut = Cut::nearest_even; });
  const Plan flushed = changed([](Datapath& d) { d.subnormals_a = Subnormals::zero; });
  Registers registers;
  Nearest nearest(right());
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
  std::vector<std::string> changes;
  for (const NearbyChange& e : nearest.find()) changes.push_back(e.change);
  const auto has = [&](const char* change) {
    return std::find(changes.begin(), changes.end(), change) != changes.end();
  };
  EXPECT_TRUE(has("adders.sum.result[0].cut were nearest_even (it is toward_zero)"));
  EXPECT_TRUE(has("subnormals.a were zero (it is keep)"));
}

TEST(Nearest, ExplainsNothingThatNoWordSays) {
  Registers registers;
  const Nearest odd = seen([&](const Case& c) {
    const Code d = dot(right(), c.operand(), registers);
    return c.number % 7 == 0 ? d ^ 0x00400000 : d;
  });
  EXPECT_GT(odd.failures(), 100u);
  EXPECT_TRUE(odd.find().empty());
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
  for (const NearbyChange& e : once.find()) EXPECT_NE(e.change, "adders.sum.add.product.keep were 24 (it is 25)");
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
