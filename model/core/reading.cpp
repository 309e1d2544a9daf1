#include "model/core/reading.hpp"

#include <algorithm>

namespace assay {
namespace {

// Adds the sums of one instance of a block, whose first place is `first`.
void add_sites(std::vector<SumSite>& sites, const Plan& plan, Region region, int instance) {
  const bool in_step = region == Region::step;
  const CircuitBlock& block = in_step ? plan.circuit.step : plan.circuit.finish;
  const std::vector<AdderPlan>& adders = in_step ? plan.adders : plan.finish;
  const int first = plan.places.first(region, instance);
  for (const SumNode& node : block.sums) {
    const AdderPlan& adder = adders[static_cast<std::size_t>(node.adder)];
    SumSite site;
    site.window = first + node.place;
    const std::string window = plan.places.name(site.window);
    site.name = window.substr(0, window.rfind('.'));
    site.adder = &adder;
    site.index = node.group * adder.sums() + std::max(node.addition, 0);
    site.special = in_step && plan.datapath.specials == Specials::step ? first : -1;
    for (const SumItem& item : node.items)
      site.inputs.push_back(&adder.inputs[static_cast<std::size_t>(item.input)].words);
    site.reduce = site.window + 1 + static_cast<int>(node.items.size());
    site.end = site.first_result() + static_cast<int>(adder.results.size());
    if (node.scaled_by >= 0) site.scaled_term = in_step ? plan.element_of(plan.order_of(instance)[node.scaled_by]) : 0;
    if (adder.times_scales) site.scale_block = site.scaled_term / plan.scale_block;
    sites.push_back(std::move(site));
  }
}

}  // namespace

std::vector<SumSite> sum_sites(const Plan& plan) {
  std::vector<SumSite> sites;
  for (int instance = 0; instance < plan.lanes * plan.steps; ++instance) add_sites(sites, plan, Region::step, instance);
  if (!plan.finish.empty()) add_sites(sites, plan, Region::finish, 0);
  return sites;
}

bool holds_number(const Place& place) {
  return place.stage == Stage::decode || place.stage == Stage::multiply || place.stage == Stage::scale ||
         place.stage == Stage::round || place.stage == Stage::acc;
}

Number number_at(const Trace& trace, int index) {
  const Place& place = *trace.plan().places.spot(index).place;
  Number n;
  n.cls = static_cast<Class>(trace.field(index, "class"));
  n.negative = trace.field(index, "sign") != 0;
  n.magnitude = trace.field(index, "significand");
  n.exponent = static_cast<int>(trace.signed_field(index, "exponent"));
  n.quantum = place.absolute ? -place.fraction_bits : n.exponent - place.fraction_bits;
  return n;
}

}  // namespace assay
