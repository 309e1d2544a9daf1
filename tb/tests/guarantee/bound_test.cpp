// Bounds hold: for generated and directed cases of the catalogue, for all operands of small formats, for chains, and
// for datapaths that nobody built. A wrong rule does not get through.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tb/generate/generator.hpp"
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
  for (std::uint64_t number = 0; number < 300 * effort(); ++number) {
    const std::optional<Drawn> one = drawn(number);
    if (!one) continue;
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

TEST(Bound, HoldsForChains) {
  for (const Form& form : shipped_forms()) {
    for (const guarantee::Chain& chain :
         {guarantee::Chain{4 * form.plan.k, 0, 1}, guarantee::Chain{4 * form.plan.k, form.plan.k, 1},
          guarantee::Chain{4 * form.plan.k, 0, 2}, guarantee::Chain{4 * form.plan.k, form.plan.k, 2}}) {
      if (!guarantee::chain_problem(form.plan, chain).empty()) continue;
      const Generator generator(form.plan, seed);
      Holding holding(form.plan, chain);
      for (std::uint64_t i = 0; i < 15 * effort(); ++i)
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

// One fused sum of k products of a narrow format and a narrow c.
Datapath small(const char* ab, const char* cd, int keep, Cut cut) {
  Datapath words;
  words.name = "small";
  words.operands = {ab, ab, cd, cd, "", 0};
  words.specials = Specials::step;
  Adder sum;
  sum.name = "sum";
  sum.add = {cut_at("product", keep, cut), cut_at("acc", keep, cut)};
  Result d;
  d.format = "d";
  d.cut = cut;
  d.overflow = Overflow::largest;
  sum.results = {d};
  words.adders = {sum};
  return words;
}

// Every case whose a, b and c are of so many bits; every `stride`th where there are more than can be tried.
void try_all(const Plan& plan, std::uint64_t stride) {
  Holding holding(plan, {plan.k, 0, 1});
  const int bits = 2 * plan.k * plan.a.stored_bits + plan.c.stored_bits;
  Case one;
  one.a.resize(static_cast<std::size_t>(plan.k));
  one.b.resize(static_cast<std::size_t>(plan.k));
  for (std::uint64_t n = 0; n >> bits == 0; n += stride) {
    std::uint64_t left = n;
    const auto take = [&](const Format& f) {
      const Code code = left & ((Code{1} << f.stored_bits) - 1);
      left >>= f.stored_bits;
      return code;
    };
    for (Code& code : one.a) code = take(plan.a);
    for (Code& code : one.b) code = take(plan.b);
    one.c = take(plan.c);
    ASSERT_TRUE(holding.hold(one)) << datapath_text(plan.datapath, plan.k);
  }
  EXPECT_GT(holding.compared, 1000);
}

TEST(Bound, HoldsForAllOperandsOfSmallFormats) {
  const std::vector<std::pair<const char*, const char*>> formats{
      {"e2m1", "e2m1"}, {"e2m3", "e2m3"}, {"e3m2", "e3m2"}, {"e4m3", "e4m3"}};
  for (const auto& [ab, cd] : formats) {
    for (const Cut cut : {Cut::toward_zero, Cut::nearest_even, Cut::down, Cut::to_odd}) {
      for (int k = 1; k <= 4; ++k) {
        auto made = plan(small(ab, cd, 2, cut), k);
        ASSERT_TRUE(std::holds_alternative<Plan>(made));
        const Plan& plan = std::get<Plan>(made);
        const int bits = 2 * k * plan.a.stored_bits + plan.c.stored_bits;
        // An odd stride meets every code of every operand.
        const int some = bits > 12 ? bits - 12 : 0;
        try_all(plan, some == 0 || effort() > 100 ? 1 : ((std::uint64_t{1} << some) / effort() | 1));
      }
    }
  }
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

Plan planned(const Datapath& words, int k) {
  auto made = plan(words, k);
  EXPECT_TRUE(std::holds_alternative<Plan>(made));
  return std::get<Plan>(made);
}

// Without the places that begin so, the bound must be seen to be too small: each loss is there to be found.
TEST(Bound, AMissingPlaceIsRefuted) {
  int places = 0;
  for (const Form& form : shipped_forms()) {
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
  const auto unit = [](int keep, Cut cut) { return planned(small("e4m3", "f32", keep, cut), 8); };
  EXPECT_FALSE(refuted(unit(10, Cut::toward_zero), unit(10, Cut::toward_zero)));
  EXPECT_TRUE(refuted(unit(10, Cut::toward_zero), unit(11, Cut::toward_zero)));
  EXPECT_TRUE(refuted(unit(10, Cut::toward_zero), unit(10, Cut::nearest_even)));
  EXPECT_TRUE(refuted(unit(10, Cut::toward_zero), unit(10, Cut::down)));
  EXPECT_TRUE(refuted(unit(10, Cut::to_odd), unit(10, Cut::toward_zero)));
  EXPECT_TRUE(refuted(unit(10, Cut::up), unit(10, Cut::toward_zero)));
  Datapath dropping = small("e4m3", "f32", 10, Cut::toward_zero), floor = dropping;
  dropping.adders[0].add[0].lost_below = 6;
  EXPECT_TRUE(refuted(planned(dropping, 8), unit(10, Cut::toward_zero)));
  floor.adders[0].window.floor = 0;
  EXPECT_TRUE(refuted(planned(floor, 8), unit(10, Cut::toward_zero)));
  Datapath step = small("e4m3", "f32", 10, Cut::toward_zero);
  step.adders[0].window.step = 4;
  EXPECT_TRUE(refuted(planned(step, 8), unit(10, Cut::toward_zero)));
}

TEST(Bound, NothingIsPromisedWhereATermIsAddedTwice) {
  Datapath twice = small("e4m3", "f32", 10, Cut::toward_zero);
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
