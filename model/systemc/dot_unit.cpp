#include "model/systemc/dot_unit.hpp"

#include "model/systemc/scope.hpp"

namespace assay::systemc {

DotUnit::DotUnit(const sc_core::sc_module_name& name, const Context& context)
    : sc_core::sc_module(name),
      context_{context.plan, context.timing, context.recorder, &reset},
      plan_(context.plan),
      wires_(context.timing) {
  decode_ = &make<OperandDecoder>("decode");
  decode_->codes.bind(codes);
  Out<Numbers>* const terms = products();
  start_ = &make<AccSelect>("start");
  wires_.connect(decode_->c, start_->c);

  std::vector<Out<Numbers>*> lanes;
  for (int i = 0; i < plan_.lanes; ++i) {
    if (plan_.lanes == 1) {
      lanes.push_back(lane(0, terms));
    } else {
      inside(indexed("lane", i), [&] { lanes.push_back(lane(i, terms)); });
    }
  }
  Out<Numbers>* const result = plan_.finish.empty() ? lanes.front() : finish(lanes);
  Encoder& encode = make<Encoder>("encode", plan_.places.first(Region::encode));
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

// Multiplied, scaled and rounded as the datapath says: what every step takes its terms from.
Out<Numbers>* DotUnit::products() {
  Out<Numbers>* last = nullptr;
  for (const ProductNode& node : plan_.circuit.products) last = worked(node, last);
  return last;
}

Out<Numbers>& DotUnit::factors(Region region, const char* name, const FactorPlan& words, Out<Numbers>& elements,
                               int first_draw) {
  if (!words.works()) return elements;
  auto& maker = make<FactorMaker>(name, plan_.places.first(region), words, first_draw);
  wires_.connect(elements, maker.elements);
  wires_.connect(decode_->scales, maker.scales);
  return maker.factors;
}

// Without those that the case's mask switches off.
Out<Numbers>& DotUnit::gated(const std::string& name, Out<Numbers>& elements) {
  if (plan_.mask < 0) return elements;
  auto& gate = make<ElementGate>(name);
  wires_.connect(elements, gate.elements);
  wires_.connect(decode_->scales, gate.scales);
  return gate.gated;
}

Out<Numbers>* DotUnit::worked(const ProductNode& node, Out<Numbers>* from) {
  const int place = node.region ? plan_.places.first(*node.region) : 0;
  switch (node.work) {
    case ProductWork::multiply: {
      auto& multiply = make<MultiplierArray>("multiply", place);
      const RandomWords& words = plan_.random;
      auto& a = factors(Region::factor_a, "factors_a", plan_.factor_a, decode_->a, words.factor_a);
      auto& b = factors(Region::factor_b, "factors_b", plan_.factor_b, decode_->b, words.factor_b);
      wires_.connect(gated("gate_a", a), multiply.a);
      wires_.connect(gated("gate_b", b), multiply.b);
      return &multiply.products;
    }
    case ProductWork::scale: {
      std::vector<int> terms;
      for (int i = 0; i < plan_.products(); ++i) terms.push_back(plan_.element_of(i));
      auto& scale = make<BlockScaler>(
          "scale", place, ActingScales{plan_.datapath.product.times_scales, plan_.product_scales}, std::move(terms));
      wires_.connect(*from, scale.numbers);
      wires_.connect(decode_->scales, scale.scales);
      return &scale.scaled;
    }
    case ProductWork::round: {
      std::vector<ResultPlan> results;
      if (plan_.product_round) results.push_back(*plan_.product_round);
      const bool normalise = plan_.datapath.product.exponent == ProductExponent::normalised;
      auto& round = make<Normaliser>("multiply_round", place, results, plan_.random.product, normalise);
      wires_.connect(*from, round.exact);
      if (round.random() != nullptr) wires_.connect(decode_->scales, *round.random());
      return &round.rounded;
    }
  }
  return from;
}

Out<Numbers>* DotUnit::lane(int lane, Out<Numbers>* products) {
  Out<Numbers>* acc = &start_->start;
  for (int i = 0; i < plan_.steps; ++i)
    inside(indexed("step", i), [&] { acc = step(lane * plan_.steps + i, products, acc); });
  return acc;
}

Out<Numbers>* DotUnit::step(int instance, Out<Numbers>* products, Out<Numbers>* acc) {
  const int* const order = plan_.order_of(instance);
  const int first_place = plan_.places.first(Region::step, instance);
  auto& special = make<SpecialDetector>("special", first_place, instance);
  wires_.connect(*products, special.products);
  wires_.connect(*acc, special.acc);
  wires_.connect(decode_->scales, special.scales);

  std::vector<Line> values;
  for (int i = 0; i < plan_.step_terms; ++i) values.push_back({&special.terms, i});
  values.push_back({&special.addend, 0});
  auto& accumulator = make<Accumulator>("acc", plan_.places.last(Region::step, instance));
  sums(plan_.circuit.step, plan_.adders, values, order,
       {first_place, plan_.random.step + instance * plan_.circuit.step.draws});
  wires_.connect(plan_.take ? *take(values, order) : *values.back().from, accumulator.sum);
  wires_.connect(special.decision, accumulator.decision);
  return &accumulator.acc;
}

// What the step's sums leave, a NaN as Plan::take has it.
Out<Numbers>* DotUnit::take(const std::vector<Line>& values, const int* order) {
  std::vector<Item> items;
  Out<Numbers>&a = gated("gate_nan_a", decode_->a), &b = gated("gate_nan_b", decode_->b);
  for (const NanPlace& place : plan_.take->places) {
    const Line& value = values[static_cast<std::size_t>(place.index)];
    switch (place.of) {
      case NanPlace::Of::a: items.push_back({&a, plan_.element_of(order[place.index])}); break;
      case NanPlace::Of::b: items.push_back({&b, plan_.element_of(order[place.index])}); break;
      case NanPlace::Of::value: items.push_back({value.from, value.line}); break;
    }
  }
  auto& gather = make<Gatherer>("nans", taps(items));
  for (Out<Numbers>* from : feeders(items)) wires_.connect(*from, gather.numbers);
  auto& taker = make<NanTaker>("take");
  wires_.connect(gather.items, taker.places);
  wires_.connect(*values.back().from, taker.sum);
  return &taker.taken;
}

Out<Numbers>* DotUnit::finish(const std::vector<Out<Numbers>*>& lanes) {
  std::vector<Line> values;
  for (Out<Numbers>* lane : lanes) values.push_back({lane, 0});
  values.push_back({&decode_->c, 0});
  inside("finish", [&] {
    sums(plan_.circuit.finish, plan_.finish, values, nullptr,
         {plan_.places.first(Region::finish), plan_.random.finish});
  });
  return values.back().from;
}

// Those of a tree stand inside it.
void DotUnit::sums(const CircuitBlock& block, const std::vector<AdderPlan>& adders, std::vector<Line>& values,
                   const int* order, const First& first) {
  for (std::size_t i = 0; i < block.sums.size();) {
    const std::string& group = block.sums[i].group_name;
    const auto make_one = [&] {
      const SumNode& node = block.sums[i++];
      const AdderPlan& adder = adders[static_cast<std::size_t>(node.adder)];
      values.push_back({&sum(node, adder, values, order, first), 0});
    };
    if (!block.sums[i].is_of_tree()) {
      make_one();
    } else {
      inside(group, [&] {
        while (i < block.sums.size() && block.sums[i].group_name == group) make_one();
      });
    }
  }
}

Out<Numbers>& DotUnit::sum(const SumNode& node, const AdderPlan& adder, const std::vector<Line>& values,
                           const int* order, const First& first) {
  std::vector<Item> items;
  for (const SumItem& item : node.items) {
    const Line& line = values[static_cast<std::size_t>(item.value)];
    items.push_back({line.from, line.line, &adder.inputs[static_cast<std::size_t>(item.input)].words, item.negate});
  }
  const int term = node.scaled_by < 0 || order == nullptr ? 0 : plan_.element_of(order[node.scaled_by]);
  const Sum::Own own{first.place + node.place, term, first.draw + node.draws_from};
  return make<Sum>(node.own_name(), own, adder, items, decode_->scales).result();
}

long long sums(const Plan& plan) {
  const auto count = [](const CircuitBlock& block) { return static_cast<long long>(block.sums.size()); };
  return plan.lanes * plan.steps * count(plan.circuit.step) + count(plan.circuit.finish);
}

std::optional<std::string> why_not_built(const Plan& plan) {
  if (sums(plan) <= greatest_sums) return std::nullopt;
  return "The SystemC model builds every sum of a dot product side by side: this datapath asks for " +
         std::to_string(sums(plan)) + " of them at k = " + std::to_string(plan.k) + ", and at most " +
         std::to_string(greatest_sums) + " are built. Take a shorter k or more terms in a step.";
}

}  // namespace assay::systemc
