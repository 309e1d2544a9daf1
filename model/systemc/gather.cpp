#include "model/systemc/gather.hpp"

#include <algorithm>

namespace assay::systemc {

std::vector<Out<Numbers>*> feeders(const std::vector<Item>& items) {
  std::vector<Out<Numbers>*> distinct;
  for (const Item& item : items) {
    if (std::find(distinct.begin(), distinct.end(), item.from) == distinct.end()) distinct.push_back(item.from);
  }
  return distinct;
}

std::vector<Tap> taps(const std::vector<Item>& items) {
  const std::vector<Out<Numbers>*> from = feeders(items);
  std::vector<Tap> result;
  for (const Item& item : items) {
    const auto feeder = std::find(from.begin(), from.end(), item.from) - from.begin();
    result.push_back({static_cast<int>(feeder), item.line, item.negate});
  }
  return result;
}

Gatherer::Gatherer(const sc_core::sc_module_name& name, const Context& context, std::vector<Tap> taps)
    : StageModule(name, context), taps_(std::move(taps)) {}

void Gatherer::work() {
  std::vector<Numbers> feeds;
  for (int feeder = 0; feeder < numbers.size(); ++feeder) feeds.push_back(numbers.take(feeder));
  std::vector<Number> gathered;
  gathered.reserve(taps_.size());
  for (const Tap& tap : taps_) {
    const Number& n = feeds[static_cast<std::size_t>(tap.feeder)][static_cast<std::size_t>(tap.line)];
    gathered.push_back(tap.negate ? negated(n) : n);
  }
  items.give(Numbers(std::move(gathered)));
}

}  // namespace assay::systemc
