#include "tb/prove/plan_sums.hpp"

namespace assay {

bool follows_exponents(const SumSite& site) { return site.adder->window.exponent == WindowExponent::largest; }

// Where a sum's number stands that is not rounded to a format: one that is zero may have its window's exponent. So may
// products have those of their factors.
std::set<int> zeros_with_exponents(const Plan& plan) {
  std::set<int> places;
  const Product& product = plan.datapath.product;
  const bool have_products =
      plan.counts_zeros() || product.empty || plan.rows || (product.round && product.round->at != ResultAt::format);
  for (int at = 0; have_products && at < plan.places.first(Region::step); ++at) {
    if (plan.places[static_cast<std::size_t>(at)].stage != Stage::decode) places.insert(at);
  }
  for (const SumSite& site : sum_sites(plan)) {
    if (site.adder->scaled) places.insert(site.reduce + 1);
    for (int at = site.first_result(); at < site.end; ++at) {
      const ResultPlan& how = site.adder->results[static_cast<std::size_t>(at - site.first_result())];
      if (how.words.at != ResultAt::format) places.insert(at);
    }
    // What a step leaves of it, too.
    const bool is_last = site.end < static_cast<int>(plan.places.size()) &&
                         plan.places[static_cast<std::size_t>(site.end)].stage == Stage::acc;
    if (is_last && (site.end == site.reduce + 1 || places.count(site.end - 1) != 0)) places.insert(site.end);
  }
  return places;
}

std::map<int, std::set<int>> places_added(const Plan& plan) {
  std::map<int, std::set<int>> added;
  PlanSums(plan).for_each([&](const SumSite& site, const PlanSums::Items& items) {
    std::set<int>& places = added[site.window];
    for (std::size_t i = 0; i < items.places.size(); ++i) {
      if (const SumSite* sum = items.whole[i]) {
        places.insert(added[sum->window].begin(), added[sum->window].end());
        places.insert({sum->reduce, sum->window});
      }
      if (items.places[i] >= 0) places.insert(items.places[i]);
    }
  });
  return added;
}

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

const SumSite* PlanSums::sum_of_value(const CircuitBlock& block, std::size_t first_site, int value) const {
  if (block.kind(value) != ValueKind::sum) return nullptr;
  return &sites_[first_site + static_cast<std::size_t>(value - block.left_by(0))];
}

// Where a value of a block can be seen before a sum reads it.
int PlanSums::place_of_value(Region region, int instance, const CircuitBlock& block, std::size_t first_site,
                             int value) const {
  if (const SumSite* site = sum_of_value(block, first_site, value))
    return site->end > site->reduce + 1 ? site->end - 1 : -1;
  const bool is_one = block.kind(value) == ValueKind::one;
  if (region == Region::finish)
    return is_one ? plan_.places.last(Region::decode_c)
                  : plan_.places.last(Region::step, (value + 1) * plan_.steps - 1);
  if (is_one && instance % plan_.steps != 0) return plan_.places.last(Region::step, instance - 1);
  if (is_one) return plan_.datapath.start == Start::c ? plan_.places.last(Region::decode_c) : no_item;
  const std::vector<Region> regions = plan_.circuit.regions_of_products();
  return regions.empty() ? -1 : plan_.places.last(regions.back(), plan_.order_of(instance)[value]);
}

void PlanSums::for_each_in(Region region, int instance, std::size_t& next, const Take& take) const {
  const CircuitBlock& block = region == Region::step ? plan_.circuit.step : plan_.circuit.finish;
  const std::size_t first = next;
  for (const SumNode& node : block.sums) {
    Items items;
    for (const SumItem& item : node.items) {
      items.places.push_back(place_of_value(region, instance, block, first, item.value));
      const SumSite* sum = sum_of_value(block, first, item.value);
      items.whole.push_back(sum != nullptr && sum->end == sum->reduce + 1 ? sum : nullptr);
    }
    take(sites_[next++], items);
  }
}

}  // namespace assay
