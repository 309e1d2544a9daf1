// What a datapath can say beyond the catalogue: each word where it alone decides the result. And whole matrices.
#include "model/core/dot.hpp"

#include <gtest/gtest.h>

#include "model/core/matmul.hpp"
#include "tb/tests/core/datapaths.hpp"
#include "tb/tests/core/operands.hpp"

namespace assay::test {
namespace {

// Products summed in a tree or chain of f32 additions, then onto c.
double shaped(Shape shape, const Values& products) {
  Datapath w = exact();
  w.operands.a = w.operands.b = "bf16";
  w.adders.insert(w.adders.begin(), adder("tree", {input("product")}, {to_format("f32", Cut::nearest_even)}));
  w.adders[0].shape = shape;
  w.adders[1].add[0].source = "tree";
  return dot_value(planned(w, static_cast<int>(products.size())), products, Values(products.size(), 1));
}

TEST(Dot, AddsInTheOrderOfItsShape) {
  const double big = two_to(24);  // + 1 is lost, + 2 is not
  EXPECT_EQ(shaped(Shape::neighbours, {big, 1, 1, 1}), big + 2);
  EXPECT_EQ(shaped(Shape::halves, {big, 1, 1, 1}), big + 2);
  EXPECT_EQ(shaped(Shape::serial, {big, 1, 1, 1}), big);
  EXPECT_EQ(shaped(Shape::neighbours, {big, 1, -big, 1}), 1);
  EXPECT_EQ(shaped(Shape::halves, {big, 1, -big, 1}), 2);
  EXPECT_EQ(shaped(Shape::serial, {big, 1, -big, 1}), 1);
}

TEST(Dot, LetsTheOddItemWaitForTheNextLevel) {
  const double big = two_to(24);
  EXPECT_EQ(shaped(Shape::neighbours, {big, -big, 1}), 1);
  EXPECT_EQ(shaped(Shape::halves, {big, -big, 1}), 0);  // first with last, then the middle
  EXPECT_EQ(shaped(Shape::neighbours, {big, -big, 1, 1, 1}), 3);
  EXPECT_EQ(shaped(Shape::halves, {big, 1, 1, -big, 1}), 3);  // 0 with 3, 1 with 4; 2 waits
}

TEST(Dot, NormalisesProductExponentsWhereAsked) {
  // 1.5 x 1.5 = 2.25 opens a window at 0, or normalised at 1, where 2^-25 no longer fits.
  const Values a{1.5, -1.5, two_to(-12)}, b{1.5, 1.5, two_to(-13)};
  EXPECT_EQ(dot_value(planned(fused(), 3), a, b), two_to(-25));
  const Datapath normalised = with(fused(), [](Datapath& w) { w.product.exponent = ProductExponent::normalised; });
  EXPECT_EQ(dot_value(planned(normalised, 3), a, b), 0);
}

TEST(Dot, RemembersCutBitsInAStickyBit) {
  // 1 + 2^-24, half an ulp, and a little more that the window cuts off
  Datapath w = fused();
  w.adders[0].results[0].cut = Cut::nearest_even;
  const Values a{1, two_to(-12), two_to(-24)}, b{1, two_to(-12), two_to(-4)};
  EXPECT_EQ(dot_value(planned(w, 3), a, b), 1);
  w.adders[0].sticky = Sticky::below_sum;
  EXPECT_EQ(dot_value(planned(w, 3), a, b), 1 + two_to(-23));
}

TEST(Dot, RoundsItsWindowUpToCoarseExponents) {
  // The window of 2 x 1 is 1; in steps of four it is 4 and 2^-22 is cut: 25 bits below 4.
  const Values a{2, -2, two_to(-11)}, b{1, 1, two_to(-11)};
  EXPECT_EQ(dot_value(planned(fused(), 3), a, b), two_to(-22));
  EXPECT_EQ(dot_value(planned(with(fused(), [](Datapath& w) { w.adders[0].window.step = 4; }), 3), a, b), 0);
}

TEST(Dot, ReadsAFormatOfItsOwn) {
  Datapath w = fused();
  Format f;
  f.name = "e5m0";
  f.exponent_bits = 5;
  f.bias = 20;
  f.stored_bits = 6;
  w.formats = {f};
  w.operands.a = "e5m0";
  const Plan p = planned(w, 2);
  // field 20 is 2^0, field 25 with its sign -2^5
  EXPECT_EQ(dot_of(p, {{20, 32 + 25}, {0x3c00, 0x3c00}, 0, {}, {}}), code_of(row("f32"), 1 - 32));
}

TEST(Dot, GivesTheQuietNanOfDWhereTheDatapathNamesNone) {
  const Datapath w = with(fused(), [](Datapath& d) { d.nan.reset(); });
  EXPECT_EQ(dot_of(planned(w, 2), {{0x7e01}, {0x3c00}, 0, {}, {}}), 0x7fc00000U);
}

TEST(Dot, PropagatesTheFirstNanOfAStep) {
  const Datapath w = with(fused(), [](Datapath& d) { d.nan = Nan{true, 0}; });
  const Plan p = planned(w, 2);
  EXPECT_EQ(dot_of(p, {{0x7e01, 0xfe02}, {0x3c00, 0x3c00}, 0x7fc00003, {}, {}}), 0x7fc02000U);
  EXPECT_EQ(dot_of(p, {{0x3c00, 0xfe02}, {0x3c00, 0x3c00}, 0x7fc00003, {}, {}}), 0xffc04000U);
  EXPECT_EQ(dot_of(p, {{0x3c00, 0x3c00}, {0x3c00, 0x3c00}, 0x7f800003, {}, {}}), 0x7fc00003U);
}

TEST(Dot, UsesItsRegistersAgainForPlansOfAnySize) {
  Registers registers;
  const auto run = [&](const Plan& p, const Terms& t) {
    return dot(p, {t.a.data(), t.b.data(), t.c, nullptr, nullptr}, registers);
  };
  const Plan small = planned(fused(), 2), large = planned(two_lanes(), 16);
  const Terms two{{0x3c00, 0x4000}, {0x3c00, 0x3c00}, 0x3f800000, {}, {}};
  const Terms sixteen{Codes(16, 0x3f80), Codes(16, 0x4000), 0x3f800000, {}, {}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run(small, two), code_of(row("f32"), 4));
    EXPECT_EQ(run(large, sixteen), code_of(row("f32"), 33));
  }
}

// --- matrices ---

Matrices ones(int m, int n, int k) {
  const auto size = [](int x, int y) { return static_cast<std::size_t>(x) * static_cast<std::size_t>(y); };
  Matrices x;
  x.m = m;
  x.n = n;
  x.k = k;
  x.a.assign(size(m, k), 0x3c00);
  x.b.assign(size(k, n), 0x3c00);
  x.c.assign(size(m, n), 0);
  return x;
}

TEST(Matmul, IsADotProductARowAndColumn) {
  const Plan p = planned(fused(), 2);
  Matrices x = ones(2, 3, 2);
  x.a = codes_of(p.a, {1, 2, 3, 4});
  x.b = codes_of(p.b, {1, 10, 100, 2, 20, 200});
  x.c = codes_of(p.c, {0, 0, 0, 1, 1, 1});
  EXPECT_EQ(matmul_problem(p, x), "");
  EXPECT_EQ(matmul(p, x), codes_of(p.d, {5, 50, 500, 12, 111, 1101}));
}

TEST(Matmul, ChainsInstructionsAlongK) {
  // Three products of 2^-24 onto 1 - 2^-24, with 23 bits kept. Together their window is at -1: 1 + 2^-23. One after the
  // other the first gives 1; from then on the window is at 0, and 2^-24 is lost.
  const Plan three = planned(fused(23), 3), one = planned(fused(23), 1);
  Matrices x = ones(1, 1, 3);
  x.a = x.b = codes_of(one.a, Values(3, two_to(-12)));
  x.c = codes_of(one.c, {1 - two_to(-24)});
  EXPECT_EQ(matmul(three, x), codes_of(three.d, {1 + two_to(-23)}));
  EXPECT_EQ(matmul(one, x), codes_of(one.d, {1}));
}

TEST(Matmul, TakesScalesByRowAndColumnAndBlock) {
  Datapath w = fused();
  w.operands.scale = "ue8m0";
  w.operands.scale_block = 1;
  w.product.times_scales = true;
  const Plan p = planned(w, 2);
  Matrices x = ones(2, 2, 4);
  x.scale_a = {127, 128, 129, 130, 127, 127, 127, 127};  // rows: 1 2 4 8; 1 1 1 1
  x.scale_b = {127, 137, 127, 137, 131, 137, 127, 137};  // columns: 1 1 16 1; 1024 ..
  EXPECT_EQ(matmul_problem(p, x), "");
  EXPECT_EQ(matmul(p, x), codes_of(p.d, {1 + 2 + 4 * 16 + 8, 15 * 1024, 1 + 1 + 16 + 1, 4 * 1024}));
}

// Elements of b less a zero point of their own, products times one scale of their row of A.
Datapath weights() {
  Datapath w = fused();
  w.operands.b = "i4";
  w.operands.zero_b = {"i4", 1};
  w.operands.scales = {{"s", Side::a, "f16", std::nullopt, "product"}};
  return w;
}

TEST(Matmul, TakesScalesAndZeroPointsOfOneSideByRowAndColumn) {
  const Plan p = planned(weights(), 2);
  Matrices x = ones(2, 2, 4);
  x.b = {3, 1, 4, 1, 5, 1, 6, 1};
  const std::vector<Code> zeros{1, 0, 1, 0, 2, 0, 2, 0x9};  // the last is -7
  x.more = {codes_of(p.a, {1, 2, 4, 8}), zeros};            // of row 0: 1 for its first instruction, 2 for the second
  EXPECT_EQ(matmul_problem(p, x), "");
  EXPECT_EQ(matmul(p, x), codes_of(p.d, {(2 + 3) + 2 * (3 + 4), (1 + 1) + 2 * (1 + 8),  //
                                         4 * (2 + 3) + 8 * (3 + 4), 4 * (1 + 1) + 8 * (1 + 8)}));
}

// A row of bits for each row of A, of both instructions.
TEST(Matmul, TakesMasksByRow) {
  Datapath w = fused();
  w.operands.mask = Mask{1, 2};
  const Plan p = planned(w, 2);
  Matrices x = ones(2, 2, 4);
  x.b = codes_of(p.b, {1, 16, 2, 32, 4, 64, 8, 128});
  x.more = {{1, 0, 0, 1, 0, 1, 1, 0}};
  EXPECT_EQ(matmul_problem(p, x), "");
  EXPECT_EQ(matmul(p, x), codes_of(p.d, {1 + 8, 16 + 128, 2 + 4, 32 + 64}));
}

// Half of the last bit is added by the second instruction; its random word says whether it is rounded up.
TEST(Matmul, TakesRandomWordsByElement) {
  Datapath w = fused();
  Result& result = w.adders[0].results[0];
  result.cut = Cut::stochastic_a;
  result.random_bits = 1;
  const Plan p = planned(w, 1);
  Matrices x = ones(2, 2, 2);
  x.b = codes_of(p.b, {1, 1, two_to(-24), two_to(-24)});
  x.more = {{0, 0, 1, 0, 0, 1, 1, 1}};
  EXPECT_EQ(matmul_problem(p, x), "");
  EXPECT_EQ(matmul(p, x), codes_of(p.d, {1, 1, 1 + two_to(-23), 1 + two_to(-23)}));
  EXPECT_EQ(shape_problem(p, 65536, 32768, 1),
            "Each element of D has random words of its own, and 65536 x 32768 elements are more than the 2147483647 "
            "that can have them.");
  EXPECT_EQ(shape_problem(planned(fused(), 1), 65536, 32768, 1), "");
}

TEST(Matmul, NeedsWhatTheCaseBringsBesides) {
  const Plan p = planned(weights(), 2);
  Matrices x = ones(2, 3, 4);
  const std::string missing = "The matrices do not have the 2 x 3 x 4 entries that M, N and K say.";
  EXPECT_EQ(matmul_problem(p, x), missing);
  x.more = {std::vector<Code>(4), std::vector<Code>(12)};
  EXPECT_EQ(matmul_problem(p, x), "");
  x.more[0].pop_back();
  EXPECT_EQ(matmul_problem(p, x), missing);
  x.more = {std::vector<Code>(12), std::vector<Code>(4)};
  EXPECT_EQ(matmul_problem(p, x), missing);
}

TEST(Matmul, SaysWhatDoesNotFit) {
  const Plan p = planned(fused(), 2);
  EXPECT_EQ(matmul_problem(p, ones(0, 1, 2)), "A matrix product needs at least one row, one column and one term.");
  EXPECT_EQ(matmul_problem(p, ones(1, 1, 3)), "K is 3, which is no multiple of the instruction's 2.");
  Matrices x = ones(2, 2, 2);
  x.b.pop_back();
  EXPECT_EQ(matmul_problem(p, x), "The matrices do not have the 2 x 2 x 2 entries that M, N and K say.");
  x = ones(2, 2, 2);
  x.scale_a.push_back(0);
  EXPECT_EQ(matmul_problem(p, x), "The matrices do not have the 2 x 2 x 2 entries that M, N and K say.");
  const Plan mixed = planned(with(fused(), [](Datapath& w) { w.operands.c = "f16"; }), 2);
  EXPECT_EQ(matmul_problem(mixed, ones(1, 1, 2)), "");
  EXPECT_EQ(matmul_problem(mixed, ones(1, 1, 4)),
            "Several instructions along K need c and d of one format; this one has f16 and f32.");
}

}  // namespace
}  // namespace assay::test
