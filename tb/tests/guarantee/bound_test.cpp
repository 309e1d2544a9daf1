// Bounds hold: for generated and directed cases of the catalogue, for all operands of small formats, for chains, and
// for datapaths that nobody built. A wrong rule does not get through.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"
#include "tb/guarantee/witness.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/guarantee/holding.hpp"
#include "tb/tests/guarantee/shipped.hpp"

namespace assay {
namespace {

using guarantee::Promise;

constexpr std::uint64_t seed = 1;

// ASSAY_GUARANTEE_EFFORT: so many times the cases that a usual run takes.
std::uint64_t effort() {
  const char* times = std::getenv("ASSAY_GUARANTEE_EFFORT");
  return times == nullptr ? 1 : static_cast<std::uint64_t>(std::max(1, std::atoi(times)));
}

Case case_of(const Plan& plan, const Generator& generator, std::uint64_t i) {
  return i % 2 == 0 ? corner_case(plan, i / 2) : generator.make(i / 2);
}

// The first of the datapaths drawn for `number` of which something is promised.
struct Drawn {
  OwnDatapath own;
  Plan plan;
};
std::optional<Drawn> drawn(std::uint64_t number) {
  for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
    OwnDatapath own = random_datapath(number, attempt, number % 4 == 0 ? Domain::usual : Domain::farther);
    auto made = plan(own.words, own.k);
    Plan* good = std::get_if<Plan>(&made);
    if (good == nullptr || !guarantee::chain_problem(*good, {good->k, 0, 1}).empty()) continue;
    return Drawn{std::move(own), std::move(*good)};
  }
  return std::nullopt;
}

TEST(Bound, HoldsForTheCatalogue) {
  long cases = 0, compared = 0;
  for (const Form& form : shipped_forms()) {
    ASSERT_EQ(guarantee::chain_problem(form.plan, {form.plan.k, 0, 1}), "") << form.instructions.front();
    const Generator generator(form.plan, seed);
    Holding holding(form.plan, {form.plan.k, 0, 1});
    for (std::uint64_t i = 0; i < 300 * effort(); ++i)
      ASSERT_TRUE(holding.hold(case_of(form.plan, generator, i))) << form.instructions.front();
    cases += holding.cases;
    compared += holding.compared;
  }
  EXPECT_GT(cases, 50'000);
  EXPECT_GT(compared, cases / 2);
}

TEST(Bound, HoldsForRandomDatapaths) {
  long cases = 0, compared = 0;
  std::uint64_t held = 0;
  for (std::uint64_t number = 0; held < 260 * effort(); ++number) {
    const std::optional<Drawn> one = drawn(number);
    if (!one) continue;
    ++held;
    const Generator generator(one->plan, seed);
    Holding holding(one->plan, {one->plan.k, 0, 1});
    for (std::uint64_t i = 0; i < 200; ++i)
      ASSERT_TRUE(holding.hold(case_of(one->plan, generator, i))) << "datapath " << number << "\n"
                                                                  << datapath_text(one->own.words, one->own.k);
    cases += holding.cases;
    compared += holding.compared;
  }
  EXPECT_GT(cases, 50'000);
  EXPECT_GT(compared, cases / 2);
}

// What grew by cutting small numbers is rounded: no share of it is none where no operand is subnormal.
TEST(Bound, GrowthOfSmallNumbersHasTwoCauses) {
  const Plan plan = plan_of_text(R"(
name: grown
k: 2
formats:
  xx: {exponent: 2, mantissa: 1, bias: 1, infinity: false, nan: none, signed_zero: true}
  dd: {exponent: 4, mantissa: 1, bias: 5, infinity: true, nan: ieee, signed_zero: true}
operands: {a: xx, b: xx, c: dd, d: dd}
specials: operation
adders:
  - {name: dot, add: {product: exact}, window: {exponent: fixed, at: 6}, zero: ieee}
  - name: late
    add: {dot: {keep: 2, cut: nearest_away}, acc: exact}
    window: {floor: -8}
    result: [{format: d, cut: to_odd, subnormals: signed_zero, tiny: before}]
)");
  Case one;
  one.a = {0xc, 0x8};
  one.b = {0x6, 0x4};
  one.c = 0x24;
  Holding holding(plan, {plan.k, 0, 1});
  EXPECT_TRUE(holding.hold(one));
  EXPECT_EQ(holding.compared, 1);
}

TEST(Bound, HoldsForChains) {
  for (const Form& form : shipped_forms()) {
    for (const guarantee::Chain& chain :
         {guarantee::Chain{4 * form.plan.k, 0, 1}, guarantee::Chain{4 * form.plan.k, form.plan.k, 1},
          guarantee::Chain{4 * form.plan.k, 0, 2}, guarantee::Chain{4 * form.plan.k, form.plan.k, 2}}) {
      if (!guarantee::chain_problem(form.plan, chain).empty()) continue;
      const Generator generator(form.plan, seed);
      Holding holding(form.plan, chain);
      for (std::uint64_t i = 0; i < 10 * effort(); ++i)
        ASSERT_TRUE(holding.hold(case_of(form.plan, generator, i)))
            << form.instructions.front() << ", promoted every " << chain.promote_every << ", " << chain.split_k
            << " runs";
    }
  }
}

// --- all operands of small formats ---

Input cut_at(const char* source, int keep, Cut cut) {
  Input input;
  input.source = source;
  input.keep = keep;
  input.cut = cut;
  return input;
}

// One fused sum of k products of a format and a c of another, cut alike everywhere.
Datapath small(const char* ab, const char* c, const char* d, int keep, Cut cut) {
  Datapath words;
  words.name = "small";
  words.operands = {ab, ab, c, d, "", 0};
  words.specials = Specials::step;
  Adder sum;
  sum.name = "sum";
  sum.add = {cut_at("product", keep, cut), cut_at("acc", keep, cut)};
  Result result;
  result.format = "d";
  result.cut = cut;
  result.overflow = Overflow::largest;
  sum.results = {result};
  words.adders = {sum};
  return words;
}

Plan planned(const Datapath& words, int k) {
  auto made = plan(words, k);
  if (auto* problems = std::get_if<std::vector<Problem>>(&made)) throw std::runtime_error(problems->front().message);
  return std::get<Plan>(std::move(made));
}

// The case whose codes follow each other in the bits of a number that `bits` gives piece by piece.
template <class Bits>
Case case_of_bits(const Plan& plan, Bits&& bits) {
  Case one;
  for (int i = 0; i < plan.k; ++i) one.a.push_back(bits(plan.a.stored_bits));
  for (int i = 0; i < plan.k; ++i) one.b.push_back(bits(plan.b.stored_bits));
  one.c = bits(plan.c.stored_bits);
  return one;
}

// All operands where they have no more than so many bits together; else 2^12 drawn ones.
void try_all(const Plan& plan, int most_bits, long& compared) {
  Holding holding(plan, {plan.k, 0, 1});
  const int width = 2 * plan.k * plan.a.stored_bits + plan.c.stored_bits;
  const bool all = width <= most_bits;
  for (std::uint64_t n = 0; n < std::uint64_t{1} << (all ? width : 12); ++n) {
    std::uint64_t left = n;
    Draws draws(seed, n, Part::noise, 0);
    const Case one = case_of_bits(plan, [&](int bits) {
      const std::uint64_t next = all ? left : draws.bits();
      left >>= bits;
      return next & ((Code{1} << bits) - 1);
    });
    ASSERT_TRUE(holding.hold(one)) << datapath_text(plan.datapath, plan.k);
  }
  compared += holding.compared;
}

TEST(Bound, HoldsForAllOperandsOfSmallFormats) {
  const int most_bits = effort() == 1 ? 12 : 20;
  long compared = 0;
  for (const char* ab : {"e2m1", "e2m3", "e3m2", "e4m3"}) {
    for (const char* d : {"f16", "e2m3"}) {
      const char* c = ab == std::string("e4m3") ? d : "e2m1";
      if (ab == std::string("e4m3") && d != std::string("f16")) continue;
      for (const Cut cut : {Cut::toward_zero, Cut::nearest_even, Cut::down, Cut::to_odd}) {
        for (int k = 1; k <= 4; ++k) try_all(planned(small(ab, c, d, 2, cut), k), most_bits, compared);
      }
    }
  }
  EXPECT_GT(compared, 200'000);
}

// --- what must not get through ---

// Whether some generated or directed case of the unit refutes what is promised of another.
bool refuted(const Plan& unit, const Plan& promised) {
  Holding holding(unit, promises_of(promised, {promised.k, 0, 1}));
  const Generator generator(unit, seed);
  for (std::uint64_t i = 0; i < 400; ++i) {
    if (!holding.hold(case_of(unit, generator, i))) return true;
  }
  for (const guarantee::Designed& designed : guarantee::designed_cases(unit)) {
    if (!holding.hold(designed.one)) return true;
  }
  return false;
}

bool rounds_to_odd(const Plan& plan) { return plan.last_adder().results.back().words.cut == Cut::to_odd; }

// Without the places that begin so, the bound must be seen to be too small: each loss is there to be found.
TEST(Bound, AMissingPlaceIsRefuted) {
  int places = 0;
  for (const Form& form : shipped_forms()) {
    if (rounds_to_odd(form.plan)) continue;  // the designed cases look for other roundings
    const guarantee::Chain chain{form.plan.k, 0, 1};
    const Promise whole = promise(form.plan, chain, guarantee::Reference::sum, guarantee::Signs::any);
    const guarantee::Shares& shares = whole.bound.below.relative;
    // One share stands for several places of a tree or a chain; half of what is lost cannot hide behind another.
    for (const auto& [source, share] : shares) {
      if (share.amount * 2 < guarantee::total(shares)) continue;
      const Promise less = promise(form.plan, chain, guarantee::Reference::sum, guarantee::Signs::any, {source.place});
      Holding holding(form.plan, {less});
      bool found = false;
      for (const guarantee::Designed& designed : guarantee::designed_cases(form.plan))
        found = found || !holding.hold(designed.one);
      EXPECT_TRUE(found) << form.instructions.front() << ": nothing is missed without " << source.place;
      ++places;
    }
  }
  EXPECT_GT(places, 150);
}

// A rule that is wrong by one bit, or in its direction, is that of another unit.
TEST(Bound, AWrongRuleIsRefuted) {
  const auto unit = [](int keep, Cut cut) { return planned(small("e4m3", "f32", "f32", keep, cut), 8); };
  EXPECT_FALSE(refuted(unit(10, Cut::toward_zero), unit(10, Cut::toward_zero)));
  EXPECT_TRUE(refuted(unit(10, Cut::toward_zero), unit(11, Cut::toward_zero)));
  EXPECT_TRUE(refuted(unit(10, Cut::toward_zero), unit(10, Cut::nearest_even)));
  EXPECT_TRUE(refuted(unit(10, Cut::toward_zero), unit(10, Cut::down)));
  EXPECT_TRUE(refuted(unit(10, Cut::to_odd), unit(10, Cut::toward_zero)));
  EXPECT_TRUE(refuted(unit(10, Cut::up), unit(10, Cut::toward_zero)));
  Datapath dropping = small("e4m3", "f32", "f32", 10, Cut::toward_zero), floor = dropping;
  dropping.adders[0].add[0].lost_below = 6;
  EXPECT_TRUE(refuted(planned(dropping, 8), unit(10, Cut::toward_zero)));
  floor.adders[0].window.floor = 0;
  EXPECT_TRUE(refuted(planned(floor, 8), unit(10, Cut::toward_zero)));
  Datapath step = small("e4m3", "f32", "f32", 10, Cut::toward_zero);
  step.adders[0].window.step = 4;
  EXPECT_TRUE(refuted(planned(step, 8), unit(10, Cut::toward_zero)));
}

TEST(Bound, NothingIsPromisedWhereATermIsAddedTwice) {
  Datapath twice = small("e4m3", "f32", "f32", 10, Cut::toward_zero);
  Adder first = twice.adders[0], last = first;
  first.name = "first";
  first.add = {cut_at("product", 10, Cut::toward_zero)};
  last.add = {cut_at("first", 10, Cut::toward_zero), cut_at("acc", 10, Cut::toward_zero),
              cut_at("product", 10, Cut::toward_zero)};
  twice.adders = {first, last};
  EXPECT_EQ(guarantee::chain_problem(planned(twice, 4), {4, 0, 1}),
            "Nothing is promised of this datapath, since d is not c and each product once: a sum takes part in two "
            "others.");
}

}  // namespace
}  // namespace assay
