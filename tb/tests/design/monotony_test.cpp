// Points that a bound rules out without being derived: held to deriving each, and to bounds with faults in them.
#include "tb/design/monotony.hpp"

#include <algorithm>
#include <cstdlib>

#include "tb/tests/design/make.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::design {
namespace {

struct Bounds {
  explicit Bounds(const std::string& text) : spec(spec_of(text)), space(space_of(spec, test_catalogue())) {
    for (const auto& machine : space.machines) of_each.push_back(derived_bound(spec.study, *machine));
    for (int i = 0; i < static_cast<int>(space.size()); ++i) points.push_back(i);
  }

  // One that some miss: the bound that so great a share of all points has at most.
  DesignLimit limit(double share) const {
    std::vector<double> sorted;
    for (const DerivedBound& bound : of_each) sorted.push_back(bound.relative);
    std::sort(sorted.begin(), sorted.end());
    DesignLimit limit;
    limit.kind = LimitKind::bound;
    limit.number = sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    return limit;
  }

  Sifted sift(const DesignLimit& limit) const {
    return sifted(spec.study, space, points, limit, 2,
                  [&](int point) { return of_each[static_cast<std::size_t>(point)]; });
  }

  int point(int product, int acc) const { return space.find({product - 5, acc - 5}); }
  double& bound(int product, int acc) { return of_each[static_cast<std::size_t>(point(product, acc))].relative; }

  Spec spec;
  Space space;
  std::vector<DerivedBound> of_each;
  std::vector<int> points;
};

// Points that meet the limit by their own bound, and were ruled out.
int wrongly_ruled_out(const Bounds& bounds, const DesignLimit& limit, const Sifted& sieve) {
  return static_cast<int>(std::count_if(sieve.ruled_out.begin(), sieve.ruled_out.end(), [&](const auto& each) {
    return bounds.of_each[static_cast<std::size_t>(each.first)].relative <= limit.number;
  }));
}

// Two sums: of what the first one takes nothing is said.
TEST(Monotony, IsThatOfTheLastSum) {
  std::string text = substituted(small_spec, "datapath: fused_f25\n",
                                 "datapath: {name: two, specials: step, nan: 7fffffff, adders: [{name: first, add: "
                                 "{product: {keep: 10, cut: toward_zero}}}, {name: sum, add: {first: {keep: 8, cut: "
                                 "toward_zero}, acc: {keep: 8, cut: toward_zero}}, result: [{format: d, cut: "
                                 "nearest_even}]}]}\n");
  text = substituted(text, "adders.sum.add.product.keep", "adders.first.add.product.keep");
  const Bounds bounds(text);
  const Sifted sieve = bounds.sift(bounds.limit(0.2));
  EXPECT_FALSE(sieve.ruled_out.empty());
  for (const auto& [point, by] : sieve.ruled_out)
    EXPECT_EQ(bounds.space.machines[static_cast<std::size_t>(point)]->point.values[0],
              bounds.space.machines[static_cast<std::size_t>(by)]->point.values[0]);
}

// The small space every day, the shipped ones with ASSAY_FULL.
TEST(Monotony, RulesOutNobodyWhoMeetsTheLimit) {
  std::vector<std::string> texts{small_spec};
  if (std::getenv("ASSAY_FULL") != nullptr) {
    for (const char* name : {"window", "groups", "tree", "coarse", "promoted"})
      texts.push_back(text_of_file(source_dir() + "/configs/design/" + name + ".yaml"));
  }
  for (const std::string& text : texts) {
    const Bounds bounds(text);
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      const DesignLimit limit = bounds.limit(share);
      const Sifted sieve = bounds.sift(limit);
      EXPECT_EQ(sieve.contradiction, "");
      EXPECT_EQ(sieve.derived.size() + sieve.ruled_out.size(), bounds.space.size());
      EXPECT_EQ(wrongly_ruled_out(bounds, limit, sieve), 0) << bounds.spec.study.name << ", " << share;
      const bool is_one_sum = text.find("adders:") == text.npos;
      if (share < 0.9 && is_one_sum) {
        EXPECT_GT(sieve.ruled_out.size(), bounds.space.size() / 8) << bounds.spec.study.name << ", " << share;
      }
      std::printf("%s: %zu of %zu bounds derived where %.0f %% meet the limit\n", bounds.spec.study.name.c_str(),
                  sieve.derived.size(), bounds.space.size(), 100 * share);
    }
  }
}

