// Zero points, elements that are rounded, scales of one side and random words: hand-made cases hit their bins,
// generated ones all that can be hit, and what cases leave out stays empty.
#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "model/config/datapath_text.hpp"
#include "tb/coverage/sampler.hpp"
#include "tb/generate/generator.hpp"

namespace assay {
namespace {

Plan plan_with(const std::string& operands, const std::string& rest = "", const std::string& result = "nearest_even") {
  static const Catalogue catalogue = shipped_catalogue();
  return plan_of(
      read_datapath_text("name: own\nk: 2\noperands: {" + operands + "}\nspecials: step\n" + rest +
                             "adders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: f32, "
                             "cut: " +
                             result + "}]}]\n",
                         "own.yaml", catalogue));
}

// Bins of a point by what became of them.
struct Bins {
  std::string hit, open, unreachable;
};

Bins bins_of(const Coverage& coverage, const std::string& point) {
  Bins found;
  bool is_there = false;
  const auto add = [](std::string& to, const std::string& name) { to += (to.empty() ? "" : "; ") + name; };
  for (const Point& p : coverage.points) {
    if (p.name != point) continue;
    is_there = true;
    for (const Bin& b : p.bins) {
      if (b.hit()) add(found.hit, b.name);
      if (b.open()) add(found.open, b.name);
      if (!b.reachable()) add(found.unreachable, b.name + ": " + b.unreachable);
    }
  }
  EXPECT_TRUE(is_there) << point;
  return found;
}

Coverage covered(const Plan& plan, const std::vector<Code>& a, const std::vector<Code>& b,
                 const std::vector<Code>& more = {}) {
  Case one;
  one.a = a;
  one.b = b;
  one.c = 0;
  one.more = more;
  Sampler sampler(plan);
  sampler.see(one);
  return sampler.coverage();
}

Coverage generated(const Plan& plan, std::uint64_t cases, const std::function<void(Case&)>& change = {}) {
  const Generator generator(plan, 1);
  Sampler sampler(plan);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Case one = generator.make(i);
    if (change) change(one);
    sampler.see(one);
  }
  const Coverage c = sampler.coverage();
  EXPECT_TRUE(c.contradictions().empty()) << c.contradictions().front();
  return c;
}

const std::string weights_u8 = "a: f16, b: u8, c: f32, d: f32, zero_b: {format: u8, block: 1}";

TEST(FactorPoints, TellZeroPoints) {
  const Plan plan = plan_with(weights_u8);
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {0, 7}, {255, 7}), "zero_point.b").hit,
            "greatest; between; q - z: zero; q - z: negative; q - z: the least");
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {255, 9}, {0, 8}), "zero_point.b").hit,
            "zero; between; q - z: positive; q - z: the greatest");
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {0, 0}, {1, 1}), "zero_point.b").unreachable,
            "least: The least zero point of format u8 is zero.");
}

TEST(FactorPoints, OfZeroPointsAreFilled) {
  for (const char* const operands :
       {"a: f16, b: u8, c: f32, d: f32, zero_b: {format: u8, block: 1}",
        "a: i8, b: i4, c: f32, d: f32, zero_a: {format: i8}, zero_b: {format: i4, block: 1}"}) {
    const Coverage c = generated(plan_with(operands), 5000);
    EXPECT_EQ(bins_of(c, "zero_point.b").open, "") << operands;
  }
}

TEST(FactorPoints, OfZeroPointsStayEmptyWithoutThem) {
  const Coverage c = generated(plan_with(weights_u8), 2000, [](Case& one) { one.more = {0, 128}; });
  EXPECT_EQ(bins_of(c, "zero_point.b").open, "greatest; q - z: the least");
}

// A zero point that never changes: what is left of u4 lies between -8 and 7.
TEST(FactorPoints, TellWhatAZeroPointLeaves) {
  const Plan plan = plan_with("a: f16, b: u4, c: f32, d: f32", "factors: {b: {zero_point: 8}}\n");
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {0, 15}), "zero_point.b").hit,
            "q - z: negative; q - z: positive; q - z: the least; q - z: the greatest");
  EXPECT_EQ(bins_of(generated(plan, 1000), "zero_point.b").open, "");
  const Plan above = plan_with("a: f16, b: u4, c: f32, d: f32", "factors: {b: {zero_point: 20}}\n");
  EXPECT_EQ(bins_of(generated(above, 1000), "zero_point.b").unreachable,
            "q - z: zero: With these zero points q - z never is zero.; "
            "q - z: positive: With these zero points q - z never is positive.");
}

