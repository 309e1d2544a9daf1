#include "model/core/reading.hpp"

namespace assay {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

// Walks the sums of a plan in the order of its places.
class SiteFinder {
 public:
  explicit SiteFinder(const Plan& plan) : plan_(plan) {}

  std::vector<SumSite> all() {
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      for (int step = 0; step < plan_.steps; ++step) adders(plan_.adders, plan_.step_order(lane, step));
    }
    adders(plan_.finish, nullptr);
    return std::move(sites_);
  }

 private:
  void adders(const std::vector<AdderPlan>& list, const int* order) {
    const bool decides = order != nullptr && plan_.datapath.specials == Specials::step;
    if (decides) special_ = next(Stage::special);
    for (const AdderPlan& adder : list) {
      for (int group = 0; group < adder.groups; ++group) {
        const std::vector<const Input*> inputs = inputs_of(adder);
        if (adder.shape == Shape::flat) {
          add(adder, group, inputs, block_of(adder, group, order));
          continue;
        }
        const Pairs pairs = sum_pairs(adder.shape, adder.items());
        int sum = group * adder.sums();
        for (const auto& [left, right] : pairs)
          add(adder, sum++, {input(inputs, pairs, left), input(inputs, pairs, right)}, -1);
      }
    }
    special_ = -1;
  }

  static std::vector<const Input*> inputs_of(const AdderPlan& adder) {
    std::vector<const Input*> inputs;
    for (const InputPlan& input : adder.inputs)
      inputs.insert(inputs.end(), static_cast<std::size_t>(input.count), &input.words);
    return inputs;
  }

  // What an earlier sum left enters as its left item did.
  static const Input* input(const std::vector<const Input*>& inputs, const Pairs& pairs, int index) {
    auto i = static_cast<std::size_t>(index);
    while (i >= inputs.size()) i = static_cast<std::size_t>(pairs[i - inputs.size()][0]);
    return inputs[i];
  }

  int block_of(const AdderPlan& adder, int group, const int* order) const {
    if (!adder.times_scales) return -1;
    return order[adder.members[static_cast<std::size_t>(group * adder.terms)]] / plan_.scale_block;
  }

  int next(Stage stage) {
    while (plan_.places[static_cast<std::size_t>(at_)].stage != stage) ++at_;
    return at_;
  }

  void add(const AdderPlan& adder, int index, std::vector<const Input*> inputs, int block) {
    SumSite site;
    site.window = next(Stage::window);
    const std::string& name = plan_.places[static_cast<std::size_t>(site.window)].name;
    site.name = name.substr(0, name.rfind('.'));
    site.adder = &adder;
    site.index = index;
    site.special = special_;
    site.reduce = site.window + 1 + static_cast<int>(inputs.size());
    site.inputs = std::move(inputs);
    site.end = site.first_result() + static_cast<int>(adder.results.size());
    site.scale_block = block;
    at_ = site.end;
    sites_.push_back(std::move(site));
  }

  const Plan& plan_;
  int at_ = 0;
  int special_ = -1;
  std::vector<SumSite> sites_;
};

}  // namespace

std::vector<SumSite> sum_sites(const Plan& plan) { return SiteFinder(plan).all(); }

bool holds_number(const Place& place) {
  return place.stage == Stage::decode || place.stage == Stage::multiply || place.stage == Stage::scale ||
         place.stage == Stage::round || place.stage == Stage::acc;
}

Number number_at(const Trace& trace, int index) {
  const Place& place = trace.plan().places[static_cast<std::size_t>(index)];
  Number n;
  n.cls = static_cast<Class>(trace.field(index, "class"));
  n.negative = trace.field(index, "sign") != 0;
  n.magnitude = trace.field(index, "significand");
  n.exponent = static_cast<int>(trace.signed_field(index, "exponent"));
  n.quantum = place.absolute ? -place.fraction_bits : n.exponent - place.fraction_bits;
  return n;
}

}  // namespace assay
