// What begins a step, what is turned as it enters a sum, and which of several NaNs is taken: worked by hand from the
// rules of docs/datapath.md.
#include <gtest/gtest.h>

#include "model/core/dot.hpp"
#include "tb/tests/core/datapaths.hpp"

namespace assay::test {
namespace {

// a x b + acc in f32, rounded once, as IEEE adds.
Datapath fma() {
  Datapath w;
  w.name = "fma";
  w.operands = {"f32", "f32", "f32", "f32", "", 0};
  w.specials = Specials::operation;
  w.step = group(1);
  w.adders = {adder("fma", {input("product"), input("acc")}, {to_format("f32", Cut::nearest_even)})};
  w.adders[0].zero = ZeroSign::ieee;
  return w;
}

Datapath taking(Datapath w, const std::vector<std::string>& places, bool signalling = false) {
  w.nan = Nan{true, 0};
  w.nan->order.take = places;
  w.nan->order.signalling_first = signalling;
  return w;
}

Code d_of(const Datapath& datapath, const std::vector<Code>& a, const std::vector<Code>& b, Code c) {
  const Plan plan = planned(datapath, static_cast<int>(a.size()));
  Registers registers;
  return dot(plan, {a.data(), b.data(), c, nullptr, nullptr, nullptr}, registers);
}

constexpr Code one = 0x3f800000, minus_one = 0xbf800000, infinity = 0x7f800000, minus_zero = 0x80000000;

TEST(Negate, TurnsTheSignOfWhatEnters) {
  Datapath minus_acc = fma(), minus_product = fma();
  minus_acc.adders[0].add[1].negate = true;
  minus_product.adders[0].add[0].negate = true;
  EXPECT_EQ(d_of(minus_acc, {one}, {0x40000000}, one), one);            // 2 - 1
  EXPECT_EQ(d_of(minus_product, {one}, {0x40000000}, one), minus_one);  // -2 + 1
  EXPECT_EQ(d_of(minus_acc, {0}, {0}, 0), 0U);                          // +0 - +0
  EXPECT_EQ(d_of(minus_acc, {minus_zero}, {one}, 0), minus_zero);       // -0 - +0
  EXPECT_EQ(d_of(minus_acc, {infinity}, {one}, infinity), 0x7fc00000U);
  EXPECT_EQ(d_of(minus_acc, {infinity}, {one}, 0xff800000), infinity);
}

TEST(Negate, LeavesANanItsSign) {
  Datapath w = taking(fma(), {"acc"});
  w.adders[0].add[1].negate = true;
  EXPECT_EQ(d_of(w, {one}, {one}, 0xffc00005), 0xffc00005U);
  EXPECT_EQ(d_of(w, {one}, {one}, 0x7fc00005), 0x7fc00005U);
}

TEST(Negate, TurnsWhatASumHasRoundedInAFurtherAdder) {
  Datapath w = fma();
  w.adders.push_back(adder("turned", {input("fma")}, {to_format("f32", Cut::nearest_even)}));
  w.adders[1].zero = ZeroSign::ieee;
  w.adders[1].add[0].negate = true;
  EXPECT_EQ(d_of(w, {one}, {one}, minus_one), minus_zero);
  EXPECT_EQ(d_of(w, {one}, {one}, one), 0xc0000000U);
}

TEST(Negate, IsOfTheFirstSumOfATreeAlone) {
  Datapath w = fused();
  w.operands = {"f32", "f32", "f32", "f32", "", 0};
  w.adders = {adder("sum", {input("product"), input("acc")}, {to_format("f32", Cut::nearest_even)})};
  w.specials = Specials::operation;
  w.adders[0].shape = Shape::serial;
  w.adders[0].add[0].negate = true;
  EXPECT_EQ(d_of(w, {one, one, one}, {one, one, one}, 0x41200000), 0x40e00000U);  // 10 - 1 - 1 - 1 = 7
}

TEST(StartNone, AddsToNothing) {
  Datapath zero_first = fma(), none = fma();
  none.start = Start::none;
  EXPECT_EQ(d_of(none, {minus_zero}, {one}, one), minus_zero);  // c is not read
  EXPECT_EQ(d_of(none, {0}, {one}, 0x7fc00000), 0U);
  EXPECT_EQ(d_of(none, {one, one}, {one, one}, 0x7fc00000), 0x40000000U);
  EXPECT_EQ(d_of(none, {minus_zero, minus_zero}, {one, one}, 0), minus_zero);
  none.adders[0].results[0].cut = Cut::down;  // under which +0 and -0 would be -0
  EXPECT_EQ(d_of(none, {0}, {one}, minus_zero), 0U);
  none.adders[0].add[1].empty = 100;  // with which a zero would count
  EXPECT_EQ(d_of(none, {one}, {one}, 0), one);
}

TEST(StartNone, OfNothingElseIsPlusZero) {
  Datapath w = fma();
  w.start = Start::none;
  w.adders.insert(w.adders.begin(), adder("before", {input("acc")}, {to_format("f32", Cut::down)}));
  w.adders[0].zero = ZeroSign::ieee;
  w.adders[1].add[1].source = "before";
  EXPECT_EQ(d_of(w, {minus_zero}, {one}, one), 0U);
}

// 2^-63 x 2^-64 is 2^-127, which is subnormal.
TEST(SubnormalsOfAcc, AreReadAsZeroByTheNextStepAlone) {
  constexpr Code x = 0x20000000, y = 0x1f800000, product = 0x00400000, minus_x = 0xa0000000;
  Datapath keeps = fma(), flushes = fma(), turns = fma();
  flushes.subnormals_acc = Subnormals::signed_zero;
  turns.subnormals_acc = Subnormals::zero;
  EXPECT_EQ(d_of(keeps, {x, x}, {y, y}, 0), 2 * product);
  EXPECT_EQ(d_of(flushes, {x, x}, {y, y}, 0), product);
  EXPECT_EQ(d_of(flushes, {x}, {y}, product), 2 * product);  // c is none of a step's
  EXPECT_EQ(d_of(flushes, {minus_x, minus_zero}, {y, one}, 0), minus_zero);
  EXPECT_EQ(d_of(turns, {minus_x, minus_zero}, {y, one}, 0), 0U);
  EXPECT_EQ(d_of(flushes, {x, x, x}, {y, y, y}, product), 0x01000000U);  // from 2^-126 on none is subnormal
}

// The made one is d's quiet NaN, or `default`; an operand's keeps its payload and becomes quiet.
TEST(NanOrder, TakesTheFirstPlaceThatHoldsOne) {
  const Datapath acc_before_b = taking(fma(), {"a[0]", "acc", "b[0]"}), b_before_acc = taking(fma(), {"b[0]", "acc"});
  EXPECT_EQ(d_of(acc_before_b, {one}, {0x7fc00002}, 0xffc00003), 0xffc00003U);
  EXPECT_EQ(d_of(b_before_acc, {one}, {0x7fc00002}, 0xffc00003), 0x7fc00002U);
  EXPECT_EQ(d_of(acc_before_b, {0xff800001}, {0x7fc00002}, 0xffc00003), 0xffc00001U);
  EXPECT_EQ(d_of(acc_before_b, {infinity}, {0}, 0xffc00003), 0xffc00003U);  // the made NaN gives way
  EXPECT_EQ(d_of(acc_before_b, {infinity}, {0}, 0), 0x7fc00000U);
  EXPECT_EQ(d_of(acc_before_b, {infinity}, {one}, 0xff800000), 0x7fc00000U);
  Datapath made = acc_before_b;
  made.nan->order.made = 0xffc12345;
  EXPECT_EQ(d_of(made, {infinity}, {0}, 0), 0xffc12345U);
  EXPECT_EQ(d_of(made, {0xffc00000}, {0}, 0), 0xffc00000U);  // an operand's, though it looks like a made one
}

TEST(NanOrder, KnowsProductsAndSums) {
  Datapath w = fma();
  w.step = group(2);
  w.adders[0].add.pop_back();
  w.adders[0].name = "pair";
  w.adders.push_back(adder("sum", {input("pair"), input("acc")}, {to_format("f32", Cut::nearest_even)}));
  const Datapath power = taking(w, {"a[1]", "product[0]", "b[1]", "pair", "acc"});
  EXPECT_EQ(d_of(power, {infinity, one}, {0, 0x7fc00005}, 0x7fc00006), 0x7fc00000U);  // product 0's own, before b[1]
  EXPECT_EQ(d_of(power, {0x7fc00001, 0x7fc00002}, {0x7fc00003, 0x7fc00004}, 0), 0x7fc00002U);
  EXPECT_EQ(d_of(power, {one, infinity}, {one, 0}, 0x7fc00006), 0x7fc00000U);  // the pair made one
  EXPECT_EQ(d_of(power, {one, one}, {one, one}, 0x7fc00006), 0x7fc00006U);
}

TEST(NanOrder, LetsSignallingOnesGoFirstAmongNeighboursAndInProducts) {
  const auto pair = [](const std::vector<std::string>& places, bool first) {
    Datapath w = fma();
    w.step = group(2);
    return taking(w, places, first);
  };
  const std::vector<Code> a{0x7fc00001, one}, b{one, 0x7fa00002};
  EXPECT_EQ(d_of(pair({"a[0]", "b[1]"}, true), a, b, 0), 0x7fe00002U);
  EXPECT_EQ(d_of(pair({"a[0]", "b[1]"}, false), a, b, 0), 0x7fc00001U);
  EXPECT_EQ(d_of(pair({"a[0]", "acc", "b[1]"}, true), a, b, 0), 0x7fc00001U);  // no neighbours
  EXPECT_EQ(d_of(pair({"product[0]", "product[1]"}, true), a, b, 0), 0x7fc00001U);
  const std::vector<Code> both{0x7fa00002, one}, quiet{0x7fc00001, one};
  EXPECT_EQ(d_of(pair({"product[0]"}, true), quiet, both, 0), 0x7fe00002U);
  EXPECT_EQ(d_of(pair({"product[0]"}, false), quiet, both, 0), 0x7fc00001U);
}

TEST(NanOrder, NumbersTheTermsOfTheStep) {
  const Datapath w = taking(fma(), {"b[0]"});
  EXPECT_EQ(d_of(w, {one, one}, {one, 0x7fc00002}, 0), 0x7fc00002U);
  EXPECT_EQ(d_of(w, {one, 0x7fc00001}, {one, 0x7fc00002}, 0), 0x7fc00002U);
}

}  // namespace
}  // namespace assay::test