Plan plan_of_yaml(const std::string& text) {
  static const Catalogue catalogue = shipped_catalogue();
  return plan_of(read_datapath_text("name: own\nk: 2\nspecials: step\n" + text, "own.yaml", catalogue));
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// Sums of two exponents that are both multiples of 4, and windows that are multiples of 2.
TEST(FactorPoints, KnowExponentsThatLieApart) {
  const std::string products = "add: {product: {keep: 12, cut: toward_zero}, acc: {keep: 12, cut: toward_zero}}";
  const Plan stepped = plan_of_yaml(
      "operands: {a: f16, b: f16, c: f32, d: f32}\nfactors: {a: {step: 4, from: -15}, b: {step: 8, from: 1}}\n"
      "start: none\nadders: [{name: sum, " +
      products + ", window: {raise: 1}, result: [{format: d, cut: down}]}]\n");
  const Bins bins = bins_of(generated(stepped, 20000), "sum.shift.product");
  EXPECT_TRUE(contains(bins.hit, "product[0] by 5;")) << bins.hit;
  EXPECT_FALSE(contains(bins.open, "product[1] by 6;")) << bins.open;
  EXPECT_TRUE(contains(bins.unreachable, "product[1] by 6: Exponents lie on a grid here: these distances are 4 apart."))
      << bins.unreachable;
  // An acc of any exponent.
  const Plan beside_acc = plan_of_yaml(
      "operands: {a: f16, b: f16, c: f32, d: f32}\nfactors: {a: {step: 4}, b: {step: 4}}\nadders: [{name: sum, " +
      products + ", result: [{format: d, cut: down}]}]\n");
  EXPECT_TRUE(contains(bins_of(generated(beside_acc, 20000), "sum.shift.product").hit, "product[1] by 1;"));
  const Plan two_sums = plan_of_yaml(
      "operands: {a: f16, b: f16, c: f32, d: f32}\nadders:\n"
      "  - {name: groups, add: {product: {keep: 12, cut: toward_zero}}, group: {terms: 1}, window: {step: 2, from: "
      "1}}\n"
      "  - {name: pair, add: {groups: {keep: 9, cut: toward_zero}}}\n"
      "  - {name: sum, add: {pair: exact, acc: exact}, result: [{format: d, cut: down}]}\n");
  const Bins even = bins_of(generated(two_sums, 20000), "pair.shift.groups");
  EXPECT_TRUE(contains(even.hit, "groups[0] by 2;")) << even.hit;
  EXPECT_TRUE(contains(even.unreachable, "these distances are 2 apart.")) << even.unreachable;
}

// What is below zero is not rounded to a format without a sign, and has a bin of its own.
TEST(FactorPoints, TellWhatLiesBelowZero) {
  const auto with_d = [](const std::string& operands, const std::string& negative) {
    return plan_of_yaml("operands: {" + operands +
                        ", d: ufp16}\nadders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: d, "
                        "cut: toward_zero, negative: " +
                        negative + "}]}]\n");
  };
  const Bins bins = bins_of(generated(with_d("a: f16, b: f16, c: f32", "zero"), 5000), "sum.round");
  EXPECT_TRUE(contains(bins.hit, "below zero: zero")) << bins.hit;
  EXPECT_FALSE(contains(bins.open, "negative")) << bins.open;
  EXPECT_TRUE(contains(bins.unreachable, "ones cut off, negative: What is below zero is not rounded"))
      << bins.unreachable;
  EXPECT_TRUE(
      contains(bins_of(generated(with_d("a: f16, b: f16, c: f32", "nan"), 5000), "sum.round").hit, "below zero: NaN"));
  const Bins never = bins_of(generated(with_d("a: u8, b: u8, c: ufp16", "zero"), 5000), "sum.round");
  EXPECT_TRUE(contains(never.unreachable, "below zero: zero: Nothing here is below zero.")) << never.unreachable;
}

TEST(FactorPoints, TellMasks) {
  const Plan plan = plan_with("a: f16, b: f16, c: f32, d: f32, mask: {}");
  EXPECT_EQ(bins_of(covered(plan, {0x7e00, 0x3c00}, {0, 0x3c00}, {0, 1}), "mask").hit, "on; off: NaN");
  EXPECT_EQ(bins_of(covered(plan, {0x7c00, 0}, {0, 0}, {0, 0}), "mask").hit,
            "all off; off: infinity; off: zero times zero");
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {0, 0}, {1, 1}), "mask").hit, "on; all on");
  EXPECT_EQ(bins_of(generated(plan, 2000), "mask").open, "");
  const Plan sparse = plan_with("a: i8, b: i8, c: f32, d: f32, mask: {take: 1, among: 2}");
  EXPECT_EQ(bins_of(generated(sparse, 2000), "mask").open, "");
  EXPECT_EQ(bins_of(generated(sparse, 10), "mask").unreachable,
            "all on: Of each group as many are on as `take` says.; "
            "all off: Of each group as many are on as `take` says.; off: NaN: Neither a nor b is ever NaN.; "
            "off: infinity: Neither a nor b is ever infinite.");
}

