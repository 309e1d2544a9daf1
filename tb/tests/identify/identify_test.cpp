// Units are found from their answers alone: shipped ones, also where the search may not begin with their file, changed
// ones, own ones. What no datapath says gets none.
#include "tb/identify/identify.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "tb/generate/generator.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/identify/questions.hpp"
#include "tb/identify/report.hpp"
#include "tb/tests/identify/boxes.hpp"
#include "tb/tests/scratch.hpp"

namespace assay::identify {
namespace {

constexpr std::uint64_t most_questions = 200;

IdentifyEffort effort(std::uint64_t confirm = 2000) {
  IdentifyEffort e;
  e.confirm = confirm;
  return e;
}

Subject subject(const std::string& instruction) {
  return subject_of(catalogue(), catalogue().instruction(instruction));
}

Subject with(Subject s, const std::function<void(Datapath&)>& change) {
  Datapath words = s.plan.datapath;
  change(words);
  s.plan = std::get<Plan>(plan(words, s.plan.k));
  return s;
}

Identified identified(const Subject& s, Device& device, const std::vector<std::string>& without = {},
                      const IdentifyEffort& how = effort()) {
  VersionSpace space = space_for(s, without);
  Box box(s, device, "");
  return identify(s, space, box, how);
}

std::string told(const Subject& s, const Identified& found) { return as_text(s, found, {"made up", "question"}); }

// Other cases than those of the search.
std::size_t differences(const Plan& x, const Plan& y) {
  const Generator generator(x, 77);
  std::size_t count = 0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Case c = generator.make(i);
    count += d_of(x, c) == d_of(y, c) ? 0 : 1;
  }
  return count;
}

void expect_found(const Subject& s, const std::vector<std::string>& without = {}, const IdentifyEffort& how = effort(),
                  std::uint64_t questions = most_questions) {
  MadeUp unit(model_of(s.plan));
  const Identified found = identified(s, unit, without, how);
  ASSERT_EQ(found.outcome, IdentifyOutcome::found) << told(s, found);
  ASSERT_EQ(found.classes.size(), 1u);
  EXPECT_EQ(differences(s.plan, *found.classes.front().first.plan), 0u) << told(s, found);
  EXPECT_LE(found.before_confirming, questions);
}

const char* const wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";
const char* const pairs = "cdna2:v_mfma_f32_32x32x4f16";
const char* const floored = "cdna3:v_mfma_f32_16x16x16_f16";

TEST(Identify, ShippedUnits) {
  expect_found(subject(wgmma));
  expect_found(subject(pairs));
  expect_found(subject("volta:mma.m8n8k4.f32.f16.f16.f32"));
}

TEST(Identify, UnitsWhoseFileTheSearchDoesNotHave) {
  expect_found(subject(wgmma), {"fused_f25"});
  expect_found(subject(pairs), {subject(pairs).instruction->datapath});
}

TEST(Identify, TwoWordsChanged) {
  expect_found(with(subject(wgmma), [](Datapath& d) {
    d.adders[0].add[0].keep = 29;
    d.adders[0].add[1].cut = Cut::down;
  }));
  expect_found(with(subject(wgmma), [](Datapath& d) {
    d.subnormals_a = Subnormals::signed_zero;
    d.step.terms = 4;
  }));
}

// A place of the list acts only where several NaNs meet, and few cases are aimed at that: each other list is asked for
// a case of its own.
TEST(Identify, AnotherOrderOfNans) {
  expect_found(with(subject("arm:fmmla_f32"),
                    [](Datapath& d) {
                      std::vector<std::string>& take = d.nan->order.take;
                      std::swap(take[take.size() - 2], take[take.size() - 1]);
                    }),
               {}, effort(200));
}

// Its floor loses nothing but the two smallest products there are, which shows where they decide a tie. Floors are put
// in four apart, of which none loses the same: the one where they begin to lose anything does.
TEST(Identify, AFloorThatLosesTheSmallestProductsAlone) {
  expect_found(subject("blackwell:mma.m16n8k8.f16.f16.f16.f16"), {}, effort(200));
}

TEST(Identify, ScalesAndIntegers) {
  expect_found(subject("blackwell:tcgen05.mma.m128nNk32.block32.f32.e4m3.e4m3.ue8m0"));
  expect_found(subject("arm:smops_i8i32"));
}

TEST(IdentifyElsewhere, AFlooredChain) {
  expect_found(subject(floored), {subject(floored).instruction->datapath}, effort(40'000));
}

// Once answered by a file whose list of NaNs was another one in seven cases of a thousand.
TEST(IdentifyElsewhere, AnOrderOfNans) {
  expect_found(subject("arm:fmmla_f32"), {"rounded_pair_c_first"}, effort(20'000));
}

// A product that is dropped where two elements have the same code: no word says so.
TEST(Identify, WhatHasNoWordGetsNone) {
  const Subject s = subject(wgmma);
  MadeUp unit([&](Case c, std::uint64_t) {
    if ((c.a[5] & 3) == 3) c.a[5] = 0;
    return d_of(s.plan, c);
  });
  VersionSpace space = space_for(s);
  space.try_at_most(200'000);  // where nothing is to be found, all are tried
  Box box(s, unit, "");
  const Identified found = identify(s, space, box, effort());
  ASSERT_EQ(found.outcome, IdentifyOutcome::no_word) << told(s, found);
  EXPECT_TRUE(found.classes.empty());
  ASSERT_TRUE(found.against);
  EXPECT_EQ(found.against->given.a[5] & 3, 3u) << "the case is made small, and shows the fault";
  EXPECT_NE(told(s, found).find("no word for this"), std::string::npos);
  EXPECT_NE(told(s, found).find("It points at "), std::string::npos) << told(s, found);
}

TEST(Identify, ALieIsToldFromAWord) {
  const Subject s = subject(wgmma);
  MadeUp unit([&](const Case& c, std::uint64_t before) { return d_of(s.plan, c) ^ (before == 1500 ? 1 : 0); });
  const Identified found = identified(s, unit);
  ASSERT_EQ(found.outcome, IdentifyOutcome::inconsistent) << told(s, found);
  ASSERT_TRUE(found.against && found.other_answer);
  EXPECT_EQ(found.against->d ^ *found.other_answer, 1u);
  EXPECT_NE(told(s, found).find("inconsistent: it gave "), std::string::npos);
}

// One answer of 10,000: the confirmation meets it, and asks for the case again.
TEST(Identify, AUnitThatLiesOnceInTenThousand) {
  const Subject s = subject(wgmma);
  MadeUp unit(
      [&](const Case& c, std::uint64_t before) { return d_of(s.plan, c) ^ (before % 10'000 == 9'999 ? 1 : 0); });
  const Identified found = identified(s, unit, {}, effort(20'000));
  ASSERT_EQ(found.outcome, IdentifyOutcome::inconsistent) << told(s, found);
  ASSERT_TRUE(found.against && found.other_answer);
  EXPECT_EQ(found.against->d ^ *found.other_answer, 1u);
}

// The last bit of d is chance, as of a unit that rounds by random bits of its own.
TEST(Identify, ChanceIsNoticedByAskingAgain) {
  const Subject s = subject(wgmma);
  MadeUp unit(
      [&](const Case& c, std::uint64_t before) { return d_of(s.plan, c) ^ (before * 0x9e3779b97f4a7c15U >> 40 & 1); });
  const Identified found = identified(s, unit);
  EXPECT_EQ(found.outcome, IdentifyOutcome::inconsistent) << told(s, found);
}

// A unit that takes a second for each answer: what it said is heard of as it comes, and is in the file when it ends.
TEST(Identify, ASlowUnitIsHeardOfAndGoneOnWith) {
  const Subject s = subject(wgmma);
  const Scratch folder;
  const std::string file = folder / "answers.jsonl";
  struct Ended {};
  MadeUp first([&](const Case& c, std::uint64_t before) -> Code {
    if (before == 40) throw Ended{};
    return d_of(s.plan, c);
  });
  std::vector<std::uint64_t> heard;
  {
    VersionSpace space = space_for(s);
    Box box(s, first, file, [&](std::uint64_t asked) { heard.push_back(asked); });
    EXPECT_THROW(identify::identify(s, space, box, effort(100)), Ended);
  }
  ASSERT_GT(heard.size(), 5u) << "questions one by one, then some at a time";
  EXPECT_TRUE(std::is_sorted(heard.begin(), heard.end()));
  MadeUp second(model_of(s.plan));
  VersionSpace space = space_for(s);
  Box box(s, second, file);
  const Identified found = identify::identify(s, space, box, effort(100));
  EXPECT_EQ(found.outcome, IdentifyOutcome::found) << told(s, found);
  EXPECT_GE(box.from_the_file(), heard.back()) << "what was answered is not asked for again";
}

TEST(Identify, StateIsNoticedByAskingAgain) {
  const Subject s = subject(wgmma);
  Code last = 0;
  MadeUp unit([&](const Case& c, std::uint64_t) { return d_of(s.plan, c) ^ (std::exchange(last, c.c) >> 31); });
  EXPECT_EQ(identified(s, unit).outcome, IdentifyOutcome::inconsistent);
}

// Every mutant is a neighbour; further away lie many steps of a number, and what a file leaves out is put in.
TEST(Identify, VariationsReachWhatMutantsDoNot) {
  const Subject s = subject(wgmma);
  const auto has = [&](Breadth breadth, const std::function<bool(const Datapath&)>& is) {
    const std::vector<Variation> all = variations(s.plan.datapath, s.plan.k, {{0xffc00001}, {}}, breadth);
    return std::any_of(all.begin(), all.end(), [&](const Variation& v) { return is(v.words); });
  };
  const auto keeps = [](int bits) { return [bits](const Datapath& d) { return d.adders[0].add[0].keep == bits; }; };
  EXPECT_TRUE(has(Breadth::near, keeps(26)));
  EXPECT_FALSE(has(Breadth::near, keeps(27)));
  EXPECT_TRUE(has(Breadth::far, keeps(60)));
  EXPECT_TRUE(has(Breadth::near, [](const Datapath& d) { return d.product.infinity_at.has_value(); }));
  EXPECT_TRUE(has(Breadth::near, [](const Datapath& d) { return d.nan && d.nan->code == 0xffc00001; }));
  EXPECT_TRUE(has(Breadth::near, [](const Datapath& d) { return d.finish.size() == 1 && d.start == Start::zero; }));
  EXPECT_TRUE(has(Breadth::far, [](const Datapath& d) {
    return d.adders.size() == 2 && d.adders[0].group && d.adders[0].group->terms == 2 && !d.adders[0].results.empty();
  }));
  EXPECT_TRUE(has(Breadth::far, [](const Datapath& d) { return d.product.round && d.product.round->keep == 8; }));
  EXPECT_TRUE(has(Breadth::near, [](const Datapath& d) { return d.step.terms == 2 && d.step.deal == Deal::strided; }));
  EXPECT_EQ(mutations(s.plan.datapath, s.plan.k).size(), mutations(s.plan.datapath, s.plan.k, {1, false}).size());
}

TEST(Identify, NumbersThatAreLeftOutArePutInAtEveryValue) {
  Datapath words = subject(wgmma).plan.datapath;
  words.adders[0].window.floor.reset();
  std::set<int> floors;
  for (const Variation& v : numbers_put_in(words, 16)) {
    ASSERT_TRUE(v.put_in) << v.change;
    const std::optional<int>& floor = v.words.adders[0].window.floor;
    EXPECT_TRUE(!floor || floors.insert(*floor).second) << v.change;
  }
  ASSERT_FALSE(floors.empty());
  EXPECT_EQ(floors.size(), static_cast<std::size_t>(*floors.rbegin() - *floors.begin() + 1));
}

// Whether each value of a number that was left out shows in these cases, by word.
std::map<std::string, std::map<int, bool>> values_that_act(const Plan& plan) {
  std::vector<std::pair<Case, Code>> given;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Case c = Generator(plan, 1).make(i);
    given.emplace_back(c, d_of(plan, c));
  }
  std::map<std::string, std::map<int, bool>> acts;
  for (const Variation& v : variations(plan.datapath, plan.k, {}, Breadth::near)) {
    const auto made = assay::plan(v.words, plan.k);
    const Plan* changed = std::get_if<Plan>(&made);
    if (!v.put_in || changed == nullptr) continue;
    acts[v.change.substr(0, v.change.rfind(' '))][*v.put_in] = std::any_of(
        given.begin(), given.end(), [&](const auto& one) { return d_of(*changed, one.first) != one.second; });
  }
  return acts;
}

// So the search tries few of them: the ends, the middle and the border.
TEST(Identify, ANumberThatActsAtAValueActsAtEachBeyondIt) {
  std::size_t words = 0, with_border = 0;
  for (const char* name : {"hopper:wgmma.m64nNk16.f32.f16.f16", "hopper:mma.m8n8k4.f64.f64.f64.f64",
                           "blackwell:mma.m16n8k8.f16.f16.f16.f16", "cdna2:v_mfma_f32_32x32x4f16"}) {
    for (const auto& [word, acts] : values_that_act(subject(name).plan)) {
      std::size_t borders = 0;
      for (auto low = acts.begin(), high = std::next(low); high != acts.end(); low = high++)
        borders += low->second != high->second ? 1 : 0;
      EXPECT_LE(borders, 1u) << name << ": " << word;
      ++words, with_border += borders;
    }
  }
  EXPECT_GT(words, 20u);
  EXPECT_GT(with_border, 10u);
}

TEST(Identify, SimpleCasesHaveFewAddends) {
  const Subject s = subject(wgmma);
  VersionSpace space = space_for(s);
  for (const int addends : {1, 2, 3}) {
    const std::vector<Case> cases = simple_cases(space, s.plan, {addends}, 200, 1);
    ASSERT_EQ(cases.size(), 200u);
    int most = 0;
    for (const Case& c : cases) {
      int there = (c.c & 0x7fffffff) != 0 ? 1 : 0;
      for (std::size_t i = 0; i < c.a.size(); ++i) there += (c.a[i] & 0x7fff) != 0 && (c.b[i] & 0x7fff) != 0 ? 1 : 0;
      most = std::max(most, there);
    }
    EXPECT_EQ(most, addends);
  }
}

TEST(Identify, OrdinaryCasesAreOfNumbersNearOne) {
  const auto is_zero = [](const Format& f, Code code) { return (f.used(code) & ~f.sign_bit()) == 0; };
  for (const char* instruction : {wgmma, "hopper:wgmma.m64nNk32.f32.e4m3.e5m2", "arm:smops_i8i32"}) {
    const Subject s = subject(instruction);
    const VersionSpace space = space_for(s);
    for (const auto of : {SimpleCase::Addends::products, SimpleCase::Addends::c}) {
      for (const Case& c : simple_cases(space, s.plan, {1, of, true}, 100, 3)) {
        int products = 0;
        for (std::size_t i = 0; i < c.a.size(); ++i)
          products += is_zero(s.plan.a, c.a[i]) || is_zero(s.plan.b, c.b[i]) ? 0 : 1;
        EXPECT_EQ(products, of == SimpleCase::Addends::products ? 1 : 0) << instruction;
        EXPECT_EQ(is_zero(s.plan.c, c.c), of == SimpleCase::Addends::products) << instruction;
        if (s.plan.d.is_integer()) continue;
        const Code field = d_of(s.plan, c) >> s.plan.d.mantissa_bits & ((1U << s.plan.d.exponent_bits) - 1);
        EXPECT_LE(std::abs(static_cast<int>(field) - s.plan.d.bias), 8) << instruction;
      }
    }
  }
}

// Groups, shapes and steps at once; scales at a group's sum; what a window keeps, with its steps.
TEST(Identify, VariationsOfSums) {
  const Subject s = subject("blackwell:tcgen05.mma.m128nNk32.block32.f32.e4m3.e4m3.ue8m0");
  const std::vector<Variation> sums = structures(s.plan.datapath, s.plan.k);
  const auto has = [](const std::vector<Variation>& all, const std::function<bool(const Datapath&)>& it) {
    return std::any_of(all.begin(), all.end(), [&](const Variation& v) { return it(v.words); });
  };
  EXPECT_TRUE(has(sums, [](const Datapath& d) {
    const Adder& first = d.adders.front();
    return d.adders.size() == 2 && first.group->terms == 16 && first.times_scales && !d.product.times_scales &&
           first.window.exponent == WindowExponent::fixed;
  }));
  EXPECT_TRUE(has(sums, [](const Datapath& d) {
    return d.step.terms == 8 && d.adders.size() == 2 && d.adders.front().group->terms == 4 &&
           d.adders.front().shape == Shape::halves && !d.adders.front().results.empty();
  }));
  EXPECT_TRUE(has(sums, [](const Datapath& d) { return d.step.terms == 4 && d.adders.size() == 1; }));
  const std::vector<Variation> far = variations(s.plan.datapath, s.plan.k, {}, Breadth::far);
  EXPECT_TRUE(has(far, [](const Datapath& d) {
    const Adder& sum = d.adders.front();
    return sum.window.step == 3 && sum.sticky == Sticky::below_sum && sum.add[0].keep == 11 && sum.add[1].keep == 11;
  }));
}

// From a sum of products that are cut before it: their groups lose what they lost.
TEST(Identify, VariationsTakeCutsToGroups) {
  const Subject s = with(subject(wgmma), [](Datapath& d) {
    d.adders[0].add[0].keep = 12;
    d.adders[0].sticky = Sticky::below_sum;
    d.adders[0].add[1].keep = 20;
  });
  const std::vector<Variation> sums = structures(s.plan.datapath, s.plan.k);
  EXPECT_TRUE(std::any_of(sums.begin(), sums.end(), [](const Variation& v) {
    if (v.words.adders.size() != 2 || v.words.adders[0].results.size() != 1) return false;
    const Result& r = v.words.adders[0].results[0];
    return r.at == ResultAt::window && r.keep == 13 && r.cut == Cut::to_odd && !v.words.adders[0].add[0].keep &&
           v.words.adders[1].add[0].keep == 20;
  }));
}

// Exponents are taken apart before they are added, which no file has.
TEST(IdentifyElsewhere, FactorsInSteps) {
  const Subject s = subject_of_text(catalogue(), R"(
name: apart
k: 4
operands: {a: f16, b: f16, c: f32, d: f32}
factors: {a: {step: 4, from: -15}, b: {step: 3, from: 1}}
specials: step
adders:
  - {name: sum, add: {product: {keep: 18, cut: toward_zero}, acc: {keep: 20, cut: toward_zero}},
     result: [{format: f32, cut: toward_zero}]}
)",
                                    "apart");
  expect_found(s, {}, effort(), 400);
}

// A window that stands still, and a result that wraps in it: none of these words alone is worth an answer.
TEST(IdentifyElsewhere, ARegisterOfFixedPoint) {
  const Subject s = subject_of_text(catalogue(), R"(
name: register
k: 4
operands: {a: e4m3, b: e4m3, c: f16, d: f16}
specials: step
k_order: {step: {terms: 2}}
adders:
  - {name: sum, add: {product: {keep: 6, cut: toward_zero}, acc: {keep: 6, cut: toward_zero}},
     window: {exponent: fixed, at: 0},
     result: [{at: window, keep: 6, cut: toward_zero, bits: 20, overflow: wrap}, {format: f16, cut: nearest_even}]}
)",
                                    "register");
  expect_found(s);
}

// A sum of scaled groups in which no file has as many terms.
TEST(IdentifyElsewhere, GroupsThatAreScaled) {
  const Subject s = subject_of_text(catalogue(), R"(
name: scaled
k: 8
operands: {a: e2m1, b: e2m1, c: f32, d: f32, scale: {format: ue4m3, block: 4}}
specials: step
nan: 7fffffff
adders:
  - {name: groups, add: {product: exact}, group: {terms: 4}, window: {exponent: fixed, at: 0}, times: scales}
  - {name: sum, add: {groups: {keep: 24, cut: toward_zero}, acc: {keep: 24, cut: toward_zero}},
     window: {exponent: largest, floor: -139}, result: [{format: f32, cut: toward_zero, overflow: infinity}]}
)",
                                    "scaled");
  expect_found(s);
}

// Operands in two pieces each, in passes; in one; and in three of one size, of which the pair that weighs least is left
// out.
TEST(Identify, VariationsOfPieces) {
  const Subject s = subject(wgmma);
  const std::vector<Variation> all = slicings(s.plan.datapath, s.plan.k);
  const auto has = [&](const std::vector<std::array<int, 4>>& pairs, SliceRun run) {
    return std::any_of(all.begin(), all.end(), [&](const Variation& v) {
      const Slices& slices = v.words.slices;
      const auto is = [](const SlicePair& x, const std::array<int, 4>& y) {
        return x.a_from == y[0] && x.a_bits.value_or(0) == y[1] && x.b_from == y[2] && x.b_bits.value_or(0) == y[3];
      };
      return slices.run == run && std::equal(slices.pairs.begin(), slices.pairs.end(), pairs.begin(), pairs.end(), is);
    });
  };
  EXPECT_TRUE(has({{0, 7, 0, 5}, {0, 7, 5, 0}, {7, 0, 0, 5}, {7, 0, 5, 0}}, SliceRun::passes));
  EXPECT_TRUE(has({{0, 7, 0, 5}}, SliceRun::together));
  EXPECT_TRUE(has({{0, 4, 0, 0}, {4, 4, 0, 0}, {8, 4, 0, 0}}, SliceRun::together));
  EXPECT_TRUE(has({{0, 4, 0, 0}, {4, 4, 0, 0}}, SliceRun::together));
  EXPECT_FALSE(has({{0, 0, 0, 0}}, SliceRun::together));  // whole operands
  for (const Variation& v : all) EXPECT_TRUE(std::holds_alternative<Plan>(plan(v.words, s.plan.k))) << v.change;
}

// What came so far is negated in each step, so that half of all answers have the other sign whatever else is right, and
// two cuts are others: nothing near is right of the file beside the one that is left out.
TEST(IdentifyElsewhere, AnAccumulatorThatIsNegated) {
  const Subject s = with(subject("wormhole:mvmul.f32.f16.f16.hifi2"), [](Datapath& d) {
    d.adders[0].add[0].cut = Cut::nearest_up;
    d.adders[1].results[0].cut = Cut::nearest_away;
    for (Input& input : d.adders[1].add) input.negate = input.source == "acc";
  });
  expect_found(s, {subject("wormhole:mvmul.f32.f16.f16.hifi2").instruction->datapath}, effort(), 400);
}

// Groups lose what products lose, and the sum stands in steps: no single word of the nearest file is worth an answer.
TEST(IdentifyElsewhere, WordsThatEachBreakMoreThanTheyMend) {
  const Subject s = subject_of_text(catalogue(), R"(
name: pairs
k: 4
operands: {a: bf16, b: bf16, c: f32, d: f32}
specials: step
nan: 7fc00000
adders:
  - {name: pairs, add: {product: {keep: 14, cut: nearest_even}}, group: {terms: 2}, result: [{at: window, keep: 13, cut: to_odd}]}
  - {name: sum, add: {pairs: {keep: 22, cut: toward_zero}, acc: {keep: 22, cut: toward_zero}},
     window: {exponent: largest, floor: -200, step: 4}, sticky: or, result: [{format: f32, cut: nearest_even}]}
)",
                                    "pairs");
  expect_found(s, {}, effort(), 2 * most_questions);  // those of the stages among them
}

// Cut to odd is a shorter word than toward zero, and no simpler: none of these cases parts them.
TEST(Identify, WhatIsWrittenShorterIsNoSimpler) {
  const auto unit = [](Cut cut) {
    return with(subject("volta:mma.m8n8k4.f32.f16.f16.f32"), [cut](Datapath& d) {
      for (Input& input : d.adders[0].add) input.keep = 21;
      d.adders[0].results[0].cut = cut;
    });
  };
  const Subject s = unit(Cut::toward_zero), to_odd = unit(Cut::to_odd);
  std::vector<Case> cases;
  const Generator generator(s.plan, 3);
  for (std::uint64_t i = 0; cases.size() < 400; ++i) {
    Case c = generator.make(i);
    if (d_of(s.plan, c) == d_of(to_odd.plan, c)) cases.push_back(std::move(c));
  }
  VersionSpace space(s.plan, same_bits);
  space.start_with(s.plan.datapath, "itself");
  space.tidy(cases);
  EXPECT_EQ(space.best().plan->datapath.adders[0].results[0].cut, Cut::toward_zero);
}

// What is found does not depend on who works.
TEST(Identify, ThreadsChangeNothing) {
  const Subject s = subject(wgmma);
  std::vector<std::string> all;
  for (const int threads : {1, 3}) {
    MadeUp unit(model_of(s.plan));
    VersionSpace space = space_for(s, {"fused_f25"});
    space.use_threads(threads);
    Box box(s, unit, "");
    const Identified found = identify(s, space, box, effort());
    all.push_back(told(s, found) + std::to_string(found.questions) + " " + std::to_string(found.tried));
  }
  EXPECT_EQ(all[0], all[1]);
}

TEST(Identify, EachWordHasWhatSpeaksForIt) {
  const Subject s = subject(wgmma);
  MadeUp unit(model_of(s.plan));
  const Identified found = identified(s, unit);
  const auto keep = std::find_if(found.settled.begin(), found.settled.end(),
                                 [](const Settled& w) { return w.word == "adders.sum.add.product.keep"; });
  ASSERT_NE(keep, found.settled.end());
  EXPECT_EQ(keep->value, "25");
  for (const Settled::Other& other : keep->others) {
    ASSERT_TRUE(other.excluded) << other.value;
    const BoxAnswer& answer = found.answers.at(*other.excluded);
    const Subject changed = with(s, [&](Datapath& d) {
      d.adders[0].add[0].keep = other.value == "none" ? std::optional<int>() : std::stoi(other.value);
    });
    EXPECT_NE(d_of(changed.plan, answer.given), answer.d) << other.value;
  }
  const Plan read = plan_of(read_datapath_text(told(s, found), "told", catalogue()));
  EXPECT_EQ(differences(s.plan, read), 0u) << "what is told is a file";
}

}  // namespace
}  // namespace assay::identify
