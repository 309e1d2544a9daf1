// Plans of many shapes for the tests of the generator, in the words of datapath.md.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

struct Shaped {
  std::string name;
  Datapath datapath;
  int k = 0;
};

inline Plan planned(const Datapath& datapath, int k) {
  auto made = plan(datapath, k);
  if (auto* problems = std::get_if<std::vector<Problem>>(&made)) {
    ADD_FAILURE() << problems->front().key << ": " << problems->front().message;
    return {};
  }
  return std::get<Plan>(made);
}

inline Plan planned(const Shaped& shaped) { return planned(shaped.datapath, shaped.k); }

inline Input input(std::string source, std::optional<int> keep = {}) {
  Input i;
  i.source = std::move(source);
  i.keep = keep;
  return i;
}

inline Result in_d(Cut cut) {
  Result r;
  r.format = "d";
  r.cut = cut;
  return r;
}

inline Datapath fused(const std::string& a, const std::string& d, int keep, int floor, Cut cut = Cut::toward_zero) {
  Adder sum;
  sum.name = "sum";
  sum.add = {input("product", keep), input("acc", keep)};
  sum.window.floor = floor;
  sum.results = {in_d(cut)};
  Datapath words;
  words.name = "fused";
  words.operands = {a, a, d, d, "", 0};
  words.adders = {sum};
  return words;
}

inline Shaped f16() { return {"f16", fused("f16", "f32", 25, -133), 16}; }
inline Shaped f16_to_f16() { return {"f16_to_f16", fused("f16", "f16", 25, -21, Cut::nearest_even), 16}; }
inline Shaped tf32() { return {"tf32", fused("tf32", "f32", 25, -133), 8}; }

inline Shaped bf16_in_steps() {
  Datapath words = fused("bf16", "f32", 24, -132);
  words.step.terms = 8;
  return {"bf16_in_steps", words, 16};
}

inline Shaped e4m3() {
  Datapath words = fused("e4m3", "f32", 13, -133);
  Result short_one;
  short_one.at = ResultAt::leading_one;
  short_one.keep = 13;
  short_one.cut = Cut::toward_zero;
  short_one.least_exponent = -126;
  words.adders[0].results = {short_one, in_d(Cut::toward_zero)};
  return {"e4m3", words, 32};
}

inline Shaped e2m1_scaled(const std::string& scale, int block) {
  Adder groups;
  groups.name = "groups";
  groups.add = {input("product")};
  groups.group = Group{16, Deal::neighbours, 1};
  groups.window.exponent = WindowExponent::fixed;
  groups.times_scales = true;
  Datapath words = fused("e2m1", "f32", 35, -139);
  words.adders[0].add[0].source = "groups";
  words.adders.insert(words.adders.begin(), groups);
  words.operands.scale = scale;
  words.operands.scale_block = block;
  return {"e2m1_" + scale, words, 64};
}

// One pair of scales for all products.
inline Shaped e2m1_in_one_block() {
  Datapath words = fused("e2m1", "f32", 25, -133);
  words.product.times_scales = true;
  words.operands.scale = "ue8m0";
  words.operands.scale_block = 32;
  return {"e2m1_in_one_block", words, 32};
}

inline Shaped f64_chain() {
  Adder fma;
  fma.name = "fma";
  fma.add = {input("product"), input("acc")};
  fma.zero = ZeroSign::ieee;
  fma.results = {in_d(Cut::nearest_even)};
  Datapath words;
  words.name = "chain";
  words.operands = {"f64", "f64", "f64", "f64", "", 0};
  words.specials = Specials::operation;
  words.step.terms = 1;
  words.adders = {fma};
  return {"f64_chain", words, 4};
}

// Infinite products, a tree over the products of two lanes, c at the end.
inline Shaped bf16_lanes() {
  Adder tree;
  tree.name = "tree";
  tree.add = {input("product")};
  tree.shape = Shape::neighbours;
  tree.results = {in_d(Cut::nearest_even)};
  Adder sum = tree;
  sum.name = "sum";
  sum.shape = Shape::flat;
  sum.add = {input("acc", 24), input("tree", 24)};
  Adder late = sum;
  late.name = "late";
  late.add = {input("lanes"), input("c")};
  Datapath words;
  words.name = "lanes";
  words.operands = {"bf16", "bf16", "f32", "f32", "", 0};
  words.product.infinity_at = 128;
  words.lanes = Group{8, Deal::strided, 1};
  words.step = Group{4, Deal::neighbours, 1};
  words.start = Start::zero;
  words.adders = {tree, sum};
  words.finish = {late};
  return {"bf16_lanes", words, 16};
}

