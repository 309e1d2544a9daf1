#include "model/systemc/gather.hpp"

namespace assay::systemc {

Gatherer::Gatherer(const sc_core::sc_module_name& name, const Context& context, std::vector<Tap> taps)
    : StageModule(name, context), taps_(std::move(taps)) {}

void Gatherer::work() {
  std::vector<Numbers> feeds;
  for (int feeder = 0; feeder < numbers.size(); ++feeder) feeds.push_back(numbers.take(feeder));
  std::vector<Number> gathered;
  gathered.reserve(taps_.size());
  for (const Tap& tap : taps_) {
    gathered.push_back(feeds[static_cast<std::size_t>(tap.feeder)][static_cast<std::size_t>(tap.line)]);
  }
  items.give(Numbers(std::move(gathered)));
}

}  // namespace assay::systemc
