// Kappa: counts of values, what arguments say of them, and what cases reach.
#include "tb/guarantee/kappa.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/guarantee/chain.hpp"
#include "tb/oracle/projection.hpp"
#include "tb/tests/guarantee/shipped.hpp"

namespace assay::guarantee {
namespace {

Kappa kappa_of(const Plan& plan, std::uint64_t cases = 300) {
  SearchEffort effort;
  effort.cases = cases;
  return kappa(plan, effort);
}

// Each case of a unit of one term without scales.
template <class See>
void each_case(const Plan& plan, const See& see) {
  Registers registers;
  for (Code a = 0; plan.a.fits(a); ++a) {
    for (Code b = 0; plan.b.fits(b); ++b) {
      for (Code c = 0; plan.c.fits(c); ++c) {
        Case one;
        one.a = {a};
        one.b = {b};
        one.c = c;
        if (const auto found = kappa_case(plan, one, registers)) see(*found);
      }
    }
  }
}

// The farthest of all cases; -1 where one of them has a NaN in the place of a number.
mpz_class farthest_of_all(const Plan& plan) {
  mpz_class most = 0;
  long counted = 0;
  each_case(plan, [&](const KappaCase& found) {
    ++counted;
    if (!found.apart) most = -1;
    if (most >= 0 && found.apart) most = std::max(most, *found.apart);
  });
  EXPECT_GT(counted, 100);
  return most;
}

// e2m1 is 0, .5, 1, 1.5, 2, 3, 4, 6 and their negatives.
std::string unit(const std::string& d, const std::string& add, const std::string& result) {
  return "name: own\nk: 1\noperands: {a: e2m1, b: e2m1, c: e2m1, d: " + d + "}\nspecials: step\nadders:\n" +
         "  - {name: sum, add: {product: " + add + ", acc: " + add + "}, result: [{format: d, " + result + "}]}\n";
}

// --- exact units ---

TEST(Kappa, OfAnExactUnitIsZeroInAllCases) {
  for (const std::string& text :
       {unit("e2m1", "exact", "cut: nearest_even, overflow: largest"),
        unit("e3m2", "exact", "cut: nearest_even, overflow: largest"), unit("e5m2", "exact", "cut: nearest_even")}) {
    const Plan plan = plan_of_text(text);
    const Kappa found = kappa_of(plan);
    EXPECT_EQ(found.at_most, mpz_class(0)) << text;
    EXPECT_EQ(found.why, "The sum is exact and is rounded once.");
    EXPECT_EQ(found.tried, 0u);
    EXPECT_EQ(farthest_of_all(plan), 0) << text;
  }
}

TEST(Kappa, OfTheSmallOperationsOfTheDraftIsZeroInAllCases) {
  for (const std::string x : {"Binary3p1se", "Binary3p2sf", "Binary4p2sf", "Binary5p3se"}) {
    const Plan plan = plan_called("P3109:FMA." + x + "." + x + "." + x + "." + x);
    EXPECT_EQ(kappa_of(plan).at_most, mpz_class(0)) << x;
    EXPECT_EQ(farthest_of_all(plan), 0) << x;
  }
}

// The defined result, found once more from the list of d's values.
TEST(Kappa, DefinedResultsAreThoseOfTheProjection) {
  for (const char* d : {"Binary3p1se", "Binary4p2sf", "Binary5p2ue", "Binary4p2uf", "Binary8p4se"}) {
    const bool is_finite = d[std::string(d).size() - 1] == 'f',
               has_sign = std::string(d).find('s') != std::string::npos;
    const std::string words = std::string("cut: nearest_even, ") +
                              (is_finite ? "overflow: largest, infinity: largest" : "overflow: directed") +
                              (has_sign ? "" : ", negative: directed");
    const Plan plan = plan_of_text(unit(d, "exact", words));
    each_case(plan, [&](const KappaCase& found) {
      const exact::Datum sum = explain::exact_sum(plan, found.one).sum;
      const exact::OracleResult expected = exact::projection(plan.d, sum);
      EXPECT_EQ(found.defined.has_value(), !expected.is_nan) << d;
      EXPECT_EQ(found.defined.value_or(0), expected.is_nan ? 0 : expected.bits) << d;
    });
  }
}

TEST(Kappa, OfEveryOperationOfTheDraftIsZeroByArgument) {
  int operations = 0;
  for (const Instruction& i : catalogue().architecture("P3109").instructions) {
    const Kappa found = kappa_of(catalogue().plan_of(i), 0);
    EXPECT_EQ(found.at_most, mpz_class(0)) << i.name;
    EXPECT_NE(unspoken(catalogue().plan_of(i)), "") << i.name;  // the bounds of the command are not derived of it
    ++operations;
  }
  EXPECT_EQ(operations, 69);
}

TEST(Kappa, OfSumsThatWrapIsZero) {
  const Kappa found = kappa_of(plan_called("x86:tdpbssd"));
  EXPECT_EQ(found.at_most, mpz_class(0));
  EXPECT_EQ(found.why, "Sums that wrap are the exact sum, less what d does not hold.");
}

// --- units that lose something, worked out by hand ---

// 1.5 x .5 = .75 lies half-way between .5 and 1; the even code is that of 1. Cut toward zero it is .5, its neighbour.
TEST(Kappa, OfASumThatIsTruncatedOnceIsOne) {
  const Plan plan = plan_of_text(unit("e2m1", "exact", "cut: toward_zero, overflow: largest"));
  EXPECT_EQ(kappa_of(plan).at_most, mpz_class(1));
  EXPECT_EQ(farthest_of_all(plan), 1);
}

// e3m2's subnormals are 1, 2 and 3 sixteenths: 3 becomes 0. The bound of 4 counts the least normal number, which other
// words of `tiny` would flush as well.
TEST(Kappa, OfAFlushCountsTheSubnormals) {
  const Plan plan = plan_of_text(
      "name: own\nk: 1\noperands: {a: e3m2, b: e2m1, c: e2m1, d: e3m2}\nspecials: step\nadders:\n  - {name: sum, add: "
      "{product: exact, acc: exact}, result: [{format: d, cut: nearest_even, overflow: largest, subnormals: zero}]}\n");
  EXPECT_EQ(kappa_of(plan).at_most, mpz_class(4));
  EXPECT_EQ(farthest_of_all(plan), 3);
}

// A window that keeps nothing below its one: 6 x .5 has the exponent 2 + 0 (.5 is a subnormal) and stays below 2^2, as
// c = 3 does. d is 0; the sum is 6 = 1.5 x 2^2, the code (2 + 7) x 8 + 4 = 76 of e4m3, whose zero is code 0. Nothing
// greater is lost whole: what else has a product of that exponent or a greater one has a one at 2^2 or above it.
TEST(Kappa, OfANarrowWindowIsReached) {
  const Plan plan = plan_of_text(unit("e4m3", "{keep: 0, cut: toward_zero}", "cut: nearest_even, overflow: largest"));
  EXPECT_EQ(farthest_of_all(plan), 76);
  const Kappa found = kappa_of(plan, 2000);
  EXPECT_FALSE(found.at_most);
  ASSERT_TRUE(found.reached);
  EXPECT_EQ(*found.reached->apart, 76);
  EXPECT_TRUE(found.unbounded(plan.d));
}

// A bound of one less than what is reached is found wrong by the cases that the true one passes.
TEST(Kappa, AWrongBoundIsCaught) {
  const Plan plan = plan_of_text(unit("e2m1", "exact", "cut: toward_zero, overflow: largest"));
  const auto beyond = [&](const mpz_class& bound) {
    long count = 0;
    each_case(plan, [&](const KappaCase& found) { count += !found.apart || *found.apart > bound ? 1 : 0; });
    return count;
  };
  const mpz_class bound = *kappa_of(plan).at_most;
  EXPECT_EQ(beyond(bound), 0);
  EXPECT_GT(beyond(bound - 1), 0);
}

// -.25 is nearest to 0. Cut down it is -1, which a format without sign has not: a NaN.
TEST(Kappa, ANaNInThePlaceOfANumberHasNoCount) {
  const Plan plan = plan_of_text(
      "formats: {count: {exponent: 2, mantissa: 1, bias: 0, signed: false, infinity: false, nan: all_ones, "
      "signed_zero: "
      "false}}\n" +
      unit("count", "exact", "cut: down, overflow: largest, negative: nan"));
  const Kappa found = kappa_of(plan, 2000);
  EXPECT_FALSE(found.at_most);
  ASSERT_TRUE(found.reached);
  EXPECT_FALSE(found.reached->apart);
  EXPECT_EQ(found.reached->defined, Code{0});
  EXPECT_TRUE(found.unbounded(plan.d));
}

TEST(Kappa, OfAResultThatIsNoFloatIsOpen) {
  const Plan plan = plan_of_text(unit("i8", "exact", "cut: nearest_even, overflow: largest"));
  EXPECT_EQ(farthest_of_all(plan), 0);
  const Kappa found = kappa_of(plan);
  EXPECT_FALSE(found.at_most);
  EXPECT_FALSE(found.reached);
  EXPECT_FALSE(found.unbounded(plan.d));
}

// --- the catalogue ---

TEST(Kappa, NoCaseIsBeyondItsBound) {
  int bounded = 0, reached = 0;
  for (const Form& form : shipped_forms()) {
    if (form.plan.k > 64) continue;
    const Kappa found = kappa_of(form.plan, 60);
    ASSERT_EQ(found.declined, "") << form.instructions.front();
    if (found.at_most && found.reached) {
      EXPECT_LE(*found.reached->apart, *found.at_most) << form.instructions.front();
    }
    if (!found.at_most_positive) continue;
    ++bounded;
    if (!found.reached_positive) continue;
    ++reached;
    ASSERT_TRUE(found.reached_positive->apart) << form.instructions.front();
    EXPECT_LE(*found.reached_positive->apart, *found.at_most_positive) << form.instructions.front();
  }
  EXPECT_GT(bounded, 80);
  EXPECT_GT(reached, 60);
}

// --- what is not said, and how it is said ---

TEST(Kappa, IsNotSaidOfListsAndOfOtherSums) {
  const Plan list = plan_of_text(
      "name: own\nk: 4\noperands: {a: nf4, b: nf4, c: f32, d: f32}\nspecials: step\nadders:\n"
      "  - {name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: nearest_even}]}\n");
  EXPECT_EQ(kappa_of(list).declined,
            "Nothing is promised of this datapath: nf4 is a list of values, and no bound is derived here of rounding "
            "to one.");
  const Plan bare = plan_of_text(
      "name: own\nk: 1\nformats: {pow: {exponent: 3, mantissa: 0, bias: 3, infinity: false, nan: none, signed_zero: "
      "true}}\noperands: {a: pow, b: pow, c: f32, d: f32}\nspecials: step\nadders:\n"
      "  - {name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: nearest_even}]}\n");
  EXPECT_EQ(guarantee::unspoken(bare),
            "Nothing is promised of this datapath: pow has no mantissa, and no bound is derived here of a format "
            "without one.");
  Plan with_sign = plan_of_text(
      "name: own\nk: 1\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: step\nnan: signed\nadders:\n"
      "  - {name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: nearest_even}]}\n");
  EXPECT_EQ(guarantee::unspoken(with_sign),
            "Nothing is promised of this datapath, since its NaNs are signed (`nan: signed`).");
  const Plan twice = plan_of_text(
      "name: own\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: step\nadders:\n"
      "  - {name: sum, add: {product: exact}, result: [{format: f32, cut: nearest_even}]}\n"
      "  - {name: again, add: {sum: exact, acc: exact}, result: [{format: f32, cut: nearest_even}]}\n"
      "  - {name: last, add: {sum: exact, again: exact}, result: [{format: d, cut: nearest_even}]}\n");
  EXPECT_EQ(kappa_of(twice).declined,
            "Nothing is promised of this datapath, since d is not c and each product once: a sum takes part in two "
            "others.");
}

TEST(Kappa, IsSaidAsTextAndAsData) {
  Subject subject;
  subject.plan = plan_of_text(unit("e2m1", "exact", "cut: toward_zero, overflow: largest"));
  subject.name = "own.yaml";
  subject.option = "--datapath own.yaml";
  const Section section = kappa_section(subject, kappa_of(subject.plan));
  EXPECT_EQ(section.key, "kappa");
  EXPECT_EQ(section.text.rfind("Kappa: values of e2m1 between d and the exact sum, rounded once to nearest even\n\n"
                               "  at most 1, whatever the operands: The sum is exact and is rounded once.\n"
                               "    reached: 1, d is ",
                               0),
            0u)
      << section.text;
  const auto json = nlohmann::json::parse(section.json);
  EXPECT_EQ(json.at("format"), "e2m1");
  EXPECT_EQ(json.at("state"), "bounded");
  EXPECT_EQ(json.at("at_most"), "1");
  EXPECT_EQ(json.at("reached").at("apart"), "1");
  EXPECT_EQ(json.at("reached").at("case").count("a"), 1u);
  EXPECT_NE(json.at("reached").at("command").get<std::string>().find("--datapath own.yaml"), std::string::npos);
}

TEST(Kappa, OfAUnitThatCancelsIsUnboundedAndBoundedWhereNothingDoes) {
  const Plan plan = plan_called("hopper:wgmma.m64nNk16.f32.f16.f16");
  const Kappa found = kappa_of(plan);
  EXPECT_FALSE(found.at_most);
  EXPECT_TRUE(found.unbounded(plan.d));
  // |d - exact| <= 5 x 2^-23 S: below, 1/2 + 2^24 x 5 x 2^-23 / (1 - 5 x 2^-23) = 10.5, and a little.
  EXPECT_EQ(found.at_most_positive, mpz_class(10));
  Subject subject;
  subject.plan = plan;
  const Section section = kappa_section(subject, found);
  EXPECT_NE(section.text.find("unbounded"), std::string::npos);
  EXPECT_NE(section.text.find("at most 10 where no term is below zero, nothing overflows, no operand is subnormal"),
            std::string::npos)
      << section.text;
  const auto json = nlohmann::json::parse(section.json);
  EXPECT_EQ(json.at("state"), "unbounded");
  EXPECT_TRUE(json.at("at_most").is_null());
  EXPECT_EQ(json.at("where_nothing_cancels").at("at_most"), "10");
}

}  // namespace
}  // namespace assay::guarantee
