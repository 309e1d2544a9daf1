#include "model/core/circuit.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "model/core/plan.hpp"

namespace assay {
namespace {

// What each sum of a tree or chain adds, in order: below `items` it is an item, items + i is what sum i left.
std::vector<std::array<int, 2>> sum_pairs(Shape shape, int items) {
  std::vector<std::array<int, 2>> pairs;
  std::vector<int> level(static_cast<std::size_t>(items));
  std::iota(level.begin(), level.end(), 0);
  const auto add = [&](int left, int right) {
    pairs.push_back({left, right});
    return items + static_cast<int>(pairs.size()) - 1;
  };
  if (shape == Shape::serial) {
    for (int i = 1, sum = 0; i < items; ++i) sum = add(sum, i);
    return pairs;
  }
  while (level.size() > 1) {
    const std::size_t n = level.size(), half = n / 2;
    std::vector<int> next;
    for (std::size_t i = 0; i < half; ++i) {
      next.push_back(shape == Shape::neighbours ? add(level[2 * i], level[2 * i + 1])
                                                : add(level[i], level[i + (n + 1) / 2]));
    }
    if (n % 2 != 0) next.push_back(level[shape == Shape::neighbours ? n - 1 : half]);
    level = next;
  }
  return pairs;
}

class Wirer {
 public:
  Wirer(const std::vector<AdderPlan>& adders, const std::vector<AdderWires>& wires, int terms)
      : adders_(adders), wires_(wires) {
    block_.terms = terms;
  }

  CircuitBlock run() {
    for (std::size_t i = 0; i < adders_.size(); ++i) {
      std::vector<int> left;
      for (int group = 0; group < adders_[i].groups; ++group) left.push_back(group_of(i, group));
      left_.push_back(std::move(left));
    }
    return std::move(block_);
  }

 private:
  // What a group of an adder leaves.
  int group_of(std::size_t index, int group) {
    const AdderPlan& adder = adders_[index];
    SumNode node;
    node.group_name = node.name = adder.groups > 1 ? indexed(adder.name, group) : adder.name;
    node.adder = static_cast<int>(index);
    node.group = group;
    std::vector<SumItem> items = items_of(adder, wires_[index], group);
    if (adder.shape != Shape::flat) return tree(adder, node, std::move(items));
    if (adder.is_scaled()) node.scaled_by = first_term(block_, items);
    node.items = std::move(items);
    return add(std::move(node));
  }

  std::vector<SumItem> items_of(const AdderPlan& adder, const AdderWires& wires, int group) const {
    std::vector<SumItem> items;
    const int* members = wires.members.data() + group * adder.terms;
    for (std::size_t i = 0; i < adder.inputs.size(); ++i) {
      for (int j = 0; j < adder.inputs[i].count; ++j)
        items.push_back(
            {value(wires.inputs[i], i == 0 ? members[j] : j), static_cast<int>(i), adder.inputs[i].words.negate});
    }
    return items;
  }

  int value(const InputWires& input, int index) const {
    switch (input.kind) {
      case ValueKind::term: return index;
      case ValueKind::one: return block_.one();
      case ValueKind::sum: return left_[static_cast<std::size_t>(input.adder)][static_cast<std::size_t>(index)];
    }
    return 0;
  }

  // What an earlier sum of a tree left enters the next as its left item did.
  int tree(const AdderPlan& adder, const SumNode& like, std::vector<SumItem> items) {
    int left = items.front().value, count = 0;
    for (const auto& [x, y] : sum_pairs(adder.shape, static_cast<int>(items.size()))) {
      SumNode node = like;
      node.addition = count++;
      node.name = like.group_name + "." + node.own_name();
      node.items = {items[static_cast<std::size_t>(x)], items[static_cast<std::size_t>(y)]};
      left = add(std::move(node));
      items.push_back({left, items[static_cast<std::size_t>(x)].input});
    }
    return left;
  }

  int add(SumNode node) {
    node.draws_from = block_.draws;
    block_.draws += adders_[static_cast<std::size_t>(node.adder)].draws();
    block_.sums.push_back(std::move(node));
    return block_.result();
  }

  const std::vector<AdderPlan>& adders_;
  const std::vector<AdderWires>& wires_;
  CircuitBlock block_;
  std::vector<std::vector<int>> left_;  // by each adder's groups
};

bool same_items(const SumNode& x, const SumNode& y) {
  return std::equal(x.items.begin(), x.items.end(), y.items.begin(), y.items.end(),
                    [](const SumItem& i, const SumItem& j) {
                      return i.value == j.value && i.input == j.input && i.negate == j.negate;
                    });
}

}  // namespace

int first_term(const CircuitBlock& block, const std::vector<SumItem>& items) {
  for (const SumItem& item : items) {
    if (block.kind(item.value) == ValueKind::term) return item.value;
    if (block.kind(item.value) == ValueKind::sum) return first_term(block, block.sum_of(item.value).items);
  }
  return 0;
}

CircuitBlock wire(const std::vector<AdderPlan>& adders, const std::vector<AdderWires>& wires, int terms) {
  return Wirer(adders, wires, terms).run();
}

std::vector<Region> Circuit::regions_of_products() const {
  std::vector<Region> regions;
  for (const ProductNode& node : products) {
    if (node.region) regions.push_back(*node.region);
  }
  return regions;
}

std::vector<SumItem> items_of_group(const CircuitBlock& block, int adder, int group) {
  std::vector<SumItem> items;
  for (const SumNode& node : block.sums) {
    if (node.adder != adder || node.group != group) continue;
    for (const SumItem& item : node.items) {
      const bool own = block.kind(item.value) == ValueKind::sum && block.sum_of(item.value).adder == adder;
      if (!own) items.push_back(item);
    }
  }
  return items;
}

bool is_one_sum(const CircuitBlock& block) {
  if (block.sums.size() != 1 || block.sums.front().items.size() != static_cast<std::size_t>(block.terms) + 1)
    return false;
  int next = 0;
  return std::all_of(block.sums.front().items.begin(), block.sums.front().items.end(),
                     [&](const SumItem& item) { return item.value == next++; });
}

bool wired_alike(const CircuitBlock& x, const CircuitBlock& y) {
  return x.terms == y.terms &&
         std::equal(x.sums.begin(), x.sums.end(), y.sums.begin(), y.sums.end(),
                    [](const SumNode& i, const SumNode& j) { return i.adder == j.adder && same_items(i, j); });
}

}  // namespace assay