// A pair of products and acc, rounded once, and an order of NaNs.
inline Shaped taking_nans() {
  Adder sum;
  sum.name = "sum";
  sum.add = {input("product"), input("acc")};
  sum.results = {in_d(Cut::nearest_even)};
  Datapath words;
  words.name = "taking_nans";
  words.operands = {"f16", "f16", "f32", "f32", "", 0};
  words.specials = Specials::operation;
  words.nan = Nan{true, 0};
  words.nan->order.take = {"a[1]", "acc", "product[0]", "b[1]"};
  words.adders = {sum};
  return {"taking_nans", words, 2};
}

// Every operation rounded by itself; subnormals are zeros.
inline Shaped bf16_operations() {
  Result flushed = in_d(Cut::nearest_even);
  flushed.subnormals = Subnormals::signed_zero;
  Adder pairs;
  pairs.name = "pairs";
  pairs.add = {input("product")};
  pairs.shape = Shape::neighbours;
  pairs.zero = ZeroSign::ieee;
  pairs.results = {flushed};
  Adder sum = pairs;
  sum.name = "sum";
  sum.shape = Shape::flat;
  sum.add = {input("acc"), input("pairs")};
  Datapath words;
  words.name = "operations";
  words.operands = {"bf16", "bf16", "f32", "f32", "", 0};
  words.specials = Specials::operation;
  words.subnormals_a = words.subnormals_b = words.subnormals_c = Subnormals::zero;
  words.product.round = flushed;
  words.step.terms = 4;
  words.adders = {pairs, sum};
  return {"bf16_operations", words, 16};
}

// Products in a window of their own, floored together with acc in a second one.
inline Shaped late_floor() {
  Adder dot;
  dot.name = "dot";
  dot.add = {input("product", 24)};
  Adder sum;
  sum.name = "sum";
  sum.add = {input("dot", 32), input("acc", 24)};
  for (Input& each : sum.add) each.cut = Cut::down;
  sum.add[1].empty = -126;
  sum.add[1].lost_below = 25;
  Result floored;
  floored.at = ResultAt::leading_one;
  floored.keep = 31;
  floored.cut = Cut::down;
  floored.least_exponent = -126;
  sum.results = {floored, in_d(Cut::nearest_even)};
  Datapath words;
  words.name = "late_floor";
  words.operands = {"bf16", "bf16", "f32", "f32", "", 0};
  words.product.infinity_at = 128;
  words.step.terms = 8;
  words.adders = {dot, sum};
  return {"late_floor", words, 16};
}

inline Shaped i8() {
  Adder sum;
  sum.name = "sum";
  sum.add = {input("product"), input("acc")};
  sum.window.exponent = WindowExponent::fixed;
  Result wrapped = in_d(Cut::toward_zero);
  wrapped.overflow = Overflow::wrap;
  sum.results = {wrapped};
  Datapath words;
  words.name = "integer";
  words.operands = {"i8", "i8", "i32", "i32", "", 0};
  words.adders = {sum};
  return {"i8", words, 32};
}

// Weights in integers, and results that know neither infinity nor NaN.
inline Shaped f16_and_i8() {
  Adder sum;
  sum.name = "sum";
  sum.add = {input("product"), input("acc")};
  Result saturated = in_d(Cut::nearest_even);
  saturated.overflow = Overflow::largest;
  saturated.infinity = OfInfinity::largest;
  saturated.nan = OfNan::zero;
  sum.results = {saturated};
  Datapath words;
  words.name = "f16_and_i8";
  words.operands = {"f16", "i8", "f32", "i8", "", 0};
  words.adders = {sum};
  return {"f16_and_i8", words, 8};
}

