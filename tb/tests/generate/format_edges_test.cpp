// The edges of formats that are lists of values, held to lists by hand, and cases that come by each of them.
#include "tb/generate/format_edges.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "model/core/decode.hpp"
#include "model/core/dot.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/generate/plans.hpp"

namespace assay {
namespace {

double value_of(const Number& n) {
  const double size = std::ldexp(static_cast<double>(n.magnitude), n.quantum);
  return n.negative ? -size : size;
}

double value_of(Code code, const Format& format) {
  return value_of(decode(code, format, Subnormals::keep, Specials::step));
}

using Edges = std::map<EdgeKind, std::set<double>>;

Edges edges_of(const Format& format) {
  Edges found;
  for (const FormatEdge& edge : format_edges(format.values()))
    found[edge.kind].insert(value_of(format.values().ascending[edge.value].number));
  return found;
}

// +-2^e of each e.
std::set<double> powers(const std::vector<int>& exponents) {
  std::set<double> values;
  for (const int e : exponents) values.insert({std::ldexp(1.0, e), std::ldexp(-1.0, e)});
  return values;
}

// From the table of HiF8: one value a binade up to 2^-16, then mantissas of 1, 2, 3, 2 and 1 bits. Where a mantissa
// grows by a bit, at 2^-15, 2^-7 and 2^-3, steps stay as they are; elsewhere each binade doubles them.
const std::vector<int> changes_of_hif8{-21, -20, -19, -18, -17, -16, -14, -13, -12, -11, -10, -9, -8, -6, -5, -4, -2,
                                       -1,  0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10, 11, 12, 13, 14};

// posit8_2: 3 bits of fraction from 2^-4 to 2^4, one less every fourth binade outwards; then 2^16, 2^18, 2^20, 2^24.
// Where it grows by a bit, at 2^-12, 2^-8 and 2^-4, steps stay; at 2^-16 they grow from 3/4 of it to it.
const std::vector<int> changes_of_posit8_2{-24, -20, -18, -15, -14, -13, -11, -10, -9, -7, -6, -5, -3, -2, -1, 0,  1,
                                           2,   3,   4,   5,   6,   7,   8,   9,   10, 11, 12, 13, 14, 15, 16, 18, 20};

TEST(FormatEdges, OfHif8AreThoseOfItsTable) {
  const Edges found = edges_of(*find_format("hif8"));
  EXPECT_EQ(found, (Edges{{EdgeKind::least, {-32768}},
                          {EdgeKind::greatest, {32768}},
                          {EdgeKind::beside_zero, powers({-22})},
                          {EdgeKind::precision, powers(changes_of_hif8)}}));
}

TEST(FormatEdges, OfPosit8_2AreThoseOfItsTable) {
  const Edges found = edges_of(*find_format("posit8_2"));
  EXPECT_EQ(found, (Edges{{EdgeKind::least, {-16777216}},
                          {EdgeKind::greatest, {16777216}},
                          {EdgeKind::beside_zero, powers({-24})},
                          {EdgeKind::precision, powers(changes_of_posit8_2)}}));
}

// Eight values with a hole from 3 to 7; what is beyond -1 has a gap on one side only.
Format holed() {
  Format f;
  f.name = "holed";
  f.kind = FormatKind::values;
  f.stored_bits = 3;
  f.listed = {"0", "1", "2", "3", "7", "8", "-1", "-6"};
  EXPECT_EQ(complete(f), "");
  return f;
}

TEST(FormatEdges, HolesAreWiderThanTheGapsBesideThem) {
  EXPECT_EQ(edges_of(holed()), (Edges{{EdgeKind::least, {-6}},
                                      {EdgeKind::greatest, {8}},
                                      {EdgeKind::beside_zero, {-1, 1}},
                                      {EdgeKind::precision, {-1, 3, 7}},
                                      {EdgeKind::hole, {3}}}));
}

// --- cases ---

Plan plan_of(const Format& list, const char* c, bool as_d) {
  Datapath words;
  words.name = "lists";
  words.formats = {list};
  words.operands = {list.name, list.name, c, as_d ? list.name : "f32", "", 0};
  if (as_d) words.operands.a = words.operands.b = "f32";
  Adder sum;
  sum.name = "sum";
  sum.add = {input("product"), input("acc")};
  Result last = in_d(Cut::nearest_away);
  last.overflow = as_d ? Overflow::largest : Overflow::infinity;
  last.infinity = as_d ? OfInfinity::largest : OfInfinity::keep;
  last.nan = as_d ? OfNan::zero : OfNan::keep;
  sum.results = {last};
  words.adders = {sum};
  return planned(words, 4);
}

Format own(const char* name) {
  Format f = *find_format(name);
  f.name = std::string("own_") + name;
  return f;
}

std::vector<Case> cases_of(const Plan& plan, int count) {
  const Family* family = find_family(plan, "format_edges");
  EXPECT_NE(family, nullptr);
  const Generator generator(plan, 1, family);
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) cases.push_back(generator.make(static_cast<std::uint64_t>(i)));
  return cases;
}

class ListCases : public testing::TestWithParam<const char*> {
 protected:
  Format format() const { return std::string(GetParam()) == "holed" ? holed() : own(GetParam()); }
};

// As a, as b and as c; the upper value of a hole, too.
TEST_P(ListCases, PutEachEdgeIntoEachOperand) {
  const Format list = format();
  const Plan plan = plan_of(list, list.name.c_str(), false);
  const std::size_t edges = format_edges(list.values()).size();
  std::set<double> a, b, c;
  for (const Case& one : cases_of(plan, static_cast<int>(2 * edges))) {
    for (const Code code : one.a) a.insert(value_of(code, plan.a));
    for (const Code code : one.b) b.insert(value_of(code, plan.b));
    c.insert(value_of(one.c, plan.c));
  }
  for (const FormatEdge& edge : format_edges(list.values())) {
    for (const std::size_t above : {0, edge.kind == EdgeKind::hole ? 1 : 0}) {
      const double value = value_of(list.values().ascending[edge.value + above].number);
      for (const auto* met : {&a, &b, &c}) EXPECT_EQ(met->count(value), 1u) << value;
    }
  }
}

// Of d's edges: sums at each, and at, below and above each place beside it where the nearest value changes.
TEST_P(ListCases, BringSumsToEachEdgeOfD) {
  const Format list = format();
  const Plan plan = plan_of(list, "f32", true);
  const std::vector<FormatEdge> edges = format_edges(list.values());
  std::map<double, Code> met;
  Registers registers;
  for (const Case& one : cases_of(plan, static_cast<int>(8 * edges.size()))) {
    double sum = value_of(one.c, plan.c);
    for (std::size_t i = 0; i < one.a.size(); ++i) sum += value_of(one.a[i], plan.a) * value_of(one.b[i], plan.b);
    met[sum] = dot(plan, one.operand(), registers);
  }
  const std::vector<ListedValue>& values = list.values().ascending;
  const auto is_met = [&](std::size_t lower) {
    const double from = value_of(values[lower].number), to = value_of(values[lower + 1].number);
    std::set<Code> results;
    int between = 0;
    for (auto at = met.upper_bound(from); at != met.end() && at->first < to; ++at, ++between)
      results.insert(at->second);
    if (list.rule == "posit" && (from == 0 || to == 0)) {  // nothing but zero becomes zero
      EXPECT_EQ(results, (std::set<Code>{values[from == 0 ? lower + 1 : lower].code})) << from << " to " << to;
      return;
    }
    EXPECT_GE(between, 3) << from << " to " << to;
    EXPECT_EQ(results, (std::set<Code>{values[lower].code, values[lower + 1].code})) << from << " to " << to;
  };
  for (const FormatEdge& edge : edges) {
    const double value = value_of(values[edge.value].number);
    EXPECT_EQ(met.count(value), 1u) << value;
    if (edge.value + 1 < values.size()) is_met(edge.value);
    if (edge.value > 0 && edge.kind != EdgeKind::hole) is_met(edge.value - 1);
  }
}

// --- what is rounded to a list on the way ---

enum class Inside { element_a, element_b, product, sum };

Plan plan_inside(const Format& list, Inside inside) {
  Result to_list = in_d(Cut::nearest_away);
  to_list.format = list.name;
  to_list.overflow = Overflow::largest;
  to_list.infinity = OfInfinity::largest;
  to_list.nan = OfNan::zero;
  Datapath words;
  words.name = "inside";
  words.formats = {list};
  words.operands = {"f64", "f64", "f64", "f64", "", 0};
  if (inside == Inside::element_a) words.factor_a.round = to_list;
  if (inside == Inside::element_b) words.factor_b.round = to_list;
  if (inside == Inside::product) words.product.round = to_list;
  Adder first, sum;
  first.name = "first";
  first.add = {input("product")};
  if (inside == Inside::sum) first.results = {to_list};
  sum.name = "sum";
  sum.add = {input(inside == Inside::sum ? "first" : "product"), input("acc")};
  sum.results = {in_d(Cut::nearest_even)};
  words.adders = {sum};
  if (inside == Inside::sum) words.adders = {first, sum};
  return planned(words, 4);
}

// What d is for what is rounded, of cases whose c adds nothing to it.
std::map<double, std::set<double>> rounded_inside(const Plan& plan, int count) {
  std::map<double, std::set<double>> met;
  Registers registers;
  for (const Case& one : cases_of(plan, count)) {
    if (value_of(one.c, plan.c) != 0) continue;
    double sum = 0;
    for (std::size_t i = 0; i < one.a.size(); ++i) sum += value_of(one.a[i], plan.a) * value_of(one.b[i], plan.b);
    met[sum].insert(value_of(dot(plan, one.operand(), registers), plan.d));
  }
  return met;
}

// Each edge itself, and on both sides of where the nearest value changes beside it; either value comes out.
TEST_P(ListCases, BringWhatIsRoundedInsideToEachEdge) {
  const Format list = format();
  const std::vector<ListedValue>& values = list.values().ascending;
  const std::vector<FormatEdge> edges = format_edges(list.values());
  for (const Inside inside : {Inside::element_a, Inside::element_b, Inside::product, Inside::sum}) {
    const auto met = rounded_inside(plan_inside(list, inside), static_cast<int>(8 * edges.size()));
    const auto is_met = [&](std::size_t lower) {
      const double from = value_of(values[lower].number), to = value_of(values[lower + 1].number);
      std::set<double> results;
      for (auto at = met.upper_bound(from); at != met.end() && at->first < to; ++at)
        results.insert(at->second.begin(), at->second.end());
      std::set<double> expected{from, to};
      if (list.rule == "posit") expected.erase(0);  // nothing but zero becomes zero
      EXPECT_EQ(results, expected) << from << " to " << to << ", " << static_cast<int>(inside);
    };
    for (const FormatEdge& edge : edges) {
      const double value = value_of(values[edge.value].number);
      EXPECT_EQ(met.count(value), 1u) << value << ", " << static_cast<int>(inside);
      if (edge.value + 1 < values.size()) is_met(edge.value);
      if (edge.value > 0 && edge.kind != EdgeKind::hole) is_met(edge.value - 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ListCases, testing::Values("hif8", "posit8_2", "nf4", "Binary8p1se", "holed"),
                         [](const auto& tested) { return std::string(tested.param); });

// Ties of products, and what is too large for them, where their format is not d's.
TEST(FormatEdges, OfProductsWithFieldsTellCutsAndOverflowApart) {
  const auto with = [](Cut cut, Overflow overflow) {
    Datapath words = fused("f16", "f32", 25, -133);
    words.product.round = in_d(cut);
    words.product.round->format = "e5m2";
    words.product.round->overflow = overflow;
    return planned(words, 4);
  };
  const Plan right = with(Cut::nearest_even, Overflow::infinity);
  Registers registers;
  for (const Plan& other : {with(Cut::nearest_away, Overflow::infinity), with(Cut::nearest_even, Overflow::largest)}) {
    int differ = 0;
    for (const Case& one : cases_of(right, 190))
      differ += dot(right, one.operand(), registers) != dot(other, one.operand(), registers) ? 1 : 0;
    EXPECT_GT(differ, 0);
  }
}

TEST(FormatEdges, AreNoFamilyOfOtherFormats) { EXPECT_EQ(find_family(planned(f16()), "format_edges"), nullptr); }

}  // namespace
}  // namespace assay
