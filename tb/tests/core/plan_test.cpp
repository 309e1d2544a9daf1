#include "model/core/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "model/core/datapath.hpp"
#include "tb/tests/core/datapaths.hpp"
#include "tb/tests/core/operands.hpp"

namespace assay::test {
namespace {

const std::string all_formats =
    "f64, f32, tf32, bf16, f16, e5m2, e5m2fnuz, e4m3, e4m3b11fnuz, e4m3fnuz, ieee_e4m3, ieee_e3m4, e3m2, e2m3, e2m1, "
    "hif4_s1p2, ufp16, ue8m0, hif4_e6m2, ue4m3, ue1m0, e4m3_as_f16, e5m2_as_f16, hif8, nf4, "
    "Binary{bits}p{precision}{sign}{domain}, posit{bits}_{es}, i64, i32, i16, i8, mxint8, sm8, i4, i2, u32, u16, u8, "
    "u4, u2";

std::vector<int> step_of(const Plan& p, int lane, int step) {
  return {p.step_order(lane, step), p.step_order(lane, step) + p.step_terms};
}

std::vector<std::string> place_names(const Plan& p) {
  std::vector<std::string> names;
  for (const Place& place : p.places) names.push_back(place.name);
  return names;
}

Place place(const Plan& p, const std::string& name) {
  return p.places.at(static_cast<std::size_t>(p.find_place(name)));
}

// "class 2 sign 1 ..": the fields of a place, first field uppermost
std::string fields(const Plan& p, const std::string& name) {
  std::string text;
  for (const Field& f : place(p, name).fields) {
    text += (text.empty() ? "" : " ") + std::string(f.name) + " " + std::to_string(f.width);
  }
  return text;
}

// --- the plan of wgmma.m64nNk16.f32.f16.f16 ---

TEST(WgmmaPlan, HasTheWidthsThatItsFormatsImply) {
  const Plan p = planned(fused(), 16);
  ASSERT_EQ(p.adders.size(), 1U);
  const SumPlan& sum = p.adders[0].sum;
  EXPECT_EQ(sum.items, 17);
  EXPECT_EQ(sum.window_exponent_bits, 9);  // -133, the floor, to 127, that of c
  EXPECT_EQ(sum.integer_bits, 2);          // a product is below 4
  EXPECT_EQ(sum.fraction_bits, 25);
  EXPECT_EQ(sum.align_width, 28);  // sign, 2, 25
  EXPECT_EQ(sum.sum_width, 33);    // 17 items: 5 bits more
  EXPECT_EQ(sum.arithmetic, Arithmetic::native);
  EXPECT_FALSE(sum.fixed_quantum.has_value());
  EXPECT_EQ(p.product_range.exponent_bits(), 6);      // -28 to 30
  EXPECT_EQ(p.product_range.significand_bits(), 22);  // 2 before the point, 20 after it
  EXPECT_EQ(p.nan.code, 0x7fffffffU);
  EXPECT_FALSE(p.widen_c);
}

TEST(WgmmaPlan, NamesItsPlacesInTheOrderOfTheMachine) {
  const Plan p = planned(fused(), 16);
  std::vector<std::string> expected;
  const auto list = [&](const std::string& name, int count) {
    for (int i = 0; i < count; ++i) expected.push_back(name + "[" + std::to_string(i) + "]");
  };
  list("decode.a", 16);
  list("decode.b", 16);
  expected.emplace_back("decode.c");
  list("multiply", 16);
  expected.emplace_back("step[0].special");
  expected.emplace_back("step[0].sum.window");
  list("step[0].sum.align", 17);
  for (const char* name : {"step[0].sum.reduce", "step[0].sum.round", "step[0].acc", "encode"}) {
    expected.emplace_back(name);
  }
  EXPECT_EQ(place_names(p), expected);
}

TEST(WgmmaPlan, HasTheFieldsOfEachPlace) {
  const Plan p = planned(fused(), 16);
  EXPECT_EQ(fields(p, "decode.a[3]"), "class 2 sign 1 exponent 5 significand 11");
  EXPECT_EQ(fields(p, "decode.c"), "class 2 sign 1 exponent 8 significand 24");
  EXPECT_EQ(fields(p, "multiply[5]"), "class 2 sign 1 exponent 6 significand 22");
  EXPECT_EQ(fields(p, "step[0].special"), "outcome 2");
  EXPECT_EQ(fields(p, "step[0].sum.window"), "exponent 9");
  EXPECT_EQ(fields(p, "step[0].sum.align[16]"), "addend 28");
  EXPECT_EQ(fields(p, "step[0].sum.reduce"), "sum 33");
  EXPECT_EQ(fields(p, "step[0].sum.round"), "class 2 sign 1 exponent 8 significand 24");
  EXPECT_EQ(fields(p, "step[0].acc"), "class 2 sign 1 exponent 8 significand 24");
  EXPECT_EQ(fields(p, "encode"), "bits 32");
}

TEST(WgmmaPlan, LabelsItsPlacesForPeople) {
  const Plan p = planned(fused(), 16);
  EXPECT_EQ(place(p, "decode.b[7]").label, "b[7]");
  EXPECT_EQ(place(p, "multiply[5]").label, "a[5] x b[5]");
  EXPECT_EQ(place(p, "step[0].sum.align[5]").label, "a[5] x b[5]");
  EXPECT_EQ(place(p, "step[0].sum.align[16]").label, "acc");
  EXPECT_EQ(place(p, "encode").label, "d");
}

TEST(WgmmaPlan, PutsTheBinaryPointBelowTheWindow) {
  const Plan p = planned(fused(), 16);
  EXPECT_EQ(place(p, "multiply[0]").fraction_bits, 20);
  EXPECT_EQ(place(p, "step[0].sum.align[0]").fraction_bits, 25);
  EXPECT_EQ(place(p, "step[0].sum.reduce").fraction_bits, 25);
  EXPECT_FALSE(place(p, "step[0].sum.reduce").absolute);
}

// Products of integers that are not zero have the exponent of a bit from 0 on.
TEST(NormalisedPlan, HasRoomForTheExponentOfZeros) {
  Datapath w = integers();
  w.product.exponent = ProductExponent::normalised;
  w.product.empty = -30;
  w.adders[0].window = {};
  const Plan p = planned(w, 4);
  EXPECT_EQ(p.term_range.least_exponent, -30);
  EXPECT_EQ(fields(p, "step[0].sum.window"), "exponent 6");
}

// --- places of other shapes ---

std::vector<std::string> step_places(const Plan& p) {
  std::vector<std::string> names;
  for (const Place& place : p.places) {
    const bool outside = place.stage == Stage::decode || place.stage == Stage::multiply || place.stage == Stage::encode;
    if (!outside) names.push_back(place.name);
  }
  return names;
}

TEST(Places, OfTwoLanesWithAFinishNameTheLane) {
  const Plan p = planned(with(two_lanes(), [](Datapath& w) { w.lanes = group(1, Deal::strided); }), 2);
  EXPECT_EQ(step_places(p), (std::vector<std::string>{"lane[0].step[0].fma.window",
                                                      "lane[0].step[0].fma.align[0]",
                                                      "lane[0].step[0].fma.align[1]",
                                                      "lane[0].step[0].fma.reduce",
                                                      "lane[0].step[0].fma.round",
                                                      "lane[0].step[0].acc",
                                                      "lane[1].step[0].fma.window",
                                                      "lane[1].step[0].fma.align[0]",
                                                      "lane[1].step[0].fma.align[1]",
                                                      "lane[1].step[0].fma.reduce",
                                                      "lane[1].step[0].fma.round",
                                                      "lane[1].step[0].acc",
                                                      "finish.both.window",
                                                      "finish.both.align[0]",
                                                      "finish.both.align[1]",
                                                      "finish.both.reduce",
                                                      "finish.both.round",
                                                      "finish.late.window",
                                                      "finish.late.align[0]",
                                                      "finish.late.align[1]",
                                                      "finish.late.reduce",
                                                      "finish.late.round"}));
  EXPECT_EQ(place(p, "finish.both.align[1]").label, "lane[1]");
  EXPECT_EQ(place(p, "finish.late.align[0]").label, "c");
}

TEST(Places, OfGroupsTimesScalesNameTheGroupAndTheScales) {
  const Plan p = planned(group_scaled(), 32);
  const std::vector<std::string> names = place_names(p);
  const std::set<std::string> set(names.begin(), names.end());
  for (const char* name :
       {"decode.scale_a[1]", "decode.scale_b[0]", "step[0].groups[0].window", "step[0].groups[1].align[15]",
        "step[0].groups[1].reduce", "step[0].groups[1].scale", "step[0].sum.align[1]", "step[0].sum.align[2]"}) {
    EXPECT_EQ(set.count(name), 1U) << name;
  }
  EXPECT_EQ(place(p, "step[0].groups[1].align[15]").label, "a[31] x b[31]");
  EXPECT_EQ(place(p, "step[0].sum.align[1]").label, "groups[1]");
  EXPECT_EQ(place(p, "step[0].sum.align[2]").label, "acc");
}

TEST(Places, OfATreeAndAChainNumberTheirAdditions) {
  for (const Shape shape : {Shape::neighbours, Shape::halves, Shape::serial}) {
    const Plan p = planned(with(exact(), [&](Datapath& w) { w.adders[0].shape = shape; }), 3);
    for (const char* name : {"step[0].sum.add[0].window", "step[0].sum.add[2].align[1]", "step[0].sum.add[2].round"}) {
      EXPECT_GE(p.find_place(name), 0) << name;
    }
    EXPECT_EQ(p.find_place("step[0].sum.add[3].window"), -1);
    const std::string left = place(p, "step[0].sum.add[1].align[0]").label;
    const std::string right = place(p, "step[0].sum.add[1].align[1]").label;
    switch (shape) {
      case Shape::flat: FAIL();
      case Shape::neighbours: EXPECT_EQ(left + " + " + right, "a[2] x b[2] + acc"); break;
      case Shape::halves: EXPECT_EQ(left + " + " + right, "a[1] x b[1] + acc"); break;
      case Shape::serial: EXPECT_EQ(left + " + " + right, "add[0] + a[2] x b[2]"); break;
    }
  }
}

TEST(Places, NumberResultsWhereThereAreSeveral) {
  Datapath w = fused(13);
  w.adders[0].results.insert(w.adders[0].results.begin(), at_leading_one(13, Cut::toward_zero, -126));
  const Plan p = planned(w, 16);
  EXPECT_GE(p.find_place("step[0].sum.round[0]"), 0);
  EXPECT_GE(p.find_place("step[0].sum.round[1]"), 0);
  EXPECT_EQ(p.find_place("step[0].sum.round"), -1);
  EXPECT_EQ(fields(p, "step[0].sum.round[0]"), "class 2 sign 1 exponent 9 significand 14");
}

TEST(Places, WithAStickyBitHaveIt) {
  const Plan p = planned(with(fused(), [](Datapath& w) { w.adders[0].sticky = Sticky::below_sum; }), 16);
  EXPECT_EQ(fields(p, "step[0].sum.reduce"), "sum 33 sticky 1");
}

TEST(Places, OfRoundedAndScaledProductsFollowTheProducts) {
  Datapath w = fused();
  w.operands.scale = "ue8m0";
  w.operands.scale_block = 4;
  w.product.times_scales = true;
  w.product.round = to_format("f32", Cut::nearest_even);
  const Plan p = planned(w, 4);
  const int multiply = p.find_place("multiply[3]");
  EXPECT_EQ(p.find_place("scale[0]"), multiply + 1);
  EXPECT_EQ(p.find_place("multiply.round[0]"), multiply + 5);
}

TEST(Places, AreAbsoluteWhereTheGridStandsStill) {
  const Plan p = planned(exact(), 2);
  EXPECT_TRUE(place(p, "step[0].sum.reduce").absolute);
  EXPECT_EQ(place(p, "step[0].sum.reduce").fraction_bits, 149);  // c's last bit: 2^-149
}

TEST(Places, HaveNamesOfTheirOwnAndStageNames) {
  for (const Datapath& w : {fused(), exact(), integers(), two_lanes(), group_scaled()}) {
    const Plan p = planned(w, 16);
    const std::vector<std::string> names = place_names(p);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << w.name;
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(p.find_place(names[i]), static_cast<int>(i));
  }
  EXPECT_EQ(planned(fused(), 16).find_place("step[1].acc"), -1);
  EXPECT_EQ(stage_name(Stage::decode), "decode");
  EXPECT_EQ(stage_name(Stage::multiply), "multiply");
  EXPECT_EQ(stage_name(Stage::scale), "scale");
  EXPECT_EQ(stage_name(Stage::special), "special");
  EXPECT_EQ(stage_name(Stage::window), "window");
  EXPECT_EQ(stage_name(Stage::align), "align");
  EXPECT_EQ(stage_name(Stage::reduce), "reduce");
  EXPECT_EQ(stage_name(Stage::round), "round");
  EXPECT_EQ(stage_name(Stage::acc), "acc");
  EXPECT_EQ(stage_name(Stage::encode), "encode");
}

// --- terms into lanes, steps and groups ---

TEST(Order, OfNeighboursTakesRuns) {
  const Plan p = planned(with(fused(), [](Datapath& w) { w.step = group(4); }), 8);
  EXPECT_EQ(p.steps, 2);
  EXPECT_EQ(step_of(p, 0, 0), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(step_of(p, 0, 1), (std::vector<int>{4, 5, 6, 7}));
}

TEST(Order, OfStridedDealsUnitsOutInTurn) {
  const Plan even_odd = planned(with(fused(), [](Datapath& w) { w.step = group(4, Deal::strided); }), 8);
  EXPECT_EQ(step_of(even_odd, 0, 0), (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(step_of(even_odd, 0, 1), (std::vector<int>{1, 3, 5, 7}));
  const Plan pairs = planned(with(fused(), [](Datapath& w) { w.step = group(4, Deal::strided, 2); }), 8);
  EXPECT_EQ(step_of(pairs, 0, 0), (std::vector<int>{0, 1, 4, 5}));
  EXPECT_EQ(step_of(pairs, 0, 1), (std::vector<int>{2, 3, 6, 7}));
  const Plan four = planned(with(fused(), [](Datapath& w) { w.step = group(2, Deal::strided); }), 8);
  EXPECT_EQ(step_of(four, 0, 3), (std::vector<int>{3, 7}));
}

TEST(Order, FromTheLastTermRunsBackwards) {
  const Plan p = planned(with(fused(),
                              [](Datapath& w) {
                                w.step = group(2);
                                w.from = From::last;
                              }),
                         4);
  EXPECT_EQ(step_of(p, 0, 0), (std::vector<int>{3, 2}));
  EXPECT_EQ(step_of(p, 0, 1), (std::vector<int>{1, 0}));
}

TEST(Order, OfLanesIsCutIntoStepsWithinEach) {
  const Plan p = planned(with(two_lanes(), [](Datapath& w) { w.step = group(2); }), 16);
  EXPECT_EQ(p.lanes, 2);
  EXPECT_EQ(p.steps, 4);
  EXPECT_EQ(step_of(p, 0, 1), (std::vector<int>{4, 6}));
  EXPECT_EQ(step_of(p, 1, 3), (std::vector<int>{13, 15}));
}

std::vector<int> values_of_group(const Plan& plan, int adder, int group) {
  std::vector<int> values;
  for (const SumItem& item : items_of_group(plan.circuit.step, adder, group)) values.push_back(item.value);
  return values;
}

TEST(Order, OfGroupsIsThatOfTheirMembers) {
  Datapath w = fused();
  w.adders.insert(w.adders.begin(), adder("halves", {input("product", 24)}));
  w.adders[0].group = group(4, Deal::strided);
  w.adders[1].add[0].source = "halves";
  const Plan p = planned(w, 8);
  EXPECT_EQ(p.adders[0].groups, 2);
  EXPECT_EQ(p.adders[0].terms, 4);
  EXPECT_EQ(values_of_group(p, 0, 0), (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(values_of_group(p, 0, 1), (std::vector<int>{1, 3, 5, 7}));
  EXPECT_EQ(p.adders[1].items(), 3);
}

TEST(Order, OfTheLongestKIsWorkedOut) {
  Datapath w = exact();
  w.operands = {"e2m1", "e2m1", "f32", "f32", "", 0};
  w.step = group(1024, Deal::strided);
  const Plan p = planned(w, 1 << 16);
  EXPECT_EQ(p.steps, 64);
  EXPECT_EQ(p.step_order(0, 63)[1023], (1 << 16) - 1);
}

// --- widths ---

TEST(Widths, HoldFromOneTermAStepTo1024) {
  for (const int terms : {1, 2, 3, 16, 17, 1023, 1024}) {
    const Plan p = planned(fused(), terms);
    int more = 0;
    while ((1 << more) < terms + 1) ++more;
    EXPECT_EQ(p.adders[0].sum.sum_width, 28 + more) << terms;
    // All of them 2 x 2, the largest significand f16 has but for its last bits, and c = 0.
    const Values twos(static_cast<std::size_t>(terms), 2 - two_to(-10));
    const double product = (2 - two_to(-10)) * (2 - two_to(-10));
    const double exact_sum = product * terms;
    EXPECT_EQ(dot_value(p, twos, twos),
              std::ldexp(std::floor(std::ldexp(exact_sum, 23 - std::ilogb(exact_sum))), std::ilogb(exact_sum) - 23))
        << terms;
  }
}

// F bits below the window: 2^-F beside 1 - 1 stays, 2^-(F + 1) is cut.
TEST(Widths, KeepExactlyAsManyFractionBitsAsTheDatapathSays) {
  for (int keep = 1; keep <= 100; ++keep) {
    Datapath w = fused(keep);
    w.operands.a = w.operands.b = "bf16";
    w.adders[0].window.floor.reset();
    const std::string problems = problems_of(w, 2);
    if (keep > 60 && !problems.empty()) continue;
    ASSERT_EQ(problems, "") << keep;
    const Plan p = planned(w, 2);
    EXPECT_EQ(p.adders[0].sum.align_width, 3 + keep);
    EXPECT_EQ(dot_value(p, {1, two_to(-keep)}, {1, 1}, -1), two_to(-keep)) << keep;
    EXPECT_EQ(dot_value(p, {1, two_to(-keep - 1)}, {1, 1}, -1), 0) << keep;
  }
}

TEST(Widths, OfTheRegisterGrowWithTheWindow) {
  const auto arithmetic = [](const Datapath& w, int k) { return planned(w, k).adders[0].sum.arithmetic; };
  EXPECT_EQ(arithmetic(fused(100), 2), Arithmetic::native);
  EXPECT_EQ(arithmetic(exact(), 2), Arithmetic::wide640);
  Datapath f64 = exact();
  f64.operands = {"f64", "f64", "f64", "f64", "", 0};
  f64.nan.reset();
  EXPECT_EQ(arithmetic(f64, 2), Arithmetic::wide4480);
}

TEST(Widths, OfAFixedWindowReachUpToTheGreatestOperand) {
  Datapath w = exact();
  w.adders[0].window.exponent = WindowExponent::fixed;
  w.adders[0].window.at = 0;
  const SumPlan sum = planned(w, 16).adders[0].sum;
  EXPECT_EQ(sum.window_exponent_bits, 1);
  EXPECT_EQ(sum.fixed_quantum, -149);
  EXPECT_EQ(sum.align_width, 1 + (1 + 127) + 149);
}

TEST(Widths, OfAnExactSumDoNotDependOnItsWindow) {
  for (const char* format : {"f16", "bf16", "f32"}) {
    Datapath floating = exact(), fixed = exact();
    floating.operands.a = floating.operands.b = fixed.operands.a = fixed.operands.b = format;
    fixed.adders[0].window.exponent = WindowExponent::fixed;
    const Plan x = planned(floating, 4), y = planned(fixed, 4);
    const Values a{1.5, -two_to(-12), two_to(9), -3}, b{two_to(-10), two_to(-13), 1.25, 200};
    for (const double c : {0.0, 1 - two_to(-24), -40.0, -two_to(127), two_to(-149)}) {
      EXPECT_EQ(dot_code(x, a, b, c), dot_code(y, a, b, c)) << format << " " << c;
    }
  }
}

TEST(Widths, OfAWindowReachUpToItsNextCoarseExponent) {
  Datapath w = fused();
  w.adders[0].window.floor.reset();
  EXPECT_EQ(planned(w, 16).adders[0].sum.window_exponent_bits, 8);  // -126 to 127
  w.adders[0].window.step = 4;
  EXPECT_EQ(planned(w, 16).adders[0].sum.window_exponent_bits, 9);  // to 128
  w.adders[0].add = {input("product"), input("acc")};
  const Plan exactly = planned(w, 16);
  EXPECT_EQ(dot_value(exactly, {}, {}, std::ldexp(16777215.0, 104)), std::ldexp(16777215.0, 104));
}

TEST(Widths, CountTheCarryOfARoundingCut) {
  for (const Cut cut : {Cut::toward_zero, Cut::to_odd, Cut::down, Cut::up, Cut::nearest_even, Cut::nearest_away}) {
    Datapath w = fused();
    w.adders[0].add = {input("product", 25, cut), input("acc", 25, cut)};
    const bool carries = cut != Cut::toward_zero && cut != Cut::to_odd;
    EXPECT_EQ(planned(w, 16).adders[0].sum.align_width, carries ? 29 : 28) << word(cut);
  }
}

TEST(Widths, OfAnAccumulatorThatGrowsFollowItThroughTheSteps) {
  // c is f16, d f32: after the first step acc is an f32.
  Datapath w = fused();
  w.operands.c = "f16";
  w.step = group(4);
  const Plan p = planned(w, 16);
  EXPECT_TRUE(p.widen_c);
  EXPECT_EQ(p.acc_range.least_exponent, -126);
  EXPECT_EQ(fields(p, "decode.c"), "class 2 sign 1 exponent 5 significand 11");
  EXPECT_EQ(fields(p, "step[0].acc"), "class 2 sign 1 exponent 8 significand 24");
}

TEST(Widths, ReachTheTopExponentWhereEveryCodeIsANumber) {
  Datapath w = fused();
  w.specials = Specials::numbers;
  w.adders[0].results[0].overflow = Overflow::largest;
  const Plan p = planned(w, 2);
  EXPECT_EQ(p.a_range.greatest_exponent, 16);
  EXPECT_EQ(p.product_range.greatest_exponent, 32);
  EXPECT_EQ(dot_of(p, {{0x7c00}, {0x3c00}, 0, {}, {}}), code_of(row("f32"), 65536));
}

// --- what is refused ---

void expect_problem(const Datapath& datapath, int k, const std::string& expected) {
  EXPECT_EQ(problems_of(datapath, k), expected);
}

void expect_problem(const std::function<void(Datapath&)>& change, const std::string& expected, int k = 16) {
  expect_problem(with(fused(), change), k, expected);
}

TEST(Problems, NameAMissingOrUnknownFormat) {
  expect_problem([](Datapath& w) { w.operands.a = ""; },
                 "operands.a: operands.a is missing: name the format of a, one of " + all_formats + ".");
  expect_problem([](Datapath& w) { w.operands.d = "f33"; },
                 "operands.d: operands.d is 'f33', which is no format; the formats are " + all_formats + ".");
  expect_problem(
      [](Datapath& w) {
        w.operands.scale = "e8";
        w.operands.scale_block = 16;
      },
      "operands.scale.format: operands.scale.format is 'e8', which is no format; the formats are " + all_formats + ".");
}

TEST(Problems, ListAllMissingFormatsTogether) {
  Datapath w = fused();
  w.operands.a = w.operands.b = "";
  expect_problem(w, 16,
                 "operands.a: operands.a is missing: name the format of a, one of " + all_formats +
                     ".\noperands.b: operands.b is missing: name the format of b, one of " + all_formats + ".");
}

Format own_format() {
  Format f;
  f.name = "mine";
  f.exponent_bits = 4;
  f.mantissa_bits = 3;
  f.bias = 7;
  f.stored_bits = 8;
  return f;
}

void expect_format_problem(const std::function<void(Format&)>& change, const std::string& expected) {
  Datapath w = fused();
  Format f = own_format();
  change(f);
  w.formats = {f};
  expect_problem(w, 16, expected);
}

TEST(Problems, NameWhatIsWrongWithAnOwnFormat) {
  expect_format_problem([](Format&) {}, "");
  expect_format_problem([](Format& f) { f.exponent_bits = 0; },
                        "formats.mine: Format mine: exponent must be 1 to 11 bits, not 0.");
  expect_format_problem([](Format& f) { f.exponent_bits = 12; },
                        "formats.mine: Format mine: exponent must be 1 to 11 bits, not 12.");
  expect_format_problem([](Format& f) { f.mantissa_bits = 53; },
                        "formats.mine: Format mine: mantissa must be 0 to 52 bits, not 53.");
  expect_format_problem([](Format& f) { f.bias = 4097; },
                        "formats.mine: Format mine: bias must lie between -2048 and 4096, not 4097.");
  expect_format_problem([](Format& f) { f.bias = -2049; },
                        "formats.mine: Format mine: bias must lie between -2048 and 4096, not -2049.");
  expect_format_problem([](Format& f) { f.stored_bits = 65; },
                        "formats.mine: Format mine: sign, exponent and mantissa together must fit 64 bits.");
  expect_format_problem([](Format& f) { f.has_infinity = true; },
                        "formats.mine: Format mine: infinity: true needs nan: ieee, since both share the top exponent, "
                        "or infinity_codes: last.");
  expect_format_problem(
      [](Format& f) { f.nan = NanCodes::ieee; },
      "formats.mine: Format mine: nan: ieee needs infinity: true, since both share the top exponent.");
  expect_format_problem([](Format& f) { f.nan = NanCodes::negative_zero; },
                        "formats.mine: Format mine: nan: negative_zero takes the code of -0: say signed_zero: false.");
  expect_format_problem(
      [](Format& f) {
        f.has_infinity = true;
        f.nan = NanCodes::ieee;
        f.mantissa_bits = 0;
      },
      "formats.mine: Format mine: nan: ieee needs at least 2 exponent bits and 1 mantissa bit.");
  expect_format_problem(
      [](Format& f) {
        f.nan = NanCodes::all_ones;
        f.mantissa_bits = 0;
        f.exponent_bits = 1;
      },
      "formats.mine: Format mine: infinity and NaN leave no number that is not subnormal: give it one more bit of "
      "exponent or mantissa.");
  expect_format_problem(
      [](Format& f) {
        f.nan = NanCodes::all_ones;
        f.has_infinity = true;
        f.infinity_codes = InfinityCodes::last;
        f.mantissa_bits = 1;
        f.exponent_bits = 1;
      },
      "formats.mine: Format mine: infinity and NaN leave no number that is not subnormal: give it one more bit of "
      "exponent or mantissa.");
  expect_format_problem([](Format& f) { f.name = "e4m3"; },
                        "formats.e4m3: Format e4m3: this name already belongs to the built-in table; choose another.");
}

TEST(Problems, ListOwnFormatsAmongTheChoices) {
  Datapath w = fused();
  w.formats = {own_format()};
  w.operands.a = "mein";
  expect_problem(w, 16,
                 "operands.a: operands.a is 'mein', which is no format; the formats are mine, " + all_formats + ".");
}

TEST(Problems, NameFormatsThatCannotBeAnOperand) {
  expect_problem([](Datapath& w) { w.operands.a = "ue8m0"; },
                 "operands: Format ue8m0 has no zero and can only be a scale.");
}

TEST(Problems, NameScalesThatCannotBe) {
  expect_problem(with(group_scaled(), [](Datapath& w) { w.operands.scale_block = 0; }), 64,
                 "operands.scale.block: operands.scale.block is 0; a block has at least one element.");
  expect_problem(with(group_scaled(), [](Datapath& w) { w.adders[0].times_scales = false; }), 64,
                 "operands.scale: The operands have scales, but neither product nor any adder says `times: scales`.");
  expect_problem(with(group_scaled(),
                      [](Datapath& w) {
                        w.operands.scale = "";
                        w.operands.scale_block = 0;
                      }),
                 64, "adders[0].times: Adder groups says `times: scales`, but the operands have none.");
  expect_problem([](Datapath& w) { w.product.times_scales = true; },
                 "product.times: product says `times: scales`, but the operands have no scale.");
  expect_problem(with(group_scaled(), [](Datapath& w) { w.adders[0].shape = Shape::neighbours; }), 64,
                 "adders[0].times: `times: scales` needs shape flat.");
  expect_problem(
      with(group_scaled(), [](Datapath& w) { w.adders[1].times_scales = true; }), 64,
      "adders[1].times: Adder sum says `times: scales`; only a sum of products whose operands have scales can be "
      "scaled.");
  expect_problem(
      with(two_lanes(),
           [](Datapath& w) {
             w.operands = {"e2m1", "e2m1", "f32", "f32", "ue8m0", 8};
             w.product.times_scales = true;
             w.finish[0].times_scales = true;
           }),
      16,
      "finish[0].times: Adder both says `times: scales`; only a sum of products whose operands have scales can be "
      "scaled.");
  expect_problem(with(group_scaled(), [](Datapath& w) { w.operands.scale_block = 8; }), 64,
                 "adders[0].times: A group of adder groups spans two scale blocks of 8; groups must lie inside one.");
}

TEST(Problems, NameADThatCannotHoldWhatMayArrive) {
  Datapath w = fused();
  w.nan.reset();
  w.operands.d = "e4m3";
  w.adders[0].results[0].overflow = Overflow::largest;
  const std::string key = "adders[0].result[0]";
  const auto none = [&](const std::string& d) {
    return key + ".infinity: An infinity may reach d, and its format " + d + " has none: say `infinity: largest`";
  };
  expect_problem(w, 16, none("e4m3") + " or `infinity: nan` in this result.");
  w.operands = {"e4m3", "e4m3", "e4m3", "e2m1", "", 0};
  const std::string nan =
      key +
      ".nan: A NaN may reach d, and its format e2m1 has none: say `nan: zero` or `nan: largest` in this result, "
      "or give NaN a code, such as `nan: 0` beside `adders`.";
  expect_problem(w, 16, nan);
  w.operands = {"f16", "e4m3", "e4m3", "e2m1", "", 0};
  expect_problem(w, 16, none("e2m1") + " in this result.\n" + nan);
  w.adders[0].results[0].overflow = Overflow::nan;
  expect_problem(w, 16,
                 none("e2m1") + " in this result.\n" + key +
                     ": This result makes NaNs, and d's format e2m1 has none: give NaN a code, such as `nan: 0` beside "
                     "`adders`, or say `largest` in the place of `nan`.");
  w.adders[0].results[0].overflow = Overflow::largest;
  w.operands = {"e4m3", "e4m3", "e4m3", "e4m3", "", 0};
  expect_problem(w, 16, "");
  w.product.infinity_at = 128;
  expect_problem(w, 16, none("e4m3") + " or `infinity: nan` in this result.");
}

TEST(Problems, NameANanThatIsTooLong) {
  expect_problem(
      [](Datapath& w) {
        w.nan = Nan{false, 0x17fffffff};
      },
      "nan: nan has more bits than d's format f32 (32).");
}

TEST(Problems, NameGroupsThatDoNotDivide) {
  expect_problem([](Datapath& w) { w.step = group(5); },
                 "k_order.step.terms: k_order.step.terms is 5, which does not divide the 16 terms there are.");
  expect_problem([](Datapath& w) { w.step = group(0); },
                 "k_order.step.terms: k_order.step.terms is 0, which does not divide the 16 terms there are.");
  expect_problem([](Datapath& w) { w.lanes = group(32); },
                 "k_order.lanes.terms: k_order.lanes.terms is 32, which does not divide the 16 terms there are.");
  expect_problem(with(group_scaled(), [](Datapath& w) { w.adders[0].group = group(7); }), 64,
                 "adders[0].group.terms: adders[0].group.terms is 7, which does not divide the 64 terms there are.");
}

TEST(Problems, NameUnitsThatCannotBeDealt) {
  for (const int unit : {0, -1, 3, 16, 1 << 20}) {
    expect_problem([&](Datapath& w) { w.step = group(8, Deal::strided, unit); },
                   "k_order.step.unit: k_order.step.unit is " + std::to_string(unit) +
                       "; units of it cannot be dealt evenly to 2 groups.");
  }
  expect_problem(with(fused(), [](Datapath& w) { w.step = group(1, Deal::strided, 1 << 12); }), 1 << 20,
                 "k_order.step.unit: k_order.step.unit is 4096; units of it cannot be dealt evenly to 1048576 groups.");
}

TEST(Problems, NameAKOutOfRange) {
  expect_problem(fused(), 0, ": k is 0; it must lie between 1 and 1048576.");
  expect_problem(fused(), -3, ": k is -3; it must lie between 1 and 1048576.");
  expect_problem(fused(), (1 << 20) + 1, ": k is 1048577; it must lie between 1 and 1048576.");
  expect_problem(fused(), 1025,
                 "k_order.step: A step has 1025 terms; at most 1024 are summed in one step. Give k_order.step.terms.");
}

TEST(Problems, NameACThatIsLeftOutOrAddedTwice) {
  expect_problem(with(two_lanes(), [](Datapath& w) { w.start = Start::c; }), 16,
                 "start: With 2 lanes c cannot start them all: say `start: zero` and add c in `finish`.");
  expect_problem(with(two_lanes(), [](Datapath& w) { w.finish.clear(); }), 16,
                 "finish: With 2 lanes a `finish` must add them up.\n"
                 "finish: `start: zero` leaves c out: a `finish` must add it.");
  expect_problem([](Datapath& w) { w.start = Start::zero; },
                 "finish: `start: zero` leaves c out: a `finish` must add it.");
}

TEST(Problems, NameSignsThatAreTurnedTooLate) {
  expect_problem(
      [](Datapath& w) { w.adders[0].add[1].negate = true; },
      "adders[0].add.acc.negate: adders[0].add.acc.negate turns a sign after `specials: step` has decided on "
      "infinities as they came: say `specials: operation`.");
}

TEST(Problems, NameAnAccThatIsNeverSubnormal) {
  const auto flushes = [](Datapath& w) { w.subnormals_acc = Subnormals::zero; };
  EXPECT_EQ(problems_of(with(fused(), flushes), 16), "");
  expect_problem(
      [&](Datapath& w) {
        flushes(w);
        w.adders[0].results[0].at = ResultAt::leading_one;
      },
      "subnormals.acc: What a step leaves is of no format, and so never subnormal: end `sum` with a result in one, or "
      "leave `subnormals.acc` out.");
  expect_problem(
      [&](Datapath& w) {
        flushes(w);
        w.operands = {"i8", "i8", "i32", "i32", "", 0};
        w.adders = {adder("sum", {input("product"), input("acc")}, {to_format("i32", Cut::toward_zero)})};
        w.adders[0].results[0].overflow = Overflow::wrap;
      },
      "subnormals.acc: A step leaves numbers of i32, none of which is subnormal: leave `subnormals.acc` out.");
}

TEST(Problems, NamePlacesThatNoNanComesFrom) {
  const auto takes = [](const std::vector<std::string>& places) {
    return [places](Datapath& w) {
      w.specials = Specials::operation;
      w.nan = Nan{true, 0};
      w.nan->order.take = places;
    };
  };
  EXPECT_EQ(problems_of(with(fused(), takes({"acc", "a[15]", "b[0]", "product[3]", "sum"})), 16), "");
  expect_problem(takes({"acc", "c"}),
                 "nan.take[1]: nan.take[1] is 'c', which no NaN comes from; the places of a step are a[i], b[i], "
                 "product[i], acc, sum.");
  for (const std::string place : {"a", "a[16]", "product[]", "b[-1]", "b[1", "a[1]x", "product[99999999999]"}) {
    const std::string source = place.substr(0, place.find('['));
    const bool term = source == "a" || source == "b" || source == "product";
    EXPECT_TRUE(term);
    const std::string found = problems_of(with(fused(), takes({place})), 16);
    EXPECT_EQ(found.rfind("nan.take[0]: nan.take[0] is '" + place + "'", 0), 0U) << found;
  }
  expect_problem(
      [&](Datapath& w) {
        takes({"acc"})(w);
        w.specials = Specials::step;
      },
      "nan.take: nan.take says which of the NaNs that operations meet is taken: it needs `specials: operation`.");
  expect_problem(
      [&](Datapath& w) {
        takes({"acc"})(w);
        w.nan->order.made = 0x123456789;
      },
      "nan.default: nan has more bits than d's format f32 (32).");
}

TEST(Problems, NameAdderNamesThatCannotBe) {
  expect_problem([](Datapath& w) { w.adders[0].name = "Sum"; },
                 "adders[0].name: The name 'Sum' must be made of a-z, 0-9 and _, since it names places such as "
                 "step[0].x.align[5].");
  expect_problem([](Datapath& w) { w.adders[0].name = ""; },
                 "adders[0].name: The name '' must be made of a-z, 0-9 and _, since it names places such as "
                 "step[0].sum.align[5].");
  for (const std::string name : {"product", "acc", "c", "lanes", "special"}) {
    expect_problem([&](Datapath& w) { w.adders[0].name = name; },
                   "adders[0].name: '" + name + "' already names something every adder can take; choose another name.");
  }
  expect_problem([](Datapath& w) { w.adders.push_back(w.adders[0]); }, "adders[1].name: Two adders are called 'sum'.");
  expect_problem(with(two_lanes(), [](Datapath& w) { w.finish[1].name = "both"; }), 16,
                 "finish[1].name: Two adders are called 'both'.");
}

TEST(Problems, NameAddersThatAddNothingOrWhatIsNotThere) {
  expect_problem([](Datapath& w) { w.adders.clear(); }, "adders: A datapath needs at least one adder.");
  expect_problem([](Datapath& w) { w.adders[0].add.clear(); },
                 "adders[0].add: adders[0].add is empty: name what it adds.");
  expect_problem([](Datapath& w) { w.adders[0].add.push_back(input("pairs", 3)); },
                 "adders[0].add.pairs: adders[0].add names 'pairs', which is not there; it can add product, acc.");
  expect_problem([](Datapath& w) { w.adders[0].add.push_back(input("c")); },
                 "adders[0].add.c: adders[0].add names 'c', which is not there; it can add product, acc.");
  expect_problem(
      with(group_scaled(), [](Datapath& w) { w.adders[1].add[0].source = "group"; }), 64,
      "adders[1].add.group: adders[1].add names 'group', which is not there; it can add product, acc, groups.");
  expect_problem(with(two_lanes(), [](Datapath& w) { w.finish[1].add[1].source = "acc"; }), 16,
                 "finish[1].add.acc: finish[1].add names 'acc', which is not there; it can add lanes, c, both.");
}

TEST(Problems, NameInputsThatAreOutOfRange) {
  const auto product = [](const std::function<void(Input&)>& change) {
    return with(fused(), [&](Datapath& w) { change(w.adders[0].add[0]); });
  };
  expect_problem(product([](Input& i) { i.keep = 101; }), 16,
                 "adders[0].add.product.keep: adders[0].add.product.keep is 101; it must lie between 0 and 100.");
  expect_problem(product([](Input& i) { i.keep = -1; }), 16,
                 "adders[0].add.product.keep: adders[0].add.product.keep is -1; it must lie between 0 and 100.");
  expect_problem(product([](Input& i) { i.lost_below = -1; }), 16,
                 "adders[0].add.product.lost_below: adders[0].add.product.lost_below is negative; it is a distance "
                 "below the window.");
  for (const int empty : {-20001, 20001}) {
    expect_problem(product([&](Input& i) { i.empty = empty; }), 16,
                   "adders[0].add.product.empty: adders[0].add.product.empty is " + std::to_string(empty) +
                       "; exponents lie between -20000 and 20000.");
  }
}

TEST(Problems, NameSlicesThatAreOutOfRange) {
  Datapath w = fused(25);
  const auto expect_from = [&](int from, const std::string& message) {
    SlicePair pair;
    pair.a_from = from;
    w.slices.pairs = {pair};
    expect_problem(w, 16, message);
  };
  const std::string has_bits = ", and an element of a has bits 0 to 10 where it is multiplied.";
  expect_from(0, "");
  expect_from(10, "");
  expect_from(-1, "slices.pairs[0].a.from: slices.pairs[0].a.from is -1" + has_bits);
  expect_from(11, "slices.pairs[0].a.from: slices.pairs[0].a.from is 11" + has_bits);
  w.slices.pairs[0].a_from = 0;
  w.slices.pairs[0].b_bits = 0;
  expect_problem(w, 16, "slices.pairs[0].b.bits: slices.pairs[0].b.bits must be at least 1.");
}

TEST(Problems, NameRowsThatCannotBeMade) {
  Datapath w = fused(25);
  w.product.rows.emplace().digits = RowDigits::booth4;
  expect_problem(w, 16, "");
  const auto expect = [&](const std::function<void(Datapath&)>& change, const std::string& message) {
    expect_problem(with(w, change), 16, message);
  };
  const auto first = [](int digits) { return [digits](Datapath& d) { d.product.rows->first = digits; }; };
  expect(first(5), "");
  for (const int digits : {0, 6})
    expect(first(digits), "product.rows.first: product.rows.first is " + std::to_string(digits) +
                              "; there are 6 digits: say fewer, or leave it out.");
  const auto width = [](int bits) {
    return [bits](Datapath& d) {
      d.product.rows->extension = RowExtension::constant;
      d.product.rows->width = bits;
    };
  };
  expect(width(13), "");
  expect(width(12), "product.rows.width: product.rows.width is 12; twice a significand of 11 bits and a sign need 13.");
  expect([](Datapath& d) { d.slices.pairs = {SlicePair{}}; },
         "product.rows: Rows are those of whole products: leave `slices` or `product.rows` out.");
  const std::string one_number =
      "product.rows: A product that goes on as rows is nowhere one number: `round`, `exponent: normalised` and "
      "`infinity_at` would look at each row alone. Leave them out.";
  expect([](Datapath& d) { d.product.round.emplace().format = "f32"; }, one_number);
  expect([](Datapath& d) { d.product.exponent = ProductExponent::normalised; }, one_number);
  expect([](Datapath& d) { d.product.infinity_at = 9; }, one_number);
  const std::string one_width = "product.rows: Rows are made of significands of one width, and an element of ";
  expect([](Datapath& d) { d.operands.a = "i8"; },
         one_width + "a has none in i8: say factors.a.round with a floating format.");
  expect([](Datapath& d) { d.operands.b = "posit8_2"; },
         one_width + "b has none in posit8_2: say factors.b.round with a floating format.");
  const auto scaled = [](Datapath& d) { d.operands.scales = {{"s", Side::a, "bf16", std::nullopt, "operand"}}; };
  expect(scaled, one_width + "a has none of a format: say factors.a.round with a floating format.");
  expect(
      [&](Datapath& d) {
        scaled(d);
        d.factor_a.round.emplace().format = "f16";
      },
      "");
}

// Each of one after the other may take a bit more.
TEST(Problems, NameRowsThatAreTooWide) {
  Datapath w = fused(25);
  w.operands = {"f64", "f64", "f64", "f64", "", 0};
  w.product.rows.emplace().digits = RowDigits::booth4;
  w.adders[0].results[0].format = "d";
  expect_problem(w, 4, "");
  w.product.rows->compress = Compress::chain;
  expect_problem(w, 4, "product.rows: A row may have 133 bits; at most 124 travel between stages.");
}

TEST(Problems, NameFactorsWhoseExponentsCannotBeTakenApart) {
  for (const int step : {0, 65}) {
    expect_problem([&](Datapath& w) { w.factor_b.step = step; },
                   "factors.b.step: factors.b.step is " + std::to_string(step) + "; it must lie between 1 and 64.");
  }
  expect_problem([](Datapath& w) { w.factor_a.step = 4, w.factor_a.step_from = 20001; },
                 "factors.a.from: factors.a.from is 20001; exponents lie between -20000 and 20000.");
  expect_problem([](Datapath& w) { w.operands.a = "i8", w.factor_a.step = 2; },
                 "factors.a.step: factors.a.step rounds exponents, and an integer has none: leave it out, or say "
                 "factors.a.round with a floating format.");
  expect_problem(
      [](Datapath& w) { w.slices.pairs = {SlicePair{}}, w.factor_a.step = 4; },
      "slices: Slices of a count bits from the one before the point, and with factors.a.step an element has several "
      "there: leave one of the two out.");
}

TEST(Problems, NameWindowsThatAreOutOfRange) {
  for (const int step : {0, 4097}) {
    expect_problem([&](Datapath& w) { w.adders[0].window.step = step; },
                   "adders[0].window.step: adders[0].window.step is " + std::to_string(step) +
                       "; it must lie between 1 and 4096.");
  }
  expect_problem([](Datapath& w) { w.adders[0].window.floor = -20001; },
                 "adders[0].window: adders[0].window is at -20001; exponents lie between -20000 and 20000.");
  expect_problem(
      [](Datapath& w) {
        w.adders[0].window.exponent = WindowExponent::fixed;
        w.adders[0].window.at = 20001;
      },
      "adders[0].window: adders[0].window is at 20001; exponents lie between -20000 and 20000.");
}

TEST(Problems, NameGroupsAndShapesThatDoNotFitTheirInputs) {
  expect_problem(
      [](Datapath& w) { w.adders[0].group = group(4); },
      "adders[0].group: Adder sum makes 4 sums side by side and can take one input only; add the others in a "
      "later adder.");
  Datapath w = group_scaled();
  w.adders[0].times_scales = false;
  w.operands.scale = "";
  w.adders[0].group = group(1);
  w.adders[0].shape = Shape::serial;
  expect_problem(w, 64, "adders[0].shape: Adder groups has one item to add; a tree or chain needs two.");
}

TEST(Problems, NameALastAdderThatLeavesSeveralSums) {
  expect_problem(with(group_scaled(), [](Datapath& w) { w.adders.pop_back(); }), 64,
                 "adders[0]: The last adder of a step must leave one sum, the new acc; groups leaves 4.");
}

TEST(Problems, NameWhatWouldBeLost) {
  expect_problem([](Datapath& w) { w.adders[0].add.erase(w.adders[0].add.begin()); },
                 "adders: No adder takes `product`: the terms would be lost.");
  expect_problem([](Datapath& w) { w.adders[0].add.pop_back(); },
                 "adders: No adder takes `acc`: what was accumulated would be lost.");
  expect_problem(with(two_lanes(), [](Datapath& w) { w.finish = {adder("late", {input("c")}, w.finish[1].results)}; }),
                 16, "finish: No adder of `finish` takes `lanes`: the steps would be lost.");
  expect_problem(with(two_lanes(), [](Datapath& w) { w.finish.pop_back(); }), 16,
                 "finish: `start: zero` leaves c out: an adder of `finish` must take `c`.");
  expect_problem([](Datapath& w) { w.adders.insert(w.adders.begin(), adder("spare", {input("product", 3)})); },
                 "adders[0]: Adder spare is added to nothing; only the last one's sum is the result.");
}

TEST(Problems, NameResultsThatAreNotDsFormat) {
  expect_problem([](Datapath& w) { w.adders[0].results.clear(); },
                 "adders[0].result: The last result of sum must be {format: f32}, the format of d.");
  expect_problem([](Datapath& w) { w.adders[0].results = {to_format("f16", Cut::up)}; },
                 "adders[0].result: The last result of sum must be {format: f32}, the format of d.");
  expect_problem([](Datapath& w) { w.adders[0].results = {at_window(10, Cut::up)}; },
                 "adders[0].result: The last result of sum must be {format: f32}, the format of d.");
  expect_problem(with(two_lanes(), [](Datapath& w) { w.finish[1].results = {to_format("f16", Cut::up)}; }), 16,
                 "finish[1].result: The last result of late must be {format: f32}, the format of d.");
}

TEST(Problems, NameResultsThatCannotBe) {
  const auto first = [](const Result& r) {
    return with(fused(), [&](Datapath& w) { w.adders[0].results.insert(w.adders[0].results.begin(), r); });
  };
  const std::string key = "adders[0].result[0]";
  expect_problem(first(at_window(101, Cut::up)), 16,
                 key + ".keep: " + key + ".keep is 101; it must lie between 0 and 100.");
  expect_problem(first(at_leading_one(-1, Cut::up, std::nullopt)), 16,
                 key + ".keep: " + key + ".keep is -1; it must lie between 0 and 100.");
  expect_problem(
      first(to_format("f17", Cut::up)), 16,
      key + ".format: " + key + ".format is 'f17', which is no format; say d or one of " + all_formats + ".");
  expect_problem(first(to_format("ue8m0", Cut::up, Overflow::largest)), 16,
                 key + ".format: Format ue8m0 has no zero and cannot hold a result.");
  expect_problem(first(to_format("i32", Cut::up, Overflow::wrap)), 16, "");
  const auto say = [](const std::string& words) { return ": say `overflow: " + words + "."; };
  const std::string integer = say("wrap`, `largest`, `symmetric` or `nan`");
  expect_problem(first(to_format("i32", Cut::up)), 16, key + ".overflow: Integers have no infinity" + integer);
  expect_problem(first(to_format("u8", Cut::up, Overflow::symmetric)), 16,
                 key + ".overflow: `overflow: symmetric` is for integers with a sign, and u8 is none" +
                     say("wrap`, `largest` or `nan`"));
  for (const auto& [word, name] : {std::pair{Overflow::wrap, "`overflow: wrap` is for integers"},
                                   std::pair{Overflow::symmetric, "`overflow: symmetric` is for integers with a sign"}})
    expect_problem(first(to_format("f16", Cut::up, word)), 16,
                   key + ".overflow: " + name + ", and f16 is none" + say("infinity`, `directed`, `largest` or `nan`"));
  for (const Overflow word : {Overflow::infinity, Overflow::directed})
    expect_problem(first(to_format("e4m3", Cut::up, word)), 16,
                   key + ".overflow: Format e4m3 has no infinity" + say("largest` or `nan`"));
  expect_problem(with(integers(), [](Datapath& w) { w.adders[0].results[0].overflow = Overflow::infinity; }), 16,
                 key + ".overflow: Integers have no infinity" + say("wrap`, `largest` or `symmetric`"));
  const auto numbers = [](Result r) {
    return with(fused(), [&](Datapath& w) {
      w.specials = Specials::numbers;
      w.adders[0].results = {r};
    });
  };
  Result r = to_format("d", Cut::up, Overflow::nan);
  expect_problem(numbers(r), 16,
                 key + ".overflow: With `specials: numbers` there is no NaN" + say("largest` or `top`"));
  r.overflow = Overflow::largest;
  r.infinity = OfInfinity::largest;
  const std::string neither =
      "With `specials: numbers` there is neither infinity nor NaN: leave `infinity` and `nan` out.";
  expect_problem(numbers(r), 16, key + ".infinity: " + neither);
  r.infinity = OfInfinity::keep;
  r.nan = OfNan::zero;
  expect_problem(numbers(r), 16, key + ".nan: " + neither);
  r = to_format("f16", Cut::up);
  r.negative = OfNegative::nan;
  expect_problem(first(r), 16,
                 key + ".negative: `negative` is for floating formats without a sign, and f16 is none: leave it out.");
}

TEST(Problems, NameWhatIsTooWideToTravel) {
  Datapath w = exact();
  w.operands = {"f64", "f64", "f64", "f64", "", 0};
  w.nan.reset();
  w.adders.insert(w.adders.begin(), adder("first", {input("product")}));
  w.adders[1].add[0].source = "first";
  // from 2^-2148 to 2^2046, two bits before the point, one more for two of them
  expect_problem(w, 2,
                 "adders[0]: The sum of first has 4197 significant bits; at most 124 travel between stages. Give it a "
                 "`result`.");
  Datapath normalised = fused();
  normalised.operands.a = normalised.operands.b = "f64";
  normalised.operands.scale = "f64";
  normalised.operands.scale_block = 16;
  normalised.product.times_scales = true;
  expect_problem(
      normalised, 16,
      "product: The product has 212 significant bits; at most 124 travel between stages. Give it a `result`.");
  Datapath fixed = fused(60);
  fixed.adders[0].window.floor.reset();
  fixed.adders[0].window.exponent = WindowExponent::fixed;
  fixed.adders[0].results.insert(fixed.adders[0].results.begin(), at_window(60, Cut::down));
  // c: 1 + 127 bits above the window; 5 for 17 items, 1 for the carry of `down`, 60 below
  expect_problem(
      fixed, 16,
      "adders[0].result[0]: The result of adders[0].result[0] would have 194 bits; at most 124 travel between "
      "stages.");
  Datapath scaled = group_scaled();
  // 6 bits of a product above the window, 4 for 16 items, 100 below; two scales of 24 bits
  scaled.operands.scale = "f32";
  scaled.adders[0].add[0].keep = 100;
  expect_problem(
      scaled, 64,
      "adders[0].times: The scaled sum of groups has 158 significant bits; at most 124 travel between stages. "
      "Give it a `result`.");
}

TEST(Problems, NameARegisterThatIsTooWide) {
  Datapath w = exact();
  w.operands = {"f64", "f64", "f64", "f64", "ue8m0", 16};
  w.nan.reset();
  w.product.times_scales = true;
  // from 2^(-2148 - 254) to 2^(2046 + 254), four bits before the point, sign, 5 for 17 items
  expect_problem(
      w, 16, "adders[0]: Adder sum would need a register of 4712 bits; the widest is 4470. Give its inputs a `keep`.");
}

TEST(Problems, NameAnExactSumThatIsReadOutTooWide) {
  Datapath w = exact();
  w.adders[0].results.insert(w.adders[0].results.begin(), at_window(100, Cut::down));
  w.adders[0].window.exponent = WindowExponent::fixed;
  w.adders[0].window.at = 112;
  // from 2^-149 to 2^127 and a bit before the point, sign, 5 for 17 items
  expect_problem(
      w, 16,
      "adders[0]: The exact sum of sum is 283 bits wide: its inputs need a `keep`, or its first result at most "
      "120 bits and no scales before it.");
}

TEST(Problems, NameSumsThatReachEverFurtherDown) {
  Datapath tree = exact();
  tree.adders.insert(tree.adders.begin(),
                     adder("tree", {input("product")}, {at_leading_one(20, Cut::down, std::nullopt)}));
  tree.adders[0].shape = Shape::neighbours;
  tree.adders[1].add[0].source = "tree";
  const std::string needs =
      " are added to each other, and each needs more bits below the point than the last; end them with a result in a "
      "format, or at the leading one with a least_exponent.";
  expect_problem(tree, 16, "adders[0]: The sums of tree" + needs);
  tree.adders[0].results[0].least_exponent = -30;
  expect_problem(tree, 16, "");
  Datapath steps = two_lanes();
  steps.adders[0].results = {at_leading_one(20, Cut::down, std::nullopt)};
  expect_problem(steps, 16, "adders[0]: The sums of fma" + needs);
}

}  // namespace
}  // namespace assay::test
