// Trees from answers alone, without a device.
#include "tb/probe/tree.hpp"

#include <gtest/gtest.h>

namespace assay::probe {
namespace {

using Matrix = std::vector<std::vector<int>>;

// Products 0 to n - 2 and c, of a plan of n - 1 terms.
std::string text_of(const Matrix& below) {
  std::vector<int> addends(below.size());
  for (std::size_t i = 0; i < below.size(); ++i) addends[i] = static_cast<int>(i);
  Plan plan;
  plan.k = static_cast<int>(below.size()) - 1;
  const auto tree = tree_of(addends, below);
  if (const auto* why = std::get_if<std::string>(&tree)) return *why;
  return tree_text(plan, std::get<Node>(tree));
}

TEST(Tree, OfOneSum) { EXPECT_EQ(text_of({{0, 4, 4, 4}, {4, 0, 4, 4}, {4, 4, 0, 4}, {4, 4, 4, 0}}), "(c + p0..p2)"); }

TEST(Tree, OfAChainFromC) {
  EXPECT_EQ(text_of({{0, 3, 4, 2}, {3, 0, 4, 3}, {4, 4, 0, 4}, {2, 3, 4, 0}}), "(((c + p0) + p1) + p2)");
}

TEST(Tree, OfPairsThatMeetCLast) {
  EXPECT_EQ(text_of({{0, 2, 4, 4, 5}, {2, 0, 4, 4, 5}, {4, 4, 0, 2, 5}, {4, 4, 2, 0, 5}, {5, 5, 5, 5, 0}}),
            "(c + ((p0 + p1) + (p2 + p3)))");
}

TEST(Tree, OfAnExactSum) {
  // c, p0 and p1 exactly; of two addends nobody can say.
  EXPECT_EQ(text_of({{0, 2, 4, 2}, {2, 0, 4, 2}, {4, 4, 0, 4}, {2, 2, 4, 0}}), "({c + p0 + p1} + p2)");
}

TEST(Tree, IsNoneWhereAnswersContradictEachOther) {
  EXPECT_EQ(text_of({{0, 4, 4, 4}, {4, 0, 4, 4}, {4, 4, 0, 4}, {4, 4, 4, 0}}).find("hides"), std::string::npos);
  EXPECT_EQ(text_of({{0, 6, 6, 6}, {6, 0, 6, 6}, {6, 6, 0, 6}, {6, 6, 6, 0}}), "a sum of 4 addends hides 6 of them");
}

TEST(Tree, IsDrawn) {
  Plan plan;
  plan.k = 2;
  const Node tree = std::get<Node>(tree_of({0, 1, 2}, {{0, 3, 2}, {3, 0, 3}, {2, 3, 0}}));
  EXPECT_EQ(tree_text(plan, tree), "((c + p0) + p1)");
  EXPECT_EQ(tree_dot(plan, tree),
            "digraph sum {\n  rankdir = BT;\n  node [fontname = \"monospace\"];\n"
            "  n0 [label = \"+\"];\n  n1 [label = \"+\"];\n  n2 [label = \"c\", shape = box];\n  n2 -> n1;\n"
            "  n3 [label = \"p0\", shape = box];\n  n3 -> n1;\n  n1 -> n0;\n  n4 [label = \"p1\", shape = box];\n"
            "  n4 -> n0;\n}\n");
  const std::string svg = tree_svg(plan, tree);
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0u);
  EXPECT_NE(svg.find("<title>The order in which the unit adds</title>"), std::string::npos);
  std::size_t lines = 0;
  for (std::size_t at = svg.find("<line"); at != std::string::npos; at = svg.find("<line", at + 1)) ++lines;
  EXPECT_EQ(lines, 4u);
}

}  // namespace
}  // namespace assay::probe