TEST(Monotony, IsThatOfAnyNumberOfThreads) {
  const Bounds bounds(small_spec);
  const DesignLimit limit = bounds.limit(0.5);
  const auto derive = [&](int point) { return bounds.of_each[static_cast<std::size_t>(point)]; };
  const Sifted one = sifted(bounds.spec.study, bounds.space, bounds.points, limit, 1, derive);
  EXPECT_EQ(one.ruled_out, bounds.sift(limit).ruled_out);
}

// A bound that is greater where more is kept, among those that are derived: nothing is ruled out any more.
TEST(Monotony, IsGivenUpWhereABoundContradictsIt) {
  Bounds bounds(small_spec);
  const DesignLimit limit = bounds.limit(0.5);
  bounds.bound(10, 10) = 0.9 * limit.number;
  const Sifted sieve = bounds.sift(limit);
  EXPECT_NE(sieve.contradiction.find("product = 10, acc = 10 keeps more than product = "), std::string::npos)
      << sieve.contradiction;
  EXPECT_EQ(sieve.derived.size(), bounds.space.size());
  EXPECT_TRUE(sieve.ruled_out.empty());
}

// The same among those that are not: this cannot be known without deriving them, and the check of the spaces sees it.
TEST(Monotony, AFaultBelowTheCutIsSeenByTheCheck) {
  Bounds bounds(small_spec);
  const DesignLimit limit = bounds.limit(0.5);
  ASSERT_EQ(bounds.sift(limit).ruled_out.count(bounds.point(5, 6)), 1U);
  bounds.bound(5, 6) = 0.9 * limit.number;
  EXPECT_EQ(wrongly_ruled_out(bounds, limit, bounds.sift(limit)), 1);
}

// A cut, or widths that come with something else, have no order.
TEST(Monotony, IsThatOfKeepsAlone) {
  std::string text = substituted(small_spec, "{name: acc, set: adders.sum.add.acc.keep, values: 5..10}",
                                 "{name: acc, values: {5: {adders.sum.add.acc.keep: 5}, 6: {adders.sum.add.acc.keep: "
                                 "6, adders.sum.sticky: or}}}");
  text = substituted(text, "product.keep, values: 5..10", "product.keep, values: [9, 7, 5]");
  text = substituted(text, "conditions: [acc >= product]\n", "");
  const Bounds bounds(text);
  ASSERT_EQ(bounds.space.size(), 6U);
  EXPECT_TRUE(bounds.sift(bounds.limit(0)).ruled_out.empty());
}

// What stands in the answer is derived, and the others are counted.
TEST(Monotony, OfTheNeighboursInTheAnswerTheBoundIsSaid) {
  const Made made(substituted(substituted(small_spec, "k: 64}", "k: 4}"), "want: area",
                              "want: area\nmust: [{bound: sum, most: 0.01}]"),
                  exhausting());
  EXPECT_GT(made.found.ruled_out, 0U);
  const std::string& smaller = made.answer.chosen.front().smaller;
  EXPECT_NE(smaller.find("misses |d - exact| for all operands at most 0.01 x S: 0.0"), std::string::npos) << smaller;
  const std::string text = answer_text(made.spec, made.space, made.found, made.answer);
  EXPECT_NE(text.find(" ruled out by a bound that was not derived: another that keeps more misses the limit."),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace assay::design
