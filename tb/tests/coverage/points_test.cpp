// Hand-made cases hit the bins they were made for, and no others.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/coverage/coverage_files.hpp"
#include "tb/coverage/sampler.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/core/datapaths.hpp"

namespace assay {
namespace {

constexpr Code one = 0x3c00, minus_one = 0xbc00;  // f16

// Products of four terms, a[i] x 1, and c.
Coverage covered(const Plan& plan, std::vector<Code> a, Code c) {
  a.resize(4);
  Case made;
  made.a = a;
  made.b.assign(4, one);
  made.c = c;
  Sampler sampler(plan);
  sampler.see(made);
  return sampler.coverage();
}

// The bins of a point that were hit, in order.
std::string hits(const Coverage& coverage, const std::string& point) {
  std::string text;
  for (const Point& p : coverage.points) {
    for (const Bin& b : p.bins) {
      if (p.name == point && b.hit()) text += (text.empty() ? "" : "; ") + b.name;
    }
  }
  return text;
}

// f16 in and out, rounded to the nearest.
Plan nearest() {
  return test::planned(test::with(test::fused(),
                                  [](Datapath& w) {
                                    w.operands.c = w.operands.d = "f16";
                                    w.nan = Nan{false, 0x7fff};
                                    w.adders[0].window.floor = -21;
                                    w.adders[0].results = {test::to_format("d", Cut::nearest_even)};
                                  }),
                       4);
}

TEST(Points, TellDistancesAndOwners) {
  const Coverage c = covered(test::planned(test::fused(), 4), {one, 0x2000}, 0);  // 1 and 2^-7
  EXPECT_EQ(hits(c, "sum.shift.product"), "product[0] by 0; product[1] by 7; product[2] is zero; product[3] is zero");
  EXPECT_EQ(hits(c, "sum.shift.acc"), "acc is zero");
  EXPECT_EQ(hits(c, "sum.owner"), "product[0]");
  EXPECT_EQ(hits(covered(test::planned(test::fused(), 4), {one}, 0x40000000), "sum.owner"), "acc");
}

// Infinities of operands do not come through; one that overflow makes afterwards does.
TEST(Points, LeaveInfinitiesOutThatTheLastResultTurns) {
  const auto of_infinity = [](OfInfinity infinity, Overflow overflow) {
    const Plan plan = test::planned(test::with(test::fused(),
                                               [&](Datapath& w) {
                                                 w.adders[0].results[0].infinity = infinity;
                                                 w.adders[0].results[0].overflow = overflow;
                                               }),
                                    4);
    const Coverage coverage = Sampler(plan).coverage();
    const auto point =
        std::find_if(coverage.points.begin(), coverage.points.end(), [](const Point& p) { return p.name == "d"; });
    const auto bin =
        std::find_if(point->bins.begin(), point->bins.end(), [](const Bin& b) { return b.name == "-infinity"; });
    return bin->unreachable;
  };
  EXPECT_EQ(of_infinity(OfInfinity::keep, Overflow::largest), "");
  EXPECT_EQ(of_infinity(OfInfinity::largest, Overflow::largest),
            "The last result makes something else of an infinity.");
  EXPECT_EQ(of_infinity(OfInfinity::largest, Overflow::infinity), "");
}

TEST(Points, TellTies) {
  const Plan plan = test::planned(test::fused(), 4);
  EXPECT_EQ(hits(covered(plan, {one}, 0x3f800000), "sum.owner"), "two items alike");
  EXPECT_EQ(hits(covered(plan, {one, one, one}, 0), "sum.owner"), "three or more alike");
  EXPECT_EQ(hits(covered(plan, {}, 0), "sum.owner"), "none: no item has an exponent");
}

TEST(Points, TellCancellationAndCarries) {
  const Plan plan = test::planned(test::fused(), 4);
  EXPECT_EQ(hits(covered(plan, {one, minus_one}, 0), "sum.cancellation"), "all of it: zero");
  EXPECT_EQ(hits(covered(plan, {one, 0xba00}, 0), "sum.cancellation"), "2");  // 1 - 0.75
  EXPECT_EQ(hits(covered(plan, {one, one, one, one}, 0), "sum.carry"), "2");
}

TEST(Points, TellRoundDecisions) {
  const Plan plan = nearest();
  EXPECT_EQ(hits(covered(plan, {one}, 0), "sum.round"), "kept exactly");
  EXPECT_EQ(hits(covered(plan, {one, 0x0c00}, 0), "sum.round"), "below half: down");   // 2^-12
  EXPECT_EQ(hits(covered(plan, {one, 0x1000}, 0), "sum.round"), "tie: down to even");  // 2^-11
  EXPECT_EQ(hits(covered(plan, {0x3c01, 0x1000}, 0), "sum.round"), "tie: up to even");
  EXPECT_EQ(hits(covered(plan, {one, 0x1000, 0x0c00}, 0), "sum.round"), "above half: up");
  EXPECT_EQ(hits(covered(plan, {0x3fff, 0x1000}, 0), "sum.round"), "tie: up to even; carries into the next exponent");
  EXPECT_EQ(hits(covered(plan, {0x0001}, 0), "sum.round"), "kept exactly; subnormal");
  EXPECT_EQ(hits(covered(plan, {0x7bff, 0x7bff}, 0), "d"), "+infinity");
}

// 0x0008 is zero but bit 3, 0x7c08 and 0x6c00 are infinity but bits 3 and 12; 0x0018 differs in two bits. Signs do not
// count.
TEST(Points, TellCodesThatAreSpecialButForOneBit) {
  const Plan plan = test::planned(test::fused(), 4);
  const Coverage c = covered(plan, {0x0008, 0x7c08, 0x8000, 0x0018}, 0x7f800001);
  EXPECT_EQ(hits(c, "a.one_bit"), "zero but bit 3; infinity but bit 3");
  EXPECT_EQ(hits(c, "c.one_bit"), "infinity but bit 0");
  const Coverage negative = covered(plan, {0x8020, 0xec00, 0x4200, 0x8000}, 0x80800000);
  EXPECT_EQ(hits(negative, "a.one_bit"), "zero but bit 5; infinity but bit 12");
  EXPECT_EQ(hits(negative, "c.one_bit"), "zero but bit 23");
}

TEST(Points, LeaveWhatNanDecidesOutOfTheArithmetic) {
  const Coverage c = covered(test::planned(test::fused(), 4), {0x7e00, one}, 0);
  EXPECT_EQ(hits(c, "operands"), "zero x normal; normal x normal; NaN x normal");
  EXPECT_EQ(hits(c, "sum.owner") + hits(c, "sum.round") + hits(c, "sum.shift.acc"), "");
  EXPECT_EQ(hits(c, "d"), "NaN");
}

TEST(Points, ReadBackWhatTheyWrite) {
  const Coverage c = covered(nearest(), {one, 0x1000}, one);
  EXPECT_EQ(coverage_json(read_coverage_json(coverage_json(c), "c.json")), coverage_json(c));
}

}  // namespace
}  // namespace assay
