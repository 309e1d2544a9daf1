#include "model/systemc/dot_unit.hpp"

#include "model/systemc/scope.hpp"
#include "model/systemc/shape.hpp"

namespace assay::systemc {
namespace {

std::string at(const std::string& name, int index) { return name + "[" + std::to_string(index) + "]"; }

}  // namespace

DotUnit::DotUnit(const sc_core::sc_module_name& name, const Context& context)
    : sc_core::sc_module(name),
      context_{context.plan, context.timing, context.recorder, &reset},
      plan_(context.plan),
      wires_(context.timing) {
  for (std::size_t i = 0; i < plan_.places.size(); ++i) places_.emplace(plan_.places[i].name, static_cast<int>(i));
  decode_ = &make<OperandDecoder>("decode");
  decode_->codes.bind(codes);
  Out<Numbers>* const terms = products();
  start_ = &make<AccSelect>("start");
  wires_.connect(decode_->c, start_->c);

  Sources at_the_end;
  at_the_end.c = &decode_->c;
  if (plan_.lanes == 1) {
    at_the_end.lanes.push_back(lane("", 0, terms));
  } else {
    for (int i = 0; i < plan_.lanes; ++i) {
      inside(at("lane", i), [&] { at_the_end.lanes.push_back(lane(at("lane", i) + ".", i, terms)); });
    }
  }
  Out<Numbers>* result = at_the_end.lanes.front();
  if (!plan_.finish.empty()) inside("finish", [&] { result = adders("finish.", plan_.finish, at_the_end); });
  Encoder& encode = make<Encoder>("encode", place("encode"));
  wires_.connect(*result, encode.number);
  encode.d.bind(d);
}

template <class Module, class... Arguments>
Module& DotUnit::make(const std::string& name, Arguments&&... arguments) {
  auto module = std::make_unique<Module>(name.c_str(), context_, std::forward<Arguments>(arguments)...);
  Module& made = *module;
  modules_.push_back(std::move(module));
  return made;
}

template <class Build>
void DotUnit::inside(const std::string& scope, const Build& build) {
  modules_.push_back(std::make_unique<Scope>(scope.c_str(), build));
}

int DotUnit::place(const std::string& name) const {
  const auto found = places_.find(name);
  assert(found != places_.end());
  return found->second;
}

// Multiplied, scaled and rounded as the datapath says: what every step takes its terms from.
Out<Numbers>* DotUnit::products() {
  auto& multiply = make<MultiplierArray>("multiply", place("multiply[0]"));
  wires_.connect(decode_->a, multiply.a);
  wires_.connect(decode_->b, multiply.b);
  Out<Numbers>* last = &multiply.products;
  const Product& words = plan_.datapath.product;
  if (words.times_scales) {
    std::vector<int> blocks;
    for (int i = 0; i < plan_.k; ++i) blocks.push_back(i / plan_.scale_block);
    auto& scale = make<BlockScaler>("scale", place("scale[0]"), std::move(blocks));
    wires_.connect(*last, scale.numbers);
    wires_.connect(decode_->scales, scale.scales);
    last = &scale.scaled;
  }
  const bool normalise = words.exponent == ProductExponent::normalised;
  if (normalise || plan_.product_round) {
    std::vector<ResultPlan> results;
    if (plan_.product_round) results.push_back(*plan_.product_round);
    const int first = plan_.product_round ? place("multiply.round[0]") : 0;
    auto& round = make<Normaliser>("multiply_round", first, results, normalise);
    wires_.connect(*last, round.exact);
    last = &round.rounded;
  }
  return last;
}

Out<Numbers>* DotUnit::lane(const std::string& prefix, int lane, Out<Numbers>* products) {
  Out<Numbers>* acc = &start_->start;
  for (int i = 0; i < plan_.steps; ++i) {
    const std::string name = at("step", i);
    inside(name, [&] { acc = step(prefix + name + ".", plan_.step_order(lane, i), products, acc); });
  }
  return acc;
}

Out<Numbers>* DotUnit::step(const std::string& prefix, const int* order, Out<Numbers>* products, Out<Numbers>* acc) {
  const bool decides = plan_.datapath.specials == Specials::step;
  auto& special = make<SpecialDetector>("special", decides ? place(prefix + "special") : 0, order);
  wires_.connect(*products, special.products);
  wires_.connect(*acc, special.acc);
  wires_.connect(decode_->scales, special.scales);

  Sources sources;
  sources.terms = &special.terms;
  sources.acc = &special.addend;
  sources.order = order;
  auto& accumulator = make<Accumulator>("acc", place(prefix + "acc"));
  wires_.connect(*adders(prefix, plan_.adders, std::move(sources)), accumulator.sum);
  wires_.connect(special.decision, accumulator.decision);
  return &accumulator.acc;
}

// The last adder's sum.
Out<Numbers>* DotUnit::adders(const std::string& prefix, const std::vector<AdderPlan>& list, Sources sources) {
  for (const AdderPlan& adder : list) {
    std::vector<Out<Numbers>*> side_by_side;
    for (int i = 0; i < adder.groups; ++i) side_by_side.push_back(group(prefix, adder, i, sources));
    sources.sums.push_back(std::move(side_by_side));
  }
  return sources.sums.back().front();
}

Out<Numbers>* DotUnit::group(const std::string& prefix, const AdderPlan& adder, int group, const Sources& sources) {
  const std::string name = adder.groups > 1 ? at(adder.name, group) : adder.name;
  const std::vector<Item> all = items(adder, group, sources);
  if (adder.shape == Shape::flat) {
    const int first = adder.members[static_cast<std::size_t>(group * adder.terms)];
    return sum(prefix, name, adder, all, adder.times_scales ? sources.order[first] / plan_.scale_block : 0);
  }
  Out<Numbers>* total = nullptr;
  inside(name, [&] {
    int added = 0;
    const auto add = [&](const Item& left, const Item& right) {
      return Item{sum(prefix + name + ".", at("add", added++), adder, {left, right}, 0), 0, left.words};
    };
    total = add_in_pairs(adder.shape, all, add).from;
  });
  return total;
}

std::vector<Item> DotUnit::items(const AdderPlan& adder, int group, const Sources& sources) const {
  std::vector<Item> all;
  const int* members = adder.members.data() + group * adder.terms;
  for (std::size_t i = 0; i < adder.inputs.size(); ++i) {
    const InputPlan& input = adder.inputs[i];
    for (int j = 0; j < input.count; ++j) all.push_back(item(input, i == 0 ? members[j] : j, sources));
  }
  return all;
}

Item DotUnit::item(const InputPlan& input, int index, const Sources& sources) const {
  const auto i = static_cast<std::size_t>(index);
  switch (input.source) {
    case Source::product: return {sources.terms, index, &input.words};
    case Source::acc: return {sources.acc, 0, &input.words};
    case Source::c: return {sources.c, 0, &input.words};
    case Source::lanes: return {sources.lanes[i], 0, &input.words};
    case Source::adder: return {sources.sums[static_cast<std::size_t>(input.adder)][i], 0, &input.words};
  }
  return {};
}

Out<Numbers>* DotUnit::sum(const std::string& prefix, const std::string& name, const AdderPlan& adder,
                           const std::vector<Item>& items, int block) {
  return &make<Sum>(name, place(prefix + name + ".window"), adder, items, decode_->scales, block).result();
}

long long sums(const Plan& plan) {
  const auto count = [](const std::vector<AdderPlan>& adders) {
    long long all = 0;
    for (const AdderPlan& adder : adders) all += static_cast<long long>(adder.groups) * adder.sums();
    return all;
  };
  return static_cast<long long>(plan.lanes) * plan.steps * count(plan.adders) + count(plan.finish);
}

std::optional<std::string> why_not_built(const Plan& plan) {
  if (sums(plan) <= greatest_sums) return std::nullopt;
  return "The SystemC model builds every sum of a dot product side by side: this datapath asks for " +
         std::to_string(sums(plan)) + " of them at k = " + std::to_string(plan.k) + ", and at most " +
         std::to_string(greatest_sums) + " are built. Take a shorter k or more terms in a step.";
}

}  // namespace assay::systemc
