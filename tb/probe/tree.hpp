// In which order a unit adds: the summation tree, found from the outside.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tb/probe/addends.hpp"
#include "tb/probe/asker.hpp"

namespace assay::probe {

// A sum of its children, or one addend.
struct Node {
  int addend = -1;     // of a leaf
  bool exact = false;  // nothing that is added here is lost, however small
  std::vector<Node> children;

  bool is_leaf() const { return children.empty(); }
  int leaves() const;
  int first_leaf() const { return is_leaf() ? addend : children.front().first_leaf(); }
};

// X and -X in two addends and a small number in all others: the result counts those that were added after X and -X had
// met, since the others were lost beside X. So each pair tells how many addends lie below the sum in which it meets.
//
// Where the answers fit no tree, a sentence that says how.
std::variant<Node, std::string> summation_tree(const Workbench& bench, Asker& asker);

// Of answers for each pair: `below[i][j]` addends of `addends` lie below the sum in which i and j meet. Where sums are
// exact it is 2 more than nothing: the pair itself.
std::variant<Node, std::string> tree_of(const std::vector<int>& addends, const std::vector<std::vector<int>>& below);

// The sum to which the addend is added directly; nullptr where it is alone.
const Node* sum_of(const Node& tree, int addend);

int terms_a_step(const Plan& plan, const Node& tree);  // the most products that one sum takes directly

std::string tree_text(const Plan& plan, const Node& tree);  // ((c + p0..p7) + p8..p15); { } where exact
std::string tree_dot(const Plan& plan, const Node& tree);   // for graphviz
std::string tree_svg(const Plan& plan, const Node& tree);

}  // namespace assay::probe
