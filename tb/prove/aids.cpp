#include "tb/prove/aids.hpp"

#include <algorithm>

#include "tb/prove/plan_sums.hpp"

namespace assay {
namespace {

class Aids {
 public:
  Aids(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates)
      : plan_(plan), model_(model), unit_(unit), gates_(gates), words_(gates) {}

  std::vector<Aid> all() {
    for (std::size_t place = 0; place < model_.places.size(); ++place) add_read_on(static_cast<int>(place));
    const bool has_empty = model_.empty.size() == sum_sites(plan_).size();
    std::size_t number = 0;
    PlanSums(plan_).for_each([&](const SumSite& site, const std::vector<int>& items) {
      add_sum(site, items);
      if (has_empty) add_empty(site, items, model_.empty[number++]);
    });
    std::stable_sort(aids_.begin(), aids_.end(), [](const Aid& x, const Aid& y) {
      return std::pair(x.place, x.is_lemma) < std::pair(y.place, y.is_lemma);
    });
    return std::move(aids_);
  }

 private:
  static constexpr int width = 33;  // of exponents, with room for differences

  const std::vector<Lit>& bits(int place) const { return model_.places[static_cast<std::size_t>(place)]; }
  Place place(int index) const { return plan_.places[static_cast<std::size_t>(index)]; }

  void add_read_on(int index) {
    for (const ReadOn& read : model_.read_on[static_cast<std::size_t>(index)]) {
      if (read.kind != ReadOn::Kind::sign)
        aids_.push_back({index, "what is read of " + place(index).name, read.word, read.made, false,
                         read.kind == ReadOn::Kind::counts});
    }
  }

  void add_lemma(int place, const std::string& name, Lit always, const std::vector<Lit>& below,
                 const std::vector<int>& for_places, bool is_at_places = false) {
    aids_.push_back({place, name, {always}, {lit_true}, true, false, is_at_places, below, for_places});
  }
  // One that is about places alone.
  void add_lemma_of(const std::vector<int>& places, const std::string& name, Lit always, const std::vector<Lit>& below,
                    const std::vector<int>& for_places) {
    add_lemma(places.front(), name, always, below, for_places);
    aids_.back().about = places;
    aids_.back().of_unit = of_shown({always}, places, model_, unit_, gates_).front();
  }

  Lit implies(Lit x, Lit y) { return gates_.either(inverted(x), y); }
  Lit is_within(const GateWord& word, int least, int greatest) {
    const GateWord wide = extended(word, width, true);
    const auto limit = [](int value) { return constant_word(static_cast<std::uint64_t>(value), width, true); };
    return gates_.both(inverted(words_.is_less(wide, limit(least))), inverted(words_.is_less(limit(greatest), wide)));
  }

  // By the model's own gate for what counts, of which a place's bits say the same.
  Lit what_counts_is_finite(int index) {
    Lit always = lit_true;
    const std::vector<Lit>& end = bits(index);
    for (const ReadOn& read : model_.read_on[static_cast<std::size_t>(index)]) {
      if (read.kind != ReadOn::Kind::counts) continue;
      for (const std::size_t below_top : {1, 2})
        always = gates_.both(always, implies(read.made.front(), inverted(end[end.size() - below_top])));
    }
    return always;
  }

  // A step that NaN and infinity decide asks at its end for the kind of each item.
  std::vector<int> decided_after(const SumSite& site) const {
    for (int at = site.end; site.special >= 0 && at < static_cast<int>(plan_.places.size()); ++at) {
      if (place(at).stage == Stage::acc) return {at};
    }
    return {};
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
    add_lemma_of({site.window}, "the range of " + place(site.window).name, is_within(window, least, greatest), below,
                 after);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i] < 0 || !holds_number(place(items[i]))) continue;
      const PlaceWords words = place_words(place(items[i]), bits(items[i]), gates_);
      const Place at = place(items[i]);
      const Lit in_range =
          gates_.choose(words.counts, is_within(words.exponent, at.least_exponent, at.greatest_exponent),
                        inverted(words_.is_not_zero(words.exponent)));
      add_lemma_of({items[i]}, "the range of " + at.name, gates_.both(in_range, what_counts_is_finite(items[i])), {},
                   {site.window, site.align(static_cast<int>(i))});
      aids_.back().if_needed_for = decided_after(site);
      const Lit is_above = words_.is_less(extended(window, width, true), extended(words.exponent, width, true));
      add_lemma_of({site.window, items[i]}, place(site.window).name + " is not below " + at.name,
                   implies(words.counts, inverted(is_above)), below, {site.align(static_cast<int>(i))});
    }
  }

  // Where nothing counts the model adds nothing, which its items come to as well: what one of them comes to does not
  // depend on the others.
  void add_empty(const SumSite& site, const std::vector<int>& items, Lit empty) {
    if (is_constant(empty)) return;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i] < 0 || !holds_number(place(items[i]))) continue;
      const int align = site.align(static_cast<int>(i));
      const PlaceWords words = place_words(place(items[i]), bits(items[i]), gates_);
      std::vector<Lit> below = bits(items[i]);
      below.push_back(words.counts);
      add_lemma(site.window, place(items[i]).name + " does not count where none does",
                implies(empty, inverted(words.counts)), below, {align}, true);
      std::vector<Lit> map(gates_.size(), lit_none);
      map[0] = lit_false;
      map[node_of(empty)] = inverted_if(lit_false, is_inverted(empty));
      const std::vector<Lit> made = copied_within(gates_, bits(align), map);
      aids_.push_back(
          {align, place(align).name + " without the others", bits(align), made, false, false, true, {empty}});
    }
  }

  const Plan& plan_;
  const ModelGates& model_;
  const ShownPlaces& unit_;
  Gates& gates_;
  WordMaker words_;
  std::vector<Aid> aids_;
};

