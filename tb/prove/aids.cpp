#include "tb/prove/aids.hpp"

#include <algorithm>

#include "model/core/reading.hpp"

namespace assay {
namespace {

class Aids {
 public:
  Aids(const Plan& plan, const ModelGates& model, Gates& gates)
      : plan_(plan), model_(model), gates_(gates), words_(gates), sites_(sum_sites(plan)) {}

  std::vector<Aid> all() {
    for (std::size_t place = 0; place < model_.places.size(); ++place) add_read_on(static_cast<int>(place));
    std::size_t site = 0;
    for (int instance = 0; instance < plan_.lanes * plan_.steps; ++instance) add_sums(Region::step, instance, site);
    if (!plan_.finish.empty()) add_sums(Region::finish, 0, site);
    std::stable_sort(aids_.begin(), aids_.end(), [](const Aid& x, const Aid& y) { return x.after < y.after; });
    return std::move(aids_);
  }

 private:
  static constexpr int width = 33;  // of exponents, with room for differences

  const std::vector<Lit>& bits(int place) const { return model_.places[static_cast<std::size_t>(place)]; }
  Place place(int index) const { return plan_.places[static_cast<std::size_t>(index)]; }

  void add_read_on(int index) {
    for (const ReadOn& read : model_.read_on[static_cast<std::size_t>(index)])
      aids_.push_back({index, "what is read of " + place(index).name, read.word, read.made});
  }

  void add_lemma(int after, const std::string& name, Lit always, const std::vector<Lit>& below,
                 const std::vector<int>& for_places) {
    aids_.push_back({after, name, {always}, {lit_true}, true, below, for_places});
  }

  Lit implies(Lit x, Lit y) { return gates_.either(inverted(x), y); }
  Lit is_within(const GateWord& word, int least, int greatest) {
    const GateWord wide = extended(word, width, true);
    const auto limit = [](int value) { return constant_word(static_cast<std::uint64_t>(value), width, true); };
    return gates_.both(inverted(words_.is_less(wide, limit(least))), inverted(words_.is_less(limit(greatest), wide)));
  }

  // Where a value of a block can be seen before a sum reads it; -1: nowhere.
  int place_of_value(Region region, int instance, const CircuitBlock& block, std::size_t first_site, int value) const {
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

  void add_sums(Region region, int instance, std::size_t& next) {
    const CircuitBlock& block = region == Region::step ? plan_.circuit.step : plan_.circuit.finish;
    const std::size_t first = next;
    for (const SumNode& node : block.sums) {
      std::vector<int> items;
      for (const SumItem& item : node.items)
        items.push_back(place_of_value(region, instance, block, first, item.value));
      add_sum(sites_[next++], items);
    }
  }

  // The numbers lie where the Plan has them, and no exponent is above the window's.
  void add_sum(const SumSite& site, const std::vector<int>& items) {
    if (site.adder->sum.fixed_quantum) return;
    std::vector<Lit> below;
    std::vector<int> after;
    for (int i = site.window + 1; i < static_cast<int>(plan_.places.size()); ++i) after.push_back(i);
    int least = std::min(0, site.adder->window.floor.value_or(0)),
        greatest = std::max(0, site.adder->window.floor.value_or(0));
    for (const int item : items) {
      if (item < 0 || !holds_number(place(item))) continue;
      least = std::min(least, place(item).least_exponent + site.adder->window.raise);
      greatest =
          std::max(greatest, place(item).greatest_exponent + site.adder->window.raise + site.adder->window.step - 1);
      const PlaceWords words = place_words(place(item), bits(item), gates_);
      below.insert(below.end(), bits(item).begin(), bits(item).end());
      below.push_back(words.counts);
    }
    const GateWord window = {bits(site.window), true};
    add_lemma(site.window, "the range of " + place(site.window).name, is_within(window, least, greatest), below, after);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i] < 0 || !holds_number(place(items[i]))) continue;
      const PlaceWords words = place_words(place(items[i]), bits(items[i]), gates_);
      const Place at = place(items[i]);
      add_lemma(items[i], "the range of " + at.name,
                gates_.choose(words.counts, is_within(words.exponent, at.least_exponent, at.greatest_exponent),
                              inverted(words_.is_not_zero(words.exponent))),
                {}, {site.window, site.align(static_cast<int>(i))});
      const Lit is_above = words_.is_less(extended(window, width, true), extended(words.exponent, width, true));
      add_lemma(site.window, place(site.window).name + " is not below " + at.name,
                implies(words.counts, inverted(is_above)), below, {site.align(static_cast<int>(i))});
    }
  }

  const Plan& plan_;
  const ModelGates& model_;
  Gates& gates_;
  WordMaker words_;
  std::vector<SumSite> sites_;
  std::vector<Aid> aids_;
};

}  // namespace

std::vector<Aid> aids_of(const Plan& plan, const ModelGates& model, Gates& gates) {
  return Aids(plan, model, gates).all();
}

}  // namespace assay
