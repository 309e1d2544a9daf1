#include "tb/probe/tree.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace assay::probe {
namespace {

using Positions = std::vector<int>;  // in the list of addends

class Builder {
 public:
  Builder(const std::vector<int>& addends, const std::vector<std::vector<int>>& below)
      : addends_(addends), below_(below) {}

  // The tree above these, from the first of them upward.
  std::optional<Node> build(const Positions& all) {
    const int first = all.front();
    Node tree = leaf(first);
    std::map<int, Positions> by_size;
    for (const int other : all) {
      if (other != first) by_size[at(first, other)].push_back(other);
    }
    for (const auto& [size, joining] : by_size) {
      auto above = join(std::move(tree), joining, size);
      if (!above) return std::nullopt;
      tree = std::move(*above);
    }
    return tree;
  }

  const std::string& contradiction() const { return contradiction_; }

 private:
  int at(int i, int j) const { return below_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }
  Node leaf(int position) const { return {addends_[static_cast<std::size_t>(position)], false, {}}; }

  // The sum of `tree` and those that meet it with `size` addends below.
  std::optional<Node> join(Node tree, const Positions& joining, int size) {
    const int had = tree.leaves();
    Node sum;
    sum.children.push_back(std::move(tree));
    for (const Positions& together : met_before(joining, size)) {
      auto child = build(together);
      if (!child) return std::nullopt;
      sum.children.push_back(std::move(*child));
    }
    const int has = sum.leaves();
    if (size == has) return sum;
    if (size != had + 1) {
      contradiction_ = "a sum of " + std::to_string(has) + " addends hides " + std::to_string(size) + " of them";
      return std::nullopt;
    }
    sum.exact = true;
    return flattened(std::move(sum));
  }

  // Those that meet each other further down than at `size`, together.
  std::vector<Positions> met_before(Positions joining, int size) const {
    std::vector<Positions> groups;
    while (!joining.empty()) {
      Positions group{joining.front()};
      joining.erase(joining.begin());
      for (std::size_t i = 0; i < group.size(); ++i) {
        const auto meets = [&](int other) { return at(group[i], other) < size; };
        std::copy_if(joining.begin(), joining.end(), std::back_inserter(group), meets);
        joining.erase(std::remove_if(joining.begin(), joining.end(), meets), joining.end());
      }
      std::sort(group.begin(), group.end());
      groups.push_back(std::move(group));
    }
    return groups;
  }

  // An exact sum of exact sums is one exact sum.
  static Node flattened(Node sum) {
    Node flat;
    flat.exact = true;
    for (std::size_t i = 0; i < sum.children.size(); ++i) {
      Node& child = sum.children[i];
      if (i > 0 && child.exact) {
        std::move(child.children.begin(), child.children.end(), std::back_inserter(flat.children));
      } else {
        flat.children.push_back(std::move(child));
      }
    }
    return flat;
  }

  const std::vector<int>& addends_;
  const std::vector<std::vector<int>>& below_;
  std::string contradiction_;
};

// How many of the others a result counts; nothing where it is no such number.
std::optional<int> count_of(const exact::Datum& d, int unit, int most) {
  if (d.kind != exact::Kind::finite || sign(d.value) < 0) return std::nullopt;
  const mpz_class count = units_in(d.value, unit, exact::Rounding::toward_zero);
  const bool whole = sign(d.value - exact::Dyadic{count, unit}) == 0;
  if (!whole || count > most) return std::nullopt;
  return static_cast<int>(count.get_si());
}

}  // namespace

int Node::leaves() const {
  if (is_leaf()) return 1;
  return std::accumulate(children.begin(), children.end(), 0, [](int n, const Node& c) { return n + c.leaves(); });
}

std::variant<Node, std::string> tree_of(const std::vector<int>& addends, const std::vector<std::vector<int>>& below) {
  Builder builder(addends, below);
  // c first, so that a chain that begins with it reads from the left.
  Positions all(addends.size());
  std::iota(all.begin(), all.end(), 0);
  std::rotate(all.begin(), all.end() - 1, all.end());
  auto tree = builder.build(all);
  if (!tree) return builder.contradiction();
  return std::move(*tree);
}

std::variant<Node, std::string> summation_tree(const Workbench& bench, Asker& asker) {
  const std::vector<int>& addends = bench.free_addends();
  const auto count = addends.size();
  const int large = bench.powers().greatest, small = bench.powers().least;
  std::vector<Case> cases;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      Addends numbers;
      for (const int addend : addends) numbers[addend] = power(small);
      numbers[addends[i]] = power(large);
      numbers[addends[j]] = minus(power(large));
      const auto made = bench.with(numbers);
      if (!made) return std::string("the formats do not hold so large and so small numbers side by side");
      cases.push_back(*made);
    }
  }
  const std::vector<exact::Datum> results = asker.numbers(cases);
  std::vector<std::vector<int>> below(count);
  for (std::vector<int>& row : below) row.assign(count, 0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const auto after = count_of(results[next++], small, static_cast<int>(count) - 2);
      if (!after) {
        return "with X in " + addend_name(bench.plan(), addends[i]) + " and -X in " +
               addend_name(bench.plan(), addends[j]) + " the result is no count of the others";
      }
      below[i][j] = below[j][i] = static_cast<int>(count) - *after;
    }
  }
  return tree_of(addends, below);
}

const Node* sum_of(const Node& tree, int addend) {
  for (const Node& child : tree.children) {
    if (child.addend == addend) return &tree;
    if (const Node* found = sum_of(child, addend)) return found;
  }
  return nullptr;
}

int terms_a_step(const Plan& plan, const Node& tree) {
  int most = 0, here = 0;
  for (const Node& child : tree.children) {
    here += child.is_leaf() && child.addend != plan.k ? 1 : 0;
    most = std::max(most, terms_a_step(plan, child));
  }
  return std::max(most, here);
}

}  // namespace assay::probe
