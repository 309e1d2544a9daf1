// The core against the second judge on datapaths that nobody built.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/config/datapath_file.hpp"
#include "model/config/datapath_text.hpp"
#include "model/core/products.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/judged.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/equality/traced.hpp"

namespace assay {
namespace {

constexpr int shards = 5;
constexpr int quick_datapaths = 600;
constexpr std::uint64_t seed = 1;

struct Accepted {
  OwnDatapath own;
  Plan plan;
  int refused = 0;  // drawn before it
};

// The first of the datapaths drawn for `number` that can be planned.
Accepted accepted(std::uint64_t number, Domain domain = Domain::usual) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    OwnDatapath own = random_datapath(number, static_cast<std::uint64_t>(attempt), domain);
    auto made = plan(own.words, own.k);
    if (auto* good = std::get_if<Plan>(&made)) return {std::move(own), std::move(*good), attempt};
  }
  throw std::runtime_error("None of 100 datapaths drawn for number " + std::to_string(number) + " can be planned.");
}

// Two of the generator's cases, then one of the corners.
Case case_of(const Generator& generator, const Plan& plan, int i) {
  const auto number = static_cast<std::uint64_t>(i);
  return i % 3 == 2 ? corner_case(plan, number) : generator.make(number - number / 3);
}

class RandomDatapaths : public testing::TestWithParam<int> {};

TEST_P(RandomDatapaths, AreRunAsTheirWordsSay) {
  const int each = quick_or_full(quick_datapaths, 5000) / shards;
  const int cases = quick_or_full(40, 400), traced = quick_or_full(8, 40);
  long compared = 0, places = 0;
  for (int number = GetParam() * each; number < (GetParam() + 1) * each; ++number) {
    const Accepted drawn = accepted(static_cast<std::uint64_t>(number));
    const Generator generator(drawn.plan, seed);
    Registers registers;
    for (int i = 0; i < cases; ++i, ++compared) {
      const Case given = case_of(generator, drawn.plan, i);
      std::string wrong = i < traced ? verdict_on_places(drawn.plan, given, registers, places) : "";
      wrong += verdict_on_d(drawn.plan, given, registers);
      ASSERT_EQ(wrong, "") << "number " << number << ", case " << i << ": " << case_text(drawn.plan, given) << "\n"
                           << datapath_text(drawn.own.words, drawn.own.k);
    }
  }
  EXPECT_EQ(compared, static_cast<long>(each) * cases);
  EXPECT_GT(places, 10L * each * traced);
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomDatapaths, testing::Range(0, shards));

// A word that acts before the first sum, and was taken for one of sums, would give another d here.
TEST(RandomDatapath, GoesOnFromTheProductsOfAnyThatMultipliesAlike) {
  constexpr std::uint64_t cases = 6;
  long alike = 0, others = 0;
  for (std::uint64_t number = 0; number < 120; ++number) {
    const Plan plan = accepted(number, number % 2 == 0 ? Domain::usual : Domain::farther).plan;
    std::vector<Case> given;
    for (std::uint64_t i = 0; i < cases; ++i) given.push_back(Generator(plan, seed).make(i));
    for (const Mutation& m : mutations(plan.datapath, plan.k)) {
      const auto made = assay::plan(m.changed, plan.k);
      const Plan* changed = std::get_if<Plan>(&made);
      if (changed == nullptr || !are_within(changed->more, plan.more)) continue;
      if (!multiply_alike(plan, *changed)) {
        ++others;
        continue;
      }
      ++alike;
      for (const Case& c : given) {
        Registers before, after, whole;
        dot(plan, c.operand(), before);
        ASSERT_EQ(dot_after(*changed, c.operand(), before, after), dot(*changed, c.operand(), whole))
            << "number " << number << ", " << m.name << ": " << case_text(plan, c);
      }
    }
  }
  EXPECT_GT(alike, 3000);
  EXPECT_GT(others, 1000);
}

// Puts at every place the bits that stand there.
class SameBits final : public Detour {
 public:
  bool turns(Trace&, int) override { return true; }
};

