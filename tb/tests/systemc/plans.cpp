#include "tb/tests/systemc/plans.hpp"

#include <stdexcept>

namespace assay::testing {
namespace {

Input input(const std::string& source, std::optional<int> keep = std::nullopt, Cut cut = Cut::toward_zero) {
  Input words;
  words.source = source;
  words.keep = keep;
  words.cut = cut;
  return words;
}

Result to_format(const std::string& format, Cut cut = Cut::nearest_even) {
  Result words;
  words.format = format;
  words.cut = cut;
  return words;
}

Result at(ResultAt place, int keep, Cut cut, std::optional<int> least_exponent = std::nullopt) {
  Result words;
  words.at = place;
  words.keep = keep;
  words.cut = cut;
  words.least_exponent = least_exponent;
  return words;
}

std::vector<Result> toward_zero_f32() {
  return {at(ResultAt::leading_one, 23, Cut::toward_zero, -126), to_format("f32", Cut::toward_zero)};
}

Adder adder(const std::string& name, std::vector<Input> add, std::vector<Result> results) {
  Adder words;
  words.name = name;
  words.add = std::move(add);
  words.results = std::move(results);
  return words;
}

Group dealt(int terms, int unit) { return {terms, Deal::strided, unit}; }
Group runs(int terms) { return {terms, Deal::neighbours, 1}; }

Datapath datapath(Operands operands, std::vector<Adder> adders) {
  Datapath words;
  words.name = "test";
  words.operands = std::move(operands);
  words.adders = std::move(adders);
  return words;
}

Datapath fused(Operands operands, int keep, int floor, std::vector<Result> results) {
  Adder sum = adder("sum", {input("product", keep), input("acc", keep)}, std::move(results));
  sum.window.floor = floor;
  return datapath(std::move(operands), {sum});
}

Datapath chained() {
  Datapath words = fused({"bf16", "bf16", "f32", "f32", "", 0}, 24, -132, toward_zero_f32());
  words.step = runs(8);
  return words;
}

Datapath narrow_c() {
  Datapath words = fused({"f16", "f16", "f16", "f32", "", 0}, 23, -131, toward_zero_f32());
  words.step = runs(4);
  return words;
}

Datapath emulated_fp8() {
  Datapath words = fused({"e5m2", "e5m2", "f32", "f32", "", 0}, 25, -133, toward_zero_f32());
  words.step = dealt(16, 2);
  words.start = Start::zero;
  Adder late = adder("late", {input("lanes"), input("c")}, {to_format("f32")});
  late.zero = ZeroSign::ieee;
  words.finish = {late};
  return words;
}

Datapath scaled_groups() {
  Adder groups = adder("groups", {input("product")}, {});
  groups.group = runs(16);
  groups.window.exponent = WindowExponent::fixed;
  groups.times_scales = true;
  Input from_groups = input("groups", 35), from_acc = input("acc", 35);
  from_groups.empty = from_acc.empty = -139;
  Adder sum = adder("sum", {from_groups, from_acc}, toward_zero_f32());
  sum.window.floor = -139;
  return datapath({"e2m1", "e2m1", "f32", "f32", "ue4m3", 16}, {groups, sum});
}

Datapath scaled_products() {
  Datapath words = fused({"e4m3", "e4m3", "f32", "f32", "ue8m0", 32}, 25, -133, toward_zero_f32());
  words.product.times_scales = true;
  words.product.exponent = ProductExponent::normalised;
  return words;
}

Datapath split_sums() {
  Adder halves = adder("halves", {input("product", 24)}, {});
  halves.group = dealt(8, 1);
  Adder dot = adder("dot", {input("halves", 24, Cut::down)}, {});
  Input acc = input("acc", 24, Cut::down);
  acc.empty = -126;
  acc.lost_below = 25;
  Adder sum = adder("sum", {input("dot", 32, Cut::down), acc},
                    {at(ResultAt::leading_one, 31, Cut::down, -126), to_format("f32")});
  Datapath words = datapath({"e5m2fnuz", "e4m3fnuz", "f32", "f32", "", 0}, {halves, dot, sum});
  words.step = runs(16);
  words.product.infinity_at = 128;
  return words;
}

Datapath overflowing_products() {
  Datapath words = fused({"bf16", "bf16", "f32", "f32", "", 0}, 24, -133, {to_format("f32")});
  words.product.infinity_at = 128;
  return words;
}

// a x b and every addition rounded as IEEE does.
Datapath rounded_products(Shape shape, Specials specials, int group) {
  Result flushed = to_format("f32");
  flushed.subnormals = Subnormals::signed_zero;
  Adder pairs = adder("pairs", {input("product")}, {flushed});
  pairs.shape = shape;
  pairs.group = runs(group);
  Adder sum = adder("sum", {input("acc"), input("pairs")}, {flushed});
  sum.shape = Shape::serial;
  pairs.zero = sum.zero = ZeroSign::ieee;
  Datapath words = datapath({"bf16", "bf16", "f32", "f32", "", 0}, {pairs, sum});
  words.product.round = flushed;
  words.subnormals_a = words.subnormals_b = words.subnormals_c = Subnormals::zero;
  words.specials = specials;
  return words;
}

Datapath multiply_add_chain(const std::string& format) {
  Adder fma = adder("fma", {input("product"), input("acc")}, {to_format(format)});
  fma.zero = ZeroSign::ieee;
  Datapath words = datapath({format, format, format, format, "", 0}, {fma});
  words.step = runs(1);
  words.specials = Specials::operation;
  words.nan = Nan{true, 0};
  words.subnormals_acc = Subnormals::signed_zero;
  return words;
}

Datapath two_lanes() {
  Result flushed = to_format("f32");
  flushed.subnormals = Subnormals::signed_zero;
  flushed.tiny = Tiny::after;
  Adder fma = adder("fma", {input("product"), input("acc")}, {flushed});
  Adder lanes = adder("t", {input("lanes")}, {flushed});
  Adder sum = adder("sum", {input("c"), input("t")}, {flushed});
  fma.zero = lanes.zero = sum.zero = ZeroSign::ieee;
  Datapath words = datapath({"bf16", "bf16", "f32", "f32", "", 0}, {fma});
  words.lanes = dealt(16, 1);
  words.step = runs(1);
  words.start = Start::zero;
  words.specials = Specials::operation;
  words.subnormals_a = words.subnormals_b = words.subnormals_c = Subnormals::signed_zero;
  words.finish = {lanes, sum};
  return words;
}

Datapath exact() {
  Datapath words = datapath({"bf16", "bf16", "f32", "f32", "", 0},
                            {adder("sum", {input("product"), input("acc")}, {to_format("f32")})});
  words.step = runs(2);
  return words;
}

Datapath sticky_coarse() {
  Adder pairs = adder("pairs", {input("product", 22)}, {at(ResultAt::window, 21, Cut::toward_zero)});
  pairs.group = runs(2);
  Adder sum = adder("sum", {input("pairs", 24), input("acc", 24)}, {to_format("f32")});
  sum.sticky = Sticky::below_sum;
  sum.window.step = 4;
  return datapath({"f16", "f16", "f32", "f32", "", 0}, {pairs, sum});
}

// Every item may be cut in its own way, and infinities are numbers.
Datapath ordinary_infinities() {
  Result largest = to_format("f32", Cut::down);
  largest.overflow = Overflow::largest;
  Adder sum = adder("sum", {input("product", 20, Cut::nearest_away), input("acc", 22, Cut::to_odd)}, {largest});
  Datapath words = datapath({"f16", "bf16", "f32", "f32", "", 0}, {sum});
  words.specials = Specials::numbers;
  return words;
}

Datapath integers() {
  Result wrapped = to_format("i32");
  wrapped.overflow = Overflow::wrap;
  Adder sum = adder("sum", {input("product"), input("acc")}, {wrapped});
  sum.window.exponent = WindowExponent::fixed;
  return datapath({"i8", "i8", "i32", "i32", "", 0}, {sum});
}

// Weights in integers, in two steps.
Datapath integer_weights() {
  Adder sum = adder("sum", {input("product", 24), input("acc", 24)}, {to_format("f32")});
  Datapath words = datapath({"f16", "i8", "f32", "f32", "", 0}, {sum});
  words.step = runs(4);
  return words;
}

// What decides a step goes through its last results: infinities become NaN with their sign, which the next step reads.
Datapath narrow_results() {
  Result wide = to_format("f16", Cut::up), narrow = to_format("d");
  wide.overflow = Overflow::directed;
  narrow.overflow = Overflow::largest;
  narrow.infinity = OfInfinity::nan;
  Adder sum = adder("sum", {input("product"), input("acc")}, {wide, narrow});
  Datapath words = datapath({"f16", "f16", "f32", "e4m3", "", 0}, {sum});
  words.nan = Nan{false, 0, true};
  words.step = runs(2);
  return words;
}

// Sums of floats in symmetric integers, added to an integer c.
Datapath symmetric_results(Specials specials) {
  Result whole = to_format("d");
  whole.overflow = Overflow::symmetric;
  whole.infinity = OfInfinity::largest;
  whole.nan = OfNan::largest;
  Adder sum = adder("sum", {input("product"), input("acc")}, {to_format("f32")});
  Adder late = adder("late", {input("lanes"), input("c")}, {whole});
  Datapath words = datapath({"bf16", "bf16", "i32", "i8", "", 0}, {sum});
  words.specials = specials;
  words.start = Start::zero;
  words.step = runs(4);
  words.finish = {late};
  return words;
}

// Zero points of a, a scale of each side, and random words.
Datapath brings_more() {
  Result by_chance = to_format("d", Cut::stochastic_a);
  by_chance.random_bits = 12;
  Adder sum = adder("sum", {input("product", 28), input("acc", 28)}, {by_chance});
  Datapath words = datapath({"i8", "f16", "f32", "f32", "", 0}, {sum});
  words.operands.zero_a = {"i8", 4};
  words.operands.scales = {{"row", Side::a, "bf16", std::nullopt, "product"},
                           {"block", Side::b, "ue8m0", 2, "product"}};
  words.step = runs(4);
  return words;
}

// Two rows of each product, a constant beside them, in two steps.
Datapath rows() {
  Adder sum = adder("sum", {input("product", 10), input("acc", 20)}, {to_format("f32")});
  Datapath words = datapath({"f16", "bf16", "f32", "f32", "", 0}, {sum});
  words.product.rows.emplace().digits = RowDigits::booth4;
  words.product.rows->extension = RowExtension::constant;
  words.step = runs(4);
  return words;
}

std::vector<Example> all() {
  return {
      {"fused_f25", fused_f25(), 16},
      {"chained", chained(), 32},
      {"half_out", fused({"f16", "f16", "f16", "f16", "", 0}, 25, -21, {to_format("d")}), 16},
      {"narrow_c", narrow_c(), 8},
      {"emulated_fp8", emulated_fp8(), 32},
      {"scaled_groups", scaled_groups(), 64},
      {"scaled_products", scaled_products(), 32},
      {"split_sums", split_sums(), 32},
      {"overflowing_products", overflowing_products(), 8},
      {"neighbours", rounded_products(Shape::neighbours, Specials::operation, 4), 16},
      {"halves_of_seven", rounded_products(Shape::halves, Specials::operation, 7), 7},
      {"serial_of_five", rounded_products(Shape::serial, Specials::step, 5), 5},
      {"neighbours_of_six", rounded_products(Shape::neighbours, Specials::step, 6), 12},
      {"multiply_add_f32", multiply_add_chain("f32"), 4},
      {"multiply_add_f64", multiply_add_chain("f64"), 3},
      {"two_lanes", two_lanes(), 32},
      {"exact", exact(), 8},
      {"sticky_coarse", sticky_coarse(), 8},
      {"ordinary_infinities", ordinary_infinities(), 4},
      {"integers", integers(), 16},
      {"integer_weights", integer_weights(), 8},
      {"narrow_results", narrow_results(), 8},
      {"symmetric_of_steps", symmetric_results(Specials::step), 8},
      {"symmetric_of_operations", symmetric_results(Specials::operation), 8},
      {"brings_more", brings_more(), 8},
      {"rows", rows(), 8},
  };
}

}  // namespace

Datapath fused_f25() {
  Datapath words = fused({"f16", "f16", "f32", "f32", "", 0}, 25, -133, {to_format("d", Cut::toward_zero)});
  words.nan = Nan{false, 0x7fffffff};
  return words;
}

const std::vector<Example>& examples() {
  static const std::vector<Example> table = all();
  return table;
}

const Example& example(const std::string& name) {
  for (const Example& candidate : examples()) {
    if (candidate.name == name) return candidate;
  }
  throw std::invalid_argument("There is no example datapath called '" + name + "'.");
}

Plan planned(const Datapath& datapath, int k) {
  auto result = plan(datapath, k);
  if (const auto* problems = std::get_if<1>(&result)) throw std::invalid_argument(problems->front().message);
  return std::move(std::get<0>(result));
}

}  // namespace assay::testing
