#include "model/core/circuit.hpp"

#include <utility>

#include "model/core/plan.hpp"

namespace assay {
namespace {

class Wirer {
 public:
  Wirer(const std::vector<AdderPlan>& adders, int terms) : adders_(adders) { block_.terms = terms; }

  CircuitBlock run() {
    for (std::size_t i = 0; i < adders_.size(); ++i) {
      std::vector<int> left;
      for (int group = 0; group < adders_[i].groups; ++group) left.push_back(group_of(static_cast<int>(i), group));
      left_.push_back(std::move(left));
    }
    return std::move(block_);
  }

 private:
  // What a group of an adder leaves.
  int group_of(int index, int group) {
    const AdderPlan& adder = adders_[static_cast<std::size_t>(index)];
    SumNode node;
    node.name = adder.groups > 1 ? indexed(adder.name, group) : adder.name;
    node.adder = index;
    node.index = group * adder.sums();
    std::vector<SumItem> items = items_of(adder, group);
    if (adder.shape != Shape::flat) return tree(adder, node, std::move(items));
    if (adder.times_scales) node.scaled_by = items.front().value;
    node.items = std::move(items);
    return add(std::move(node));
  }

  std::vector<SumItem> items_of(const AdderPlan& adder, int group) const {
    std::vector<SumItem> items;
    const int* members = adder.members.data() + group * adder.terms;
    for (std::size_t i = 0; i < adder.inputs.size(); ++i) {
      const InputPlan& input = adder.inputs[i];
      for (int j = 0; j < input.count; ++j)
        items.push_back({value(input, i == 0 ? members[j] : j), static_cast<int>(i)});
    }
    return items;
  }

  int value(const InputPlan& input, int index) const {
    switch (input.source) {
      case Source::product:
      case Source::lanes: return index;
      case Source::acc:
      case Source::c: return block_.one();
      case Source::adder: return left_[static_cast<std::size_t>(input.adder)][static_cast<std::size_t>(index)];
    }
    return 0;
  }

  // What an earlier sum of a tree left enters the next as its left item did.
  int tree(const AdderPlan& adder, const SumNode& like, std::vector<SumItem> items) {
    int left = items.front().value, count = 0;
    for (const auto& [x, y] : sum_pairs(adder.shape, static_cast<int>(items.size()))) {
      SumNode node = like;
      node.name = like.name + "." + indexed("add", count);
      node.index = like.index + count++;
      node.items = {items[static_cast<std::size_t>(x)], items[static_cast<std::size_t>(y)]};
      left = add(std::move(node));
      items.push_back({left, items[static_cast<std::size_t>(x)].input});
    }
    return left;
  }

  int add(SumNode node) {
    block_.sums.push_back(std::move(node));
    return block_.result();
  }

  const std::vector<AdderPlan>& adders_;
  CircuitBlock block_;
  std::vector<std::vector<int>> left_;  // by each adder's groups
};

}  // namespace

CircuitBlock wire(const std::vector<AdderPlan>& adders, int terms) { return Wirer(adders, terms).run(); }

}  // namespace assay
