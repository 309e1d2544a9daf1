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

bool may_stand_at(const Trace& trace, int index) {
  const Place& place = *trace.plan().places.spot(index).place;
  if (!holds_number(place)) return true;
  const u128 cls = trace.field(index, "class");
  if (cls != static_cast<u128>(Class::finite)) return cls <= static_cast<u128>(Class::nan);
  const i128 exponent = trace.signed_field(index, "exponent");
  if (trace.field(index, "significand") == 0 || place.absolute) return true;
  return exponent >= place.least_exponent && exponent <= place.greatest_exponent;
}

Number number_in_place_of(const Number& n, const Trace& trace, int place) {
  Number read = number_at(trace, place);
  if (read.cls == Class::nan) return n.cls == Class::nan ? n : Number::made_nan();
  if (read.magnitude == 0) {
    const bool without = !read.is_finite() || (read.exponent == 0 && !n.has_exponent());
    read.quantum = n.is_finite() ? n.quantum : 0;
    if (without) read.exponent = Number::no_exponent;
  }
  read.absent = n.absent && read.is_zero();
  read.lost = n.lost && !read.is_zero();
  read.raised = n.raised;
  return read;
}

template <>
i128 register_of<i128>(const Bits& bits, int from) {
  const int width = bits.width - from;
  const u128 value = bits.field(from, std::min(width, 128));
  const bool fill = width < 128 && bits.bit(bits.width - 1);
  return static_cast<i128>(fill ? value | ~low_mask(width) : value);
}

template <class Register>
Register register_of(const Bits& bits, int from) {
  Register value;
  const std::uint64_t fill = bits.bit(bits.width - 1) ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < value.word.size(); ++i) {
    const int at = from + 64 * static_cast<int>(i), count = std::min(64, bits.width - at);
    const auto part = count > 0 ? static_cast<std::uint64_t>(bits.field(at, count)) : 0;
    value.word[i] = count >= 64 ? part : count <= 0 ? fill : part | fill << count;
  }
  return value;
}
template Wide<10> register_of(const Bits& bits, int from);
template Wide<70> register_of(const Bits& bits, int from);

}  // namespace assay
