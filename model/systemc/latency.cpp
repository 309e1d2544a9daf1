#include "model/systemc/latency.hpp"

#include <algorithm>

namespace assay::systemc {
namespace {

using Kind = assay::Stage;

// A module is called as its stage, or as a place and its stage: "multiply_round".
int cycles_of_module(const Latency& latency, std::string_view module) {
  const std::string_view own = module.substr(module.rfind('.') + 1);
  const std::string_view stage = own.substr(own.rfind('_') + 1);
  for (int i = 0; i < stage_count; ++i) {
    if (stage_name(static_cast<Kind>(i)) == stage) return latency.cycles[static_cast<std::size_t>(i)];
  }
  return 0;
}

class Scheduler {
 public:
  Scheduler(const Plan& plan, const Latency& latency) : plan_(plan), latency_(latency), at_(plan.places.size()) {}

  std::vector<int> run() {
    decoded_ = latency_.of(Kind::decode);
    const int terms = products();
    std::vector<int> lanes;
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      int acc = decoded_;
      for (int i = 0; i < plan_.steps; ++i) acc = step(lane * plan_.steps + i, terms, acc);
      lanes.push_back(acc);
    }
    const int result = plan_.finish.empty() ? lanes.front() : finish(std::move(lanes));
    stand(Region::encode, result + latency_.of(Kind::encode));
    return std::move(at_);
  }

 private:
  // Everything before the first step.
  int products() {
    int ready = decoded_;
    stand(Region::decode_a, ready);  // decode.b, c and the scales come after it
    for (const ProductNode& node : plan_.circuit.products) {
      ready += latency_.of(stage_of(node.work));
      if (node.region) stand(*node.region, ready);
    }
    return ready;
  }

  static Kind stage_of(ProductWork work) {
    switch (work) {
      case ProductWork::multiply: return Kind::multiply;
      case ProductWork::scale: return Kind::scale;
      case ProductWork::round: return Kind::round;
    }
    return Kind::multiply;
  }

  // All places from the first of a region on, up to where the next region stands.
  void stand(Region region, int cycle) {
    const int first = plan_.places.first(region);
    if (first >= 0) std::fill(at_.begin() + first, at_.end(), cycle);
  }

  int step(int instance, int terms, int acc) {
    const int first = plan_.places.first(Region::step, instance);
    const int special = std::max(terms, acc) + latency_.of(Kind::special);
    if (plan_.datapath.specials == Specials::step) at_[static_cast<std::size_t>(first)] = special;
    const std::vector<int> ready(static_cast<std::size_t>(plan_.step_terms) + 1, special);
    const int done = sums(plan_.circuit.step, plan_.adders, first, ready) + latency_.of(Kind::acc);
    at_[static_cast<std::size_t>(plan_.places.last(Region::step, instance))] = done;
    return done;
  }

  int finish(std::vector<int> lanes) {
    lanes.push_back(decoded_);  // c
    return sums(plan_.circuit.finish, plan_.finish, plan_.places.first(Region::finish), std::move(lanes));
  }

  // `ready`: when each value of the block is there.
  int sums(const CircuitBlock& block, const std::vector<AdderPlan>& adders, int first, std::vector<int> ready) {
    for (const SumNode& node : block.sums) {
      int begin = 0;
      for (const SumItem& item : node.items) begin = std::max(begin, ready[static_cast<std::size_t>(item.value)]);
      const AdderPlan& adder = adders[static_cast<std::size_t>(node.adder)];
      ready.push_back(sum(static_cast<std::size_t>(first + node.place), adder, begin));
    }
    return ready.back();
  }

  // The places of one sum, one after the other: window, align[..], reduce(, scale)(, round..).
  int sum(std::size_t next, const AdderPlan& adder, int ready) {
    const auto take = [&](Kind stage, std::size_t places) {
      ready += latency_.of(stage);
      for (std::size_t i = 0; i < places; ++i) at_[next++] = ready;
    };
    take(Kind::window, 1);
    take(Kind::align, static_cast<std::size_t>(adder.sum.items));
    take(Kind::reduce, 1);
    if (adder.times_scales) take(Kind::scale, 1);
    if (!adder.results.empty()) take(Kind::round, adder.results.size());
    return ready;
  }

  const Plan& plan_;
  const Latency& latency_;
  std::vector<int> at_;
  int decoded_ = 0;
};

}  // namespace

Latency every_stage(int cycles) {
  Latency latency;
  latency.cycles.fill(cycles);
  return latency;
}

std::function<int(const std::string&, std::uint64_t)> stalls(const Latency& latency) {
  return [latency](const std::string& module, std::uint64_t) { return cycles_of_module(latency, module); };
}

std::vector<int> schedule(const Plan& plan, const Latency& latency) { return Scheduler(plan, latency).run(); }

}  // namespace assay::systemc