// Sums of f16 in e4m3, which saturates finite numbers only.
inline Shaped f16_to_e4m3() {
  Adder sum;
  sum.name = "sum";
  sum.add = {input("product"), input("acc")};
  Result clamped = in_d(Cut::nearest_even);
  clamped.overflow = Overflow::largest;
  clamped.infinity = OfInfinity::nan;
  sum.results = {clamped};
  Datapath words;
  words.name = "f16_to_e4m3";
  words.operands = {"f16", "f16", "f32", "e4m3", "", 0};
  words.nan = Nan{false, 0, true};
  words.adders = {sum};
  return {"f16_to_e4m3", words, 8};
}

// Groups of products of slices, in two passes; each group and acc are cut twice. Every code is a number.
inline Shaped bf16_passes() {
  Adder groups;
  groups.name = "groups";
  groups.add = {input("product", 10)};
  groups.add[0].cut = Cut::nearest_away;
  groups.group = Group{8, Deal::neighbours, 1};
  Adder sum;
  sum.name = "sum";
  sum.add = {input("groups", 23), input("acc", 23)};
  for (Input& each : sum.add) {
    each.cut = Cut::nearest_up;
    each.again = {{10, Cut::nearest_up}};
  }
  Result flushed = in_d(Cut::nearest_away);
  flushed.subnormals = Subnormals::zero;
  flushed.overflow = Overflow::largest;
  sum.results = {flushed};
  Datapath words;
  words.name = "passes";
  words.operands = {"bf16", "bf16", "bf16", "bf16", "", 0};
  words.subnormals_a = words.subnormals_b = words.subnormals_c = Subnormals::zero;
  words.specials = Specials::numbers;
  words.slices.pairs = {{0, 0, 7, 5}, {0, 5, 7, 5}};
  words.slices.exponent = SliceExponent::slice;
  words.slices.run = SliceRun::passes;
  words.step.terms = 16;
  words.adders = {groups, sum};
  return {"bf16_passes", words, 16};
}

// Products cut 46 bits below the largest; elements have the exponents of their leading ones.
inline Shaped f16_leading() {
  Adder dot;
  dot.name = "dot";
  dot.add = {input("product", 46)};
  Adder sum;
  sum.name = "sum";
  sum.add = {input("dot"), input("acc")};
  sum.results = {in_d(Cut::nearest_even)};
  Result leading;
  leading.at = ResultAt::leading_one;
  leading.keep = 10;
  leading.cut = Cut::toward_zero;
  Datapath words;
  words.name = "leading";
  words.operands = {"f16", "f16", "f32", "f32", "", 0};
  words.factor_a.round = words.factor_b.round = leading;
  words.adders = {dot, sum};
  return {"f16_leading", words, 8};
}

// One product of bytes of f32, of which the last ones are left out.
inline Shaped f32_bytes() {
  Datapath words = fused("f32", "f32", 24, -132);
  words.slices.pairs = {{0, 0, 8, 8}, {0, 8, 8, 8}, {0, 16, 8, 8}, {8, 0, 8, 8}, {8, 8, 8, 8}, {16, 0, 8, 8}};
  return {"f32_bytes", words, 1};
}

// Slices of integers, whose sums stop at the ends of i32 one after the other.
inline Shaped i8_passes() {
  Shaped shaped = i8();
  shaped.datapath.operands.a = shaped.datapath.operands.b = "sm8";
  shaped.datapath.specials = Specials::numbers;
  shaped.datapath.slices.pairs = {{0, 0, 3, 2}, {0, 2, 3, 5}, {3, 0, 4, 2}, {3, 2, 4, 5}};
  shaped.datapath.slices.run = SliceRun::passes;
  shaped.datapath.adders[0].results[0].overflow = Overflow::symmetric;
  shaped.name = "i8_passes";
  return shaped;
}

inline std::vector<Shaped> shapes() {
  return {f16(),
          f16_to_f16(),
          tf32(),
          bf16_in_steps(),
          e4m3(),
          e2m1_scaled("ue8m0", 32),
          f64_chain(),
          bf16_operations(),
          i8(),
          bf16_lanes(),
          e2m1_scaled("ue4m3", 16),
          e2m1_in_one_block(),
          late_floor()};
}

inline std::string shape_name(const testing::TestParamInfo<Shaped>& info) { return info.param.name; }
inline void PrintTo(const Shaped& shaped, std::ostream* out) { *out << shaped.name; }

}  // namespace assay
