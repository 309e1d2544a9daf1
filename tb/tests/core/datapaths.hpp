// Datapaths built in C++, and their plans.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "model/core/plan.hpp"

namespace assay::test {

inline Input input(const std::string& source, std::optional<int> keep = std::nullopt, Cut cut = Cut::toward_zero) {
  Input i;
  i.source = source;
  i.keep = keep;
  i.cut = cut;
  return i;
}

inline Result to_format(const std::string& format, Cut cut, Overflow overflow = Overflow::infinity) {
  Result r;
  r.format = format;
  r.cut = cut;
  r.overflow = overflow;
  return r;
}

inline Result at_window(int keep, Cut cut) {
  Result r;
  r.at = ResultAt::window;
  r.keep = keep;
  r.cut = cut;
  return r;
}

inline Result at_leading_one(int keep, Cut cut, std::optional<int> least_exponent) {
  Result r;
  r.at = ResultAt::leading_one;
  r.keep = keep;
  r.cut = cut;
  r.least_exponent = least_exponent;
  return r;
}

inline Adder adder(const std::string& name, const std::vector<Input>& add, const std::vector<Result>& results = {}) {
  Adder a;
  a.name = name;
  a.add = add;
  a.results = results;
  return a;
}

inline Group group(int terms, Deal deal = Deal::neighbours, int unit = 1) { return {terms, deal, unit}; }

// One fused sum of all products and acc, f16 in and f32 out, by default that of wgmma.m64nNk16.f32.f16.f16.
inline Datapath fused(int keep = 25) {
  Datapath w;
  w.name = "fused";
  w.operands = {"f16", "f16", "f32", "f32", "", 0};
  w.nan = Nan{false, 0x7fffffff};
  w.adders = {adder("sum", {input("product", keep), input("acc", keep)}, {to_format("d", Cut::toward_zero)})};
  w.adders[0].window.floor = -133;
  return w;
}

// One sum of everything, exact, rounded once.
inline Datapath exact() {
  Datapath w = fused();
  w.adders = {adder("sum", {input("product"), input("acc")}, {to_format("d", Cut::nearest_even)})};
  return w;
}

// i8 in, i32 out, as integers are added everywhere.
inline Datapath integers() {
  Datapath w;
  w.name = "integers";
  w.operands = {"i8", "i8", "i32", "i32", "", 0};
  w.specials = Specials::numbers;
  w.adders = {adder("sum", {input("product"), input("acc")}, {to_format("d", Cut::toward_zero, Overflow::wrap)})};
  w.adders[0].window.exponent = WindowExponent::fixed;
  return w;
}

// Two lanes of fused multiply-adds from zero; their sum, then c.
inline Datapath two_lanes() {
  Datapath w;
  w.name = "two_lanes";
  w.operands = {"bf16", "bf16", "f32", "f32", "", 0};
  w.specials = Specials::operation;
  w.lanes = group(8, Deal::strided);
  w.step = group(1);
  w.start = Start::zero;
  const Result rounded = to_format("f32", Cut::nearest_even);
  w.adders = {adder("fma", {input("product"), input("acc")}, {rounded})};
  w.finish = {adder("both", {input("lanes")}, {rounded}), adder("late", {input("c"), input("both")}, {rounded})};
  return w;
}

// Groups of sixteen products summed exactly and scaled, then one fused sum.
inline Datapath group_scaled() {
  Datapath w = fused(35);
  w.name = "group_scaled";
  w.operands = {"e2m1", "e2m1", "f32", "f32", "ue8m0", 16};
  Adder groups = adder("groups", {input("product")});
  groups.group = group(16);
  groups.window.exponent = WindowExponent::fixed;
  groups.times_scales = true;
  w.adders[0].add[0].source = "groups";
  w.adders[0].window.floor = -139;
  w.adders.insert(w.adders.begin(), groups);
  return w;
}

inline std::string problems_of(const Datapath& datapath, int k) {
  const auto planned = plan(datapath, k);
  if (std::holds_alternative<Plan>(planned)) return "";
  std::string text;
  for (const Problem& p : std::get<std::vector<Problem>>(planned)) {
    text += (text.empty() ? "" : "\n") + p.key + ": " + p.message;
  }
  return text;
}

inline Plan planned(const Datapath& datapath, int k) {
  auto planned = plan(datapath, k);
  if (auto* good = std::get_if<Plan>(&planned)) return std::move(*good);
  throw std::invalid_argument(problems_of(datapath, k));
}

// The same datapath with something changed.
inline Datapath with(Datapath datapath, const std::function<void(Datapath&)>& change) {
  change(datapath);
  return datapath;
}

}  // namespace assay::test