TEST(RandomDatapath, GoesOnFromTheBitsOfItsPlaces) {
  for (std::uint64_t number = 0; number < 600; ++number) {
    const Plan plan = accepted(number, number % 2 == 0 ? Domain::usual : Domain::farther).plan;
    const Generator generator(plan, seed);
    Registers registers;
    SameBits same;
    for (int i = 0; i < 20; ++i) {
      const Case given = case_of(generator, plan, i);
      Trace straight(plan), turned(plan);
      const Code d = dot(plan, given.operand(), registers, &straight);
      ASSERT_EQ(dot(plan, given.operand(), registers, &turned, &same), d) << number << ", case " << i;
      ASSERT_TRUE(turned.same(straight)) << number << ", case " << i;
    }
  }
}

TEST(RandomDatapath, UsesEveryWordOften) {
  std::map<std::string, int> uses;
  int refused = 0;
  for (std::uint64_t number = 0; number < quick_datapaths; ++number) {
    const Accepted drawn = accepted(number);
    refused += drawn.refused;
    for (const std::string& word : words_used(drawn.own)) ++uses[word];
  }
  for (const std::string& word : all_words()) EXPECT_GE(uses[word], 12) << word;
  RecordProperty("refused", refused);
  EXPECT_GT(refused, 0) << "plan() refuses nothing: the datapaths drawn stay clear of its limits.";
}

bool all_fit(const std::vector<Code>& codes, const Format& format) {
  return std::all_of(codes.begin(), codes.end(), [&](Code code) { return format.fits(code); });
}

// Whether no code has bits that its format lacks.
bool fits(const Case& one, const Plan& plan) {
  for (const CaseOperand& operand : plan.more) {
    for (int i = operand.first; i < operand.end(); ++i) {
      if (!operand.format.fits(one.more[static_cast<std::size_t>(i)])) return false;
    }
  }
  const bool scales = !plan.scale || (all_fit(one.scale_a, *plan.scale) && all_fit(one.scale_b, *plan.scale));
  return scales && all_fit(one.a, plan.a) && all_fit(one.b, plan.b) && plan.c.fits(one.c);
}

TEST(RandomDatapath, CasesFitTheirFormats) {
  for (std::uint64_t number = 0; number < 1500; ++number) {
    const Plan plan = accepted(number, number % 2 == 0 ? Domain::usual : Domain::farther).plan;
    const Generator generator(plan, seed);
    const bool broken_block = plan.scale && plan.k % plan.scale_block != 0;  // the last one is shorter than the others
    for (int i = 0; i < (broken_block ? 1000 : 50); ++i)
      ASSERT_TRUE(fits(case_of(generator, plan, i), plan)) << number << ", case " << i;
  }
}

TEST(RandomDatapath, IsTheSameForTheSameNumber) {
  const OwnDatapath once = random_datapath(17, 3), again = random_datapath(17, 3), other = random_datapath(18, 3);
  EXPECT_EQ(datapath_text(once.words, once.k), datapath_text(again.words, again.k));
  EXPECT_NE(datapath_text(once.words, once.k), datapath_text(other.words, other.k));
}

DatapathFile read_back(const std::string& text) {
  const auto unlike = [](const YamlValue& name) -> DatapathFile { throw Error{"No datapath is like " + name.text()}; };
  return read_datapath(read_yaml_text(text, "own.yaml"), unlike);
}

// What a failure prints is YAML that means the same datapath. It is written by hand, word for word, and so holds the
// reader to what the words are; the text that the table of words gives is read as the same.
TEST(RandomDatapath, ReadsBackFromItsText) {
  for (std::uint64_t number = 0; number < quick_datapaths; ++number) {
    const OwnDatapath own = accepted(number).own;
    const std::string text = datapath_text(own.words, own.k);
    const DatapathFile file = read_back(text), brief = read_back(yaml_text(own.words, own.k));
    ASSERT_EQ(file.k, own.k);
    ASSERT_EQ(datapath_text(file.datapath, own.k), text);
    ASSERT_EQ(brief.k, own.k);
    ASSERT_EQ(datapath_text(brief.datapath, own.k), text) << yaml_text(own.words, own.k);
  }
}

// --- the comparison itself: a judge who reads one word otherwise is found out ---

int disagreements(const Plan& plan, const Datapath& misread) {
  const Generator generator(plan, seed);
  Registers registers;
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const Case given = case_of(generator, plan, i);
    const Code judged = vocabulary::interpret(misread, plan.k, judged_operands(plan, given)).d;
    found += dot(plan, given.operand(), registers) == judged ? 0 : 1;
  }
  return found;
}