const std::string scaled_i4 = "a: f16, b: i4, c: f32, d: f32, scales: {scale_b: {of: b, format: f16, block: 1}}";
const std::string to_f16 = "factors: {b: {round: {format: f16, cut: nearest_even}}}\n";

// Three times 1 + 2^-10 is 3 + 3 x 2^-10: half of a last place beyond one of f16.
TEST(FactorPoints, TellHowElementsAreRounded) {
  const Plan plan = plan_with(scaled_i4, to_f16);
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {3, 2}, {0x3c01, 0x3c01}), "factor_b.round").hit,
            "kept exactly; tie: up to even");
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {5, 5}, {0x3c01, 0x3c03}), "factor_b.round").hit,
            "below half: down; above half: up");
}

TEST(FactorPoints, OfRoundedElementsAreFilled) {
  const Plan plan = plan_with(scaled_i4, to_f16);
  EXPECT_EQ(bins_of(generated(plan, 5000), "factor_b.round").open, "");
  const Coverage ones = generated(plan, 1000, [](Case& one) { one.more = {0x3c00, 0x3c00}; });
  EXPECT_EQ(bins_of(ones, "factor_b.round").hit, "kept exactly") << "scales of one leave nothing to round";
}

TEST(FactorPoints, TellScalesOfOneSide) {
  const Plan plan = plan_with("a: f16, b: i4, c: f32, d: f32, scales: {s: {of: b, format: u4, block: 1}}");
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {1, 1}, {0, 15}), "s").hit, "[0] zero; [1] greatest; blocks differ");
  EXPECT_EQ(bins_of(covered(plan, {0, 0}, {1, 1}, {1, 1}), "s").hit, "[0] least; [1] least; all blocks alike");
  EXPECT_EQ(bins_of(generated(plan, 5000), "s").open, "");
  const Plan list = plan_with("a: f16, b: i4, c: f32, d: f32, scales: {s: {of: b, format: hif8, block: 1}}");
  EXPECT_EQ(bins_of(covered(list, {0, 0}, {1, 1}, {0x01, 0x6e}), "s").hit, "[0] least; [1] greatest; blocks differ");
  EXPECT_EQ(bins_of(covered(list, {0, 0}, {1, 1}, {0x08, 0x81}), "s").hit, "[0] between; [1] least; blocks differ");
}

const std::string chance = "{format: f16, cut: stochastic_a, random_bits: 4}";

