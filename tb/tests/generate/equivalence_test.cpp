// Arguments about integers whose sign turns on the way, or that enter twice.
#include "tb/generate/equivalence.hpp"

#include "model/core/dot.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/generate/plans.hpp"

namespace assay {
namespace {

// Steps of eight products and acc, which may enter with its sign turned.
Shaped integers_in_steps(Overflow overflow, bool negate) {
  Shaped shaped = i8();
  shaped.datapath.specials = Specials::operation;
  shaped.datapath.step.terms = 8;
  shaped.datapath.adders[0].add[1].negate = negate;
  shaped.datapath.adders[0].results[0].overflow = overflow;
  return shaped;
}

std::string argument(const Shaped& shaped, const std::string& mutation) {
  const Plan right = planned(shaped);
  for (const Mutation& m : mutations(right.datapath, right.k)) {
    if (m.name == mutation) return std::string(equivalence(right, planned(m.changed, right.k), m.spot));
  }
  ADD_FAILURE() << "there is no mutation '" << mutation << "'";
  return "";
}

int differ(const Shaped& shaped, const std::string& mutation) {
  const Plan right = planned(shaped);
  Registers registers;
  int different = 0;
  for (const Mutation& m : mutations(right.datapath, right.k)) {
    if (m.name != mutation) continue;
    const Plan changed = planned(m.changed, right.k);
    const Generator generator(right, 1);
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Case made = generator.make(i);
      different += dot(right, made.operand(), registers) != dot(changed, made.operand(), registers) ? 1 : 0;
    }
  }
  return different;
}

constexpr const char* halved = "k_order.step.terms halved";

TEST(Equivalence, OfStepsIsArguedWhereSignsStay) {
  EXPECT_EQ(argument(integers_in_steps(Overflow::wrap, false), halved),
            "Sums that wrap are the same in any order and any grouping.");
  EXPECT_EQ(differ(integers_in_steps(Overflow::wrap, false), halved), 0);
}

TEST(Equivalence, OfStepsIsNotArguedWhereSignsTurnFromStepToStep) {
  EXPECT_EQ(argument(integers_in_steps(Overflow::wrap, true), halved), "");
  EXPECT_GT(differ(integers_in_steps(Overflow::wrap, true), halved), 100);
}

TEST(Equivalence, OfStepsIsNotArguedWhereAccEntersTwice) {
  Shaped doubling = integers_in_steps(Overflow::wrap, false);
  Adder again = doubling.datapath.adders[0];
  again.name = "again";
  again.add = {input("sum"), input("acc")};
  doubling.datapath.adders.push_back(again);
  EXPECT_EQ(argument(doubling, halved), "");
  EXPECT_GT(differ(doubling, halved), 100);
}

// What an adder lost, its result's rounding sees, however few bits the sum has left.
TEST(Equivalence, OfACutIsNotArguedWhereATraceArrives) {
  Shaped traced = {"traced", fused("e3m2", "f16", 4, -40), 2};
  Adder& sum = traced.datapath.adders[0];
  traced.datapath.operands.c = "e5m2";
  sum.window.floor.reset();
  EXPECT_EQ(argument(traced, "adders.sum.result[0].cut down"),
            "The format holds every such number: nothing is cut off.");
  EXPECT_EQ(differ(traced, "adders.sum.result[0].cut down"), 0);
  sum.sticky = Sticky::at_result;
  EXPECT_EQ(argument(traced, "adders.sum.result[0].cut down"), "");
  EXPECT_GT(differ(traced, "adders.sum.result[0].cut down"), 20);
}

// Products with bits behind the point, which each step rounds away.
TEST(Equivalence, OfSumsThatWrapIsOfWholeNumbers) {
  Shaped pointed = integers_in_steps(Overflow::wrap, false);
  pointed.datapath.operands.a = pointed.datapath.operands.b = "mxint8";
  EXPECT_EQ(argument(pointed, halved), "");
  EXPECT_GT(differ(pointed, halved), 50);
}

// 16 products and c of 8 bits leave i32 far from its ends.
TEST(Equivalence, OfSumsThatNeverClampLooksAtSignsToo) {
  Shaped clamped = integers_in_steps(Overflow::largest, false), turned = integers_in_steps(Overflow::largest, true);
  clamped.datapath.operands.c = turned.datapath.operands.c = "i8";
  EXPECT_EQ(argument(clamped, halved), "No sum but the last can leave the range of d.");
  EXPECT_EQ(differ(clamped, halved), 0);
  EXPECT_EQ(argument(turned, halved), "");
  EXPECT_GT(differ(turned, halved), 100);
}

}  // namespace
}  // namespace assay