Datapath two_adders() {
  Datapath d;
  d.name = "two_adders";
  d.operands = {"f16", "f16", "f32", "f32", "", 0};
  Adder pairs, sum;
  pairs.name = "pairs";
  pairs.add = {{"product", 18, Cut::toward_zero, {}, {}}};
  pairs.group = Group{2, Deal::neighbours, 1};
  sum.name = "sum";
  sum.add = {{"pairs", 26, Cut::down, {}, {}}, {"acc", 26, Cut::toward_zero, {}, {}}};
  Result result;
  result.format = "d";
  sum.results = {result};
  d.adders = {pairs, sum};
  return d;
}

TEST(SecondJudge, IsHeardOnEveryWord) {
  const Datapath right = two_adders();
  const Plan plan = std::get<Plan>(assay::plan(right, 8));
  EXPECT_EQ(disagreements(plan, right), 0);
  const auto misread = [&](auto change) {
    Datapath d = right;
    change(d);
    return disagreements(plan, d);
  };
  EXPECT_GT(misread([](Datapath& d) { d.adders[0].add[0].keep = 17; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.adders[1].add[0].cut = Cut::toward_zero; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.adders[0].group->deal = Deal::strided; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.adders[1].window.step = 2; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.adders[1].sticky = Sticky::below_sum; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.adders[1].results[0].cut = Cut::up; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.adders[0].zero = d.adders[1].zero = ZeroSign::ieee; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.subnormals_a = Subnormals::zero; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.step = {4, Deal::neighbours, 1}; }), 0);
  EXPECT_GT(misread([](Datapath& d) { d.nan = Nan{false, 0x7fffffff}; }), 0);
}

TEST(SecondJudge, IsHeardAtEveryPlace) {
  const Plan plan = std::get<Plan>(assay::plan(two_adders(), 4));
  const Case given = Generator(plan, seed, find_family(plan, "near_exponents")).make(0);
  Registers registers;
  Trace trace(plan);
  vocabulary::Places seen;
  dot(plan, given.operand(), registers, &trace);
  vocabulary::interpret(plan.datapath, plan.k, judged_operands(plan, given), &seen);
  for (const std::string name :
       {"decode.a[1]", "decode.c", "multiply[2]", "step[0].pairs[1].window", "step[0].pairs[0].align[1]",
        "step[0].pairs[1].reduce", "step[0].sum.align[2]", "step[0].sum.reduce", "step[0].sum.round", "step[0].acc"}) {
    const int place = plan.find_place(name);
    ASSERT_GE(place, 0) << name;
    ASSERT_EQ(seen.count(name), 1U) << name;
    vocabulary::Value value = seen[name];
    EXPECT_TRUE(holds(trace, place, value)) << name;
    value.magnitude += vocabulary::power_of_two(-30);
    value.exponent = value.exponent.value_or(0) + 1;
    EXPECT_FALSE(holds(trace, place, value)) << name;
  }
}

TEST(SecondJudge, TellsOneBitOfATraceFromAnother) {
  const Plan plan = std::get<Plan>(assay::plan(two_adders(), 4));
  const Case given = Generator(plan, seed, find_family(plan, "near_exponents")).make(0);
  Registers registers;
  vocabulary::Places seen;
  vocabulary::interpret(plan.datapath, plan.k, judged_operands(plan, given), &seen);
  Trace right(plan);
  dot(plan, given.operand(), registers, &right);
  int flipped = 0;
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    const auto found = seen.find(plan.places[i].name);
    if (found == seen.end()) continue;
    const int place = static_cast<int>(i);
    std::string hex = right.at(place).hex();
    const std::string digits = "0123456789abcdef";
    hex.back() = digits[digits.find(hex.back()) ^ 1];
    Trace wrong = right;
    ASSERT_TRUE(wrong.set_hex(place, hex)) << plan.places[i].name;
    EXPECT_FALSE(holds(wrong, place, found->second)) << plan.places[i].name;
    ++flipped;
  }
  EXPECT_GT(flipped, 20);
}

}  // namespace
}  // namespace assay
