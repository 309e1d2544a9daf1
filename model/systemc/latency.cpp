#include "model/systemc/latency.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "model/systemc/shape.hpp"

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
  Scheduler(const Plan& plan, const Latency& latency) : plan_(plan), latency_(latency), at_(plan.places.size()) {
    for (std::size_t i = 0; i < plan.places.size(); ++i) places_.emplace(plan.places[i].name, i);
  }

  std::vector<int> run() {
    decoded_ = latency_.of(Kind::decode);
    products_ = products();
    for (int i = 0; i < plan_.lanes; ++i) {
      lanes_ = lane(plan_.lanes == 1 ? "" : "lane[" + std::to_string(i) + "].");
    }
    const int result = plan_.finish.empty() ? lanes_ : adders("finish.", plan_.finish, lanes_, lanes_);
    at_.back() = result + latency_.of(Kind::encode);
    return std::move(at_);
  }

 private:
  // Everything before the first step.
  int products() {
    int multiplied = decoded_ + latency_.of(Kind::multiply);
    const Product& words = plan_.datapath.product;
    const int scaled = multiplied + (words.times_scales ? latency_.of(Kind::scale) : 0);
    const bool rounds = words.exponent == ProductExponent::normalised || plan_.product_round;
    const int rounded = scaled + (rounds ? latency_.of(Kind::round) : 0);
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const std::string_view name = plan_.places[i].name;
      if (name.rfind("multiply.round", 0) == 0) at_[i] = rounded;
      if (name.rfind("decode", 0) == 0) at_[i] = decoded_;
      if (name.rfind("multiply[", 0) == 0) at_[i] = multiplied;
      if (name.rfind("scale[", 0) == 0) at_[i] = scaled;
    }
    return rounded;
  }

  int lane(const std::string& prefix) {
    int acc = decoded_;
    for (int i = 0; i < plan_.steps; ++i) acc = step(prefix + "step[" + std::to_string(i) + "].", acc);
    return acc;
  }

  int step(const std::string& prefix, int acc) {
    const int special = std::max(products_, acc) + latency_.of(Kind::special);
    if (plan_.datapath.specials == Specials::step) at_[place(prefix + "special")] = special;
    const int done = adders(prefix, plan_.adders, special, special) + latency_.of(Kind::acc);
    at_[place(prefix + "acc")] = done;
    return done;
  }

  int adders(const std::string& prefix, const std::vector<AdderPlan>& list, int terms, int acc) {
    std::vector<int> done;
    for (const AdderPlan& adder : list) {
      int result = 0;
      for (int i = 0; i < adder.groups; ++i) {
        const std::string group = adder.groups > 1 ? "[" + std::to_string(i) + "]" : "";
        result = sums(prefix + adder.name + group, adder, items(adder, {terms, acc, done}));
      }
      done.push_back(result);
    }
    return done.back();
  }

  struct Ready {
    int terms, acc;  // also of lanes and c
    const std::vector<int>& adders;
  };

  std::vector<int> items(const AdderPlan& adder, const Ready& ready) const {
    std::vector<int> all;
    for (std::size_t i = 0; i < adder.inputs.size(); ++i) {
      const InputPlan& input = adder.inputs[i];
      const int count = i == 0 ? adder.terms : input.count;
      all.insert(all.end(), static_cast<std::size_t>(count), arrival(input, ready));
    }
    return all;
  }

  int arrival(const InputPlan& input, const Ready& ready) const {
    switch (input.source) {
      case Source::product: return ready.terms;
      case Source::acc: return ready.acc;
      case Source::c: return decoded_;
      case Source::lanes: return lanes_;
      case Source::adder: return ready.adders[static_cast<std::size_t>(input.adder)];
    }
    return 0;
  }

  int sums(const std::string& name, const AdderPlan& adder, const std::vector<int>& items) {
    if (adder.shape == Shape::flat) return sum(name, adder, *std::max_element(items.begin(), items.end()));
    int added = 0;
    return add_in_pairs(adder.shape, items, [&](int left, int right) {
      return sum(name + ".add[" + std::to_string(added++) + "]", adder, std::max(left, right));
    });
  }

  // The places of one sum, one after the other: window, align[..], reduce(, scale)(, round..).
  int sum(const std::string& name, const AdderPlan& adder, int ready) {
    std::size_t next = place(name + ".window");
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

  std::size_t place(const std::string& name) const { return places_.at(name); }

  const Plan& plan_;
  const Latency& latency_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<int> at_;
  int decoded_ = 0, products_ = 0, lanes_ = 0;
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