TEST(FactorPoints, TellWhatChanceDoes) {
  const Plan plan = plan_with("a: f32, b: f16, c: f32, d: f32", "product: {round: " + chance + "}\n");
  // 1 + 2^-11: half of a last place of f16.
  const Coverage down = covered(plan, {0x3f801000, 0}, {0x3c00, 0}, {0, 3});
  EXPECT_EQ(bins_of(down, "multiply.round").hit, "ones cut off, positive; by chance: the one nearer to zero");
  EXPECT_EQ(bins_of(down, "random").hit, "zero; between");
  const Coverage up = covered(plan, {0x3f801000, 0}, {0x3c00, 0}, {15, 0});
  EXPECT_EQ(bins_of(up, "multiply.round").hit, "ones cut off, positive; by chance: the one farther from zero");
  EXPECT_EQ(bins_of(up, "random").hit, "zero; greatest");
  const Coverage carried = covered(plan, {0x3fffffff, 0}, {0x3c00, 0}, {15, 0});
  EXPECT_EQ(bins_of(carried, "multiply.round").hit,
            "ones cut off, positive; by chance: the one farther from zero; carries into the next exponent");
}

// 1.5 becomes 1 or 2; 128 is too large either way.
TEST(FactorPoints, TellChanceFromIntegersThatAreTooLarge) {
  const Plan plan = plan_with("a: f16, b: f16, c: f32, d: f32",
                              "product: {round: {format: i8, cut: stochastic_a, random_bits: 1, overflow: largest, "
                              "infinity: largest, nan: zero}}\n");
  const auto hit = [&](Code a, Code word) {
    return bins_of(covered(plan, {a, 0}, {0x3c00, 0}, {word, 0}), "multiply.round").hit;
  };
  EXPECT_EQ(hit(0x3e00, 1), "ones cut off, positive; by chance: the one farther from zero");
  EXPECT_EQ(hit(0x3e00, 0), "ones cut off, positive; by chance: the one nearer to zero");
  EXPECT_EQ(hit(0x5800, 0), "nothing cut off, positive; too large: the greatest number");
}

// +0 times -1, and a scale that is NaN where no other format has one.
TEST(FactorPoints, OfDKnowWhatScalesOfSumsMake) {
  const Plan plan = plan_of(read_datapath_text(
      "name: own\nk: 2\noperands: {a: e2m1, b: e2m1, c: e2m1, d: f32, scales: {s: {of: b, format: e4m3, at: sum}}}\n"
      "specials: step\nadders: [{name: sum, add: {product: {keep: 20, cut: down}, acc: {keep: 20, cut: down}}, "
      "result: [{format: f32, cut: nearest_even}]}]\n",
      "own.yaml", shipped_catalogue()));
  const Coverage zero = covered(plan, {0, 0}, {0, 0}, {0xb8}), nan = covered(plan, {0, 0}, {0, 0}, {0x7f});
  EXPECT_EQ(bins_of(zero, "d").hit, "-zero");
  EXPECT_EQ(bins_of(nan, "d").hit, "NaN");
  EXPECT_TRUE(zero.contradictions().empty() && nan.contradictions().empty());
}

TEST(FactorPoints, OfChanceAreFilled) {
  const Plan plan = plan_with("a: f16, b: f16, c: f32, d: f32",
                              "product: {round: {format: e5m2, cut: stochastic_a, random_bits: 4}}\n");
  const Coverage c = generated(plan, 5000);
  EXPECT_EQ(bins_of(c, "random").open, "");
  EXPECT_EQ(bins_of(c, "multiply.round").open, "");
  const Coverage zeros = generated(plan, 3000, [](Case& one) { std::fill(one.more.begin(), one.more.end(), 0); });
  EXPECT_EQ(bins_of(zeros, "random").open, "between; greatest");
  EXPECT_EQ(
      bins_of(zeros, "multiply.round").open,
      "by chance: the one farther from zero; carries into the next exponent; rounds up to the least normal number");
  const Plan exact = plan_with("a: e4m3, b: e4m3, c: f32, d: f32",
                               "product: {round: {at: leading_one, keep: 10, cut: stochastic_b, random_bits: 1}}\n");
  EXPECT_EQ(bins_of(generated(exact, 300), "random").unreachable, "between: A word of one bit is zero or one.");
  EXPECT_NE(
      bins_of(generated(exact, 300), "multiply.round").unreachable.find("by chance: the one nearer to zero: Nothing"),
      std::string::npos);
}

}  // namespace
}  // namespace assay
