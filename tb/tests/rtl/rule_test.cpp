// The blocks of formats whose codes a rule reads: every code in, and numbers on each side of whatever rounding may turn
// at.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "model/core/values.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/many.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

// One product, and c, which alone decides d where the product is zero.
std::string unit_text(const std::string& rule, const std::string& parameters, const std::string& result) {
  return "name: rule\nformats: {own: {rule: " + rule + ", parameters: {" + parameters +
         "}}}\nk: 1\noperands: {a: own, b: own, c: f64, d: own}\nspecials: step\nadders:\n  - name: sum\n    add: "
         "{product: {keep: 56, cut: toward_zero}, acc: {keep: 56, cut: toward_zero}}\n    result: [{format: d, " +
         result + "}]\n";
}

void add_around(std::vector<double>& list, const Number& n) {
  const double value = std::ldexp(static_cast<double>(n.magnitude), n.quantum) * (n.negative ? -1 : 1);
  if (!std::isfinite(value)) return;
  list.insert(list.end(), {value, std::nextafter(value, HUGE_VAL), std::nextafter(value, -HUGE_VAL)});
}

// Values, what decides between them, and what lies beyond the last.
std::vector<double> turning_points(const Format& format) {
  const ValueTable& table = format.values();
  std::vector<double> list{HUGE_VAL, -HUGE_VAL, std::nan("")};
  for (const ListedValue& value : table.ascending) add_around(list, value.number);
  for (const Number& boundary : table.boundaries) add_around(list, boundary);
  for (const auto& [end, last] :
       {std::pair{table.below, table.ascending.front()}, std::pair{table.above, table.ascending.back()}}) {
    if (!end) continue;
    add_around(list, *end);
    add_around(list, middle(*end, last.number));
  }
  return list;
}

Case with_c(double c) {
  Case one;
  one.a = one.b = {0};
  std::memcpy(&one.c, &c, sizeof c);
  return one;
}

std::vector<Case> all_codes(const Format& format, std::size_t most) {
  std::vector<Case> list;
  const Code codes = Code{1} << format.stored_bits, step = std::max<Code>(1, codes / most | 1);
  for (Code code = 0; code < codes; code += step) {
    Case one;
    one.a = {code};
    one.b = {(code * 0x9e37 + 1) & (codes - 1)};
    list.push_back(one);
  }
  return list;
}

// About as many of each kind at most, in steps that meet a value, what lies above and what lies below it in turn;
// then every power of two.
std::vector<Case> cases_of(const Plan& plan, std::size_t most) {
  std::vector<Case> list = all_codes(plan.d, most);
  const std::vector<double> points = turning_points(plan.d);
  const std::size_t step = std::max<std::size_t>(1, points.size() / most | 1);
  for (std::size_t i = 0; i < points.size(); i += step) list.push_back(with_c(points[i]));
  for (int exponent = -1074; exponent < 1024; ++exponent) {  // far beyond either end, too
    for (const double sign : {-1, 1}) list.push_back(with_c(std::ldexp(sign, exponent)));
  }
  return list;
}

void expect_core(const std::vector<std::string>& texts, std::size_t most) {
  std::vector<Plan> plans;
  std::vector<const Plan*> pointers;
  for (const std::string& text : texts) plans.push_back(plan_of_text(text));
  std::vector<std::vector<Case>> cases;
  std::size_t count = 0;
  for (const Plan& plan : plans) {
    pointers.push_back(&plan);
    cases.push_back(cases_of(plan, most));
    count = std::max(count, cases.back().size());
  }
  for (auto& list : cases) list.resize(count, list.back());  // all units get as many
  const ManyRtl many(pointers, scratch_folder());
  ASSERT_EQ(many.trouble(), "");
  std::vector<Judgement> judged(plans.size());
  many.compare(cases, judged);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    EXPECT_GE(judged[i].cases, 256u) << texts[i];
    EXPECT_EQ(judged[i].same, judged[i].cases) << texts[i] << judged[i].first;
  }
}

const std::vector<std::string> cuts{"toward_zero", "down", "up", "nearest_even", "nearest_away", "to_odd"};

TEST(Rules, EveryCodeAndTurningPointOfEightBits) {
  std::vector<std::string> texts;
  for (const std::string& cut : cuts) {
    texts.push_back(unit_text("posit", "bits: 8, es: 2", "overflow: largest, infinity: nan, cut: " + cut));
    texts.push_back(unit_text("prefix", "bits: 8, exponent: 4", "overflow: directed, cut: " + cut));
  }
  expect_core(texts, 100'000);
}

TEST(Rules, OtherShapes) {
  std::vector<std::string> texts;
  for (const char* parameters : {"bits: 3, es: 0", "bits: 3, es: 4", "bits: 5, es: 3", "bits: 8, es: 0",
                                 "bits: 9, es: 4", "bits: 16, es: 1", "bits: 16, es: 4"})
    texts.push_back(unit_text("posit", parameters, "overflow: largest, infinity: largest, cut: nearest_even"));
  for (const char* parameters :
       {"bits: 6, exponent: 2", "bits: 9, exponent: 5", "bits: 16, exponent: 2", "bits: 16, exponent: 5"})
    texts.push_back(unit_text("prefix", parameters, "cut: nearest_even"));
  expect_core(texts, 3000);
}

}  // namespace
}  // namespace assay
