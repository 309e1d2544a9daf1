// Who adds what: the order of trees and chains, dealt groups, and what each sum is called.
#include <gtest/gtest.h>

#include "tb/tests/core/datapaths.hpp"

namespace assay::test {
namespace {

// A block as one expression: terms are a, b, c, .., the one is z, and each sum stands in brackets.
std::string expression(const CircuitBlock& block) {
  std::vector<std::string> values;
  for (int i = 0; i < block.terms; ++i) values.emplace_back(1, static_cast<char>('a' + i));
  values.emplace_back("z");
  for (const SumNode& sum : block.sums) {
    std::string text = "(";
    for (const SumItem& item : sum.items) text += values[static_cast<std::size_t>(item.value)];
    values.push_back(text + ")");
  }
  return values.back();
}

CircuitBlock step_of(const Datapath& words, int k) { return planned(words, k).circuit.step; }

std::string shaped(Shape shape, int k) {
  return expression(step_of(with(exact(), [&](Datapath& w) { w.adders[0].shape = shape; }), k));
}

TEST(Circuit, OrderOfSums) {
  EXPECT_EQ(shaped(Shape::flat, 3), "(abcz)");
  EXPECT_EQ(shaped(Shape::serial, 3), "(((ab)c)z)");
  EXPECT_EQ(shaped(Shape::neighbours, 3), "((ab)(cz))");
  EXPECT_EQ(shaped(Shape::halves, 3), "((ac)(bz))");
  EXPECT_EQ(shaped(Shape::neighbours, 4), "(((ab)(cd))z)");
  EXPECT_EQ(shaped(Shape::halves, 4), "(((ad)c)(bz))");
}

TEST(Circuit, DealsTermsToGroups) {
  const auto dealt = [](Deal deal, int unit) {
    return expression(step_of(with(group_scaled(),
                                   [&](Datapath& w) {
                                     w.adders[0].group = group(4, deal, unit);
                                     w.adders[0].times_scales = false;
                                     w.operands.scale.clear();
                                   }),
                              8));
  };
  EXPECT_EQ(dealt(Deal::neighbours, 1), "((abcd)(efgh)z)");
  EXPECT_EQ(dealt(Deal::strided, 1), "((aceg)(bdfh)z)");
  EXPECT_EQ(dealt(Deal::strided, 2), "((abef)(cdgh)z)");
}

TEST(Circuit, OfAFinishTakesLanesAndC) {
  const Plan p = planned(two_lanes(), 16);
  EXPECT_EQ(p.circuit.finish.terms, 2);
  EXPECT_EQ(p.circuit.finish.values(), 3 + static_cast<int>(p.circuit.finish.sums.size()));
}

TEST(Circuit, CallsSumsByAdderGroupAndAddition) {
  const CircuitBlock tree = step_of(with(exact(), [](Datapath& w) { w.adders[0].shape = Shape::neighbours; }), 3);
  ASSERT_EQ(tree.sums.size(), 3U);
  EXPECT_EQ(tree.sums[1].name, "sum.add[1]");
  EXPECT_EQ(tree.sums[1].addition, 1);
  const CircuitBlock groups = step_of(group_scaled(), 32);
  EXPECT_EQ(groups.sums[1].name, "groups[1]");
  EXPECT_EQ(groups.sums[1].scaled_by, 16);
  EXPECT_EQ(groups.sums.back().scaled_by, -1);
}

// What a tree's earlier sum left enters as its left item did.
TEST(Circuit, PassesTheWordsOfTheLeftItemOn) {
  const CircuitBlock chain = step_of(with(exact(),
                                          [](Datapath& w) {
                                            w.adders[0].shape = Shape::serial;
                                            std::swap(w.adders[0].add[0], w.adders[0].add[1]);
                                          }),
                                     2);
  ASSERT_EQ(chain.sums.size(), 2U);
  EXPECT_EQ(expression(chain), "((za)b)");
  EXPECT_EQ(chain.sums[1].items[0].input, 0);
  EXPECT_EQ(chain.sums[1].items[1].input, 1);
}

TEST(Circuit, SaysWhatAValueIsAndHowFarItReaches) {
  const Plan p = planned(group_scaled(), 64);
  const CircuitBlock& step = p.circuit.step;
  ASSERT_EQ(static_cast<int>(step.ranges.size()), step.values());
  EXPECT_EQ(step.kind(0), ValueKind::term);
  EXPECT_EQ(step.kind(step.one()), ValueKind::one);
  EXPECT_EQ(step.kind(step.result()), ValueKind::sum);
  EXPECT_EQ(step.sum_of(step.result()).name, "sum");
  const auto quantum = [&](int value) { return step.ranges[static_cast<std::size_t>(value)].least_quantum(); };
  EXPECT_EQ(quantum(0), p.term_range.least_quantum());
  EXPECT_EQ(quantum(step.one()), p.acc_range.least_quantum());
  EXPECT_EQ(quantum(step.result()), p.adders.back().range.least_quantum());
}

TEST(Circuit, ListsWhatIsDoneToProducts) {
  const auto works = [](const Datapath& words) {
    std::vector<ProductWork> list;
    for (const ProductNode& node : planned(words, 64).circuit.products) list.push_back(node.work);
    return list;
  };
  EXPECT_EQ(works(exact()), (std::vector<ProductWork>{ProductWork::multiply}));
  const Datapath scaled = with(fused(), [](Datapath& w) {
    w.operands = {"e2m1", "e2m1", "f32", "f32", "ue8m0", 16};
    w.product.times_scales = true;
    w.product.exponent = ProductExponent::normalised;
  });
  EXPECT_EQ(works(scaled), (std::vector<ProductWork>{ProductWork::multiply, ProductWork::scale, ProductWork::round}));
  EXPECT_FALSE(planned(scaled, 64).circuit.products.back().region);  // an exponent alone cannot be seen
}

TEST(Circuit, IsOneSumWhereAllTermsMeetAccAtOnce) {
  EXPECT_TRUE(is_one_sum(step_of(exact(), 4)));
  EXPECT_FALSE(is_one_sum(step_of(group_scaled(), 64)));
  EXPECT_FALSE(is_one_sum(step_of(with(exact(), [](Datapath& w) { w.adders[0].shape = Shape::serial; }), 4)));
  EXPECT_FALSE(
      is_one_sum(step_of(with(exact(), [](Datapath& w) { std::swap(w.adders[0].add[0], w.adders[0].add[1]); }), 4)));
}

TEST(Circuit, IsWiredAlikeWhereTheSameValuesMeet) {
  const auto shape = [](Shape shape) { return [=](Datapath& w) { w.adders[0].shape = shape; }; };
  const auto of = [&](Shape s, int k) { return step_of(with(exact(), shape(s)), k); };
  EXPECT_TRUE(wired_alike(of(Shape::neighbours, 2), of(Shape::serial, 2)));
  EXPECT_FALSE(wired_alike(of(Shape::neighbours, 3), of(Shape::serial, 3)));
  EXPECT_FALSE(wired_alike(of(Shape::serial, 3), of(Shape::serial, 4)));
}

}  // namespace
}  // namespace assay::test