// Windows that are the largest of some exponents as they stand.
class WindowLaws {
 public:
  WindowLaws(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates)
      : plan_(plan), model_(model), unit_(unit), gates_(gates), words_(gates) {}

  std::vector<Law> all() {
    PlanSums(plan_).for_each([&](const SumSite& site, const std::vector<int>& items) {
      if (is_the_largest(site, items)) add(site, items);
    });
    return std::move(laws_);
  }

 private:
  static constexpr int width = 33;  // of exponents

  const std::vector<Lit>& model_at(int place) const { return model_.places[static_cast<std::size_t>(place)]; }
  const std::optional<std::vector<Lit>>& unit_at(int place) const { return unit_[static_cast<std::size_t>(place)]; }
  Place place(int index) const { return plan_.places[static_cast<std::size_t>(index)]; }

  bool is_the_largest(const SumSite& site, const std::vector<int>& items) const {
    const auto& window = site.adder->window;
    return unit_at(site.window) && !site.adder->sum.fixed_quantum && window.raise == 0 && window.step == 1 &&
           std::all_of(items.begin(), items.end(), [&](int item) { return item >= 0 && holds_number(place(item)); });
  }

  void add(const SumSite& site, const std::vector<int>& items) {
    std::vector<PlaceWords> numbers;
    std::vector<std::string> says;
    std::vector<Lit> below;
    for (const int item : items) {
      numbers.push_back(place_words(place(item), model_at(item), gates_));
      says.push_back("is not below " + place(item).name);
      // A number that the unit does not show it may read in another way: both are made of its operand.
      if (!unit_at(item)) continue;
      below.insert(below.end(), model_at(item).begin(), model_at(item).end());
      below.push_back(numbers.back().counts);
    }
    if (site.adder->window.floor) says.emplace_back("is not below its floor");
    says.emplace_back("is what one of its items has");
    const std::vector<Lit> of_model = true_of(model_at(site.window), site, numbers),
                           of_unit = true_of(*unit_at(site.window), site, numbers);
    for (std::size_t i = 0; i < says.size(); ++i)
      laws_.push_back({site.window, place(site.window).name + " " + says[i], of_model[i], of_unit[i], below});
  }

  // Where there is neither an exponent nor a floor it is zero.
  std::vector<Lit> true_of(const std::vector<Lit>& bits, const SumSite& site, const std::vector<PlaceWords>& numbers) {
    const GateWord window = extended({bits, true}, width, true);
    std::vector<Lit> laws;
    Lit is_one = lit_false, none_counts = lit_true;
    for (const PlaceWords& n : numbers) {
      const GateWord exponent = extended(n.exponent, width, true);
      laws.push_back(inverted(gates_.both(n.counts, words_.is_less(window, exponent))));
      is_one = gates_.either(is_one, gates_.both(n.counts, words_.is_same(window, exponent)));
      none_counts = gates_.both(none_counts, inverted(n.counts));
    }
    const std::optional<int> floor = site.adder->window.floor;
    const GateWord least = constant_word(static_cast<std::uint64_t>(floor.value_or(0)), width, true);
    if (floor) laws.push_back(inverted(words_.is_less(window, least)));
    const Lit is_least = words_.is_same(window, least);
    laws.push_back(gates_.either(is_one, floor ? is_least : gates_.both(none_counts, is_least)));
    return laws;
  }

  const Plan& plan_;
  const ModelGates& model_;
  const ShownPlaces& unit_;
  Gates& gates_;
  WordMaker words_;
  std::vector<Law> laws_;
};

}  // namespace

std::vector<Law> laws_of(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates) {
  return WindowLaws(plan, model, unit, gates).all();
}

std::vector<Aid> aids_of(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates) {
  return Aids(plan, model, unit, gates).all();
}

std::vector<std::vector<int>> places_read(const Plan& plan) {
  std::vector<std::vector<int>> read(plan.places.size());
  const auto add = [&](int place, int what) {
    if (what >= 0) read[static_cast<std::size_t>(place)].push_back(what);
  };
  PlanSums(plan).for_each([&](const SumSite& site, const std::vector<int>& items) {
    for (int i = 0; i < site.items(); ++i) {
      const int item = items[static_cast<std::size_t>(i)];
      add(site.window, item);
      add(site.align(i), item);
      add(site.align(i), site.window);
      add(site.reduce, site.align(i));
    }
    for (int place = site.reduce + 1; place < site.end; ++place) {
      add(place, place - 1);
      add(place, site.window);
    }
  });
  for (std::size_t i = 1; i < plan.places.size(); ++i) {
    const Stage stage = plan.places[i].stage;
    if (read[i].empty() && (stage == Stage::acc || stage == Stage::encode))
      add(static_cast<int>(i), static_cast<int>(i) - 1);
  }
  return read;
}

}  // namespace assay
