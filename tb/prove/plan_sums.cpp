#include "tb/prove/plan_sums.hpp"

namespace assay {

int bits_below_sum(const Place& place) {
  return place.stage == Stage::reduce && place.fields.size() > 1 ? place.fields.back().width : 0;
}

std::vector<Lit> without_bits_below(const Place& place, const std::vector<Lit>& bits) {
  return {bits.begin() + bits_below_sum(place), bits.end()};
}

void PlanSums::for_each(const Take& take) const {
  std::size_t site = 0;
  for (int instance = 0; instance < plan_.lanes * plan_.steps; ++instance)
    for_each_in(Region::step, instance, site, take);
  if (!plan_.finish.empty()) for_each_in(Region::finish, 0, site, take);
}

// Where a value of a block can be seen before a sum reads it.
int PlanSums::place_of_value(Region region, int instance, const CircuitBlock& block, std::size_t first_site,
                             int value) const {
  if (block.kind(value) == ValueKind::sum) {
    const SumSite& site = sites_[first_site + static_cast<std::size_t>(value - block.left_by(0))];
    return site.end > site.first_result() ? site.end - 1 : -1;
  }
  const bool is_one = block.kind(value) == ValueKind::one;
  if (region == Region::finish)
    return is_one ? plan_.places.last(Region::decode_c)
                  : plan_.places.last(Region::step, (value + 1) * plan_.steps - 1);
  if (is_one)
    return instance % plan_.steps == 0 ? plan_.places.last(Region::decode_c)
                                       : plan_.places.last(Region::step, instance - 1);
  const std::vector<Region> regions = plan_.circuit.regions_of_products();
  return regions.empty() ? -1 : plan_.places.last(regions.back(), plan_.order_of(instance)[value]);
}

void PlanSums::for_each_in(Region region, int instance, std::size_t& next, const Take& take) const {
  const CircuitBlock& block = region == Region::step ? plan_.circuit.step : plan_.circuit.finish;
  const std::size_t first = next;
  for (const SumNode& node : block.sums) {
    std::vector<int> items;
    for (const SumItem& item : node.items) items.push_back(place_of_value(region, instance, block, first, item.value));
    take(sites_[next++], items);
  }
}

}  // namespace assay
