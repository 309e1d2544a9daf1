#include "tb/prove/own_stages.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "tb/prove/plan_sums.hpp"

namespace assay {
namespace {

class OwnStages {
 public:
  OwnStages(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates)
      : plan_(plan), model_(model), unit_(unit), gates_(gates) {}

  std::vector<OwnStage> all() {
    const bool has_empty = model_.empty.size() == sum_sites(plan_).size();
    std::size_t number = 0;
    PlanSums(plan_).for_each([&](const SumSite& site, const std::vector<int>& items) {
      const Lit empty = has_empty ? model_.empty[number++] : lit_false;
      std::vector<int> aligned;
      for (std::size_t i = 0; i < items.size(); ++i) {
        aligned.push_back(site.align(static_cast<int>(i)));
        if (items[i] >= 0) add(aligned.back(), {items[i], site.window}, empty);
      }
      add(site.reduce, aligned, empty);
      add_rounded(site, items, empty);
    });
    return std::move(stages_);
  }

 private:
  const std::vector<Lit>& model_at(int place) const { return model_.places[static_cast<std::size_t>(place)]; }
  const std::optional<std::vector<Lit>>& unit_at(int place) const { return unit_[static_cast<std::size_t>(place)]; }
  Stage stage(int place) const { return plan_.places[static_cast<std::size_t>(place)].stage; }

  bool is_seen(int item) const { return item >= 0 && (is_operand(item) || unit_at(item)); }

  // What is an operand both sides read: whether it is shown does not matter.
  bool is_operand(int place) const { return stage(place) == Stage::decode; }

  void add(int place, const std::vector<int>& read, Lit empty) {
    std::vector<int> shown;
    for (const int before : read) {
      if (!is_operand(before)) shown.push_back(before);
    }
    const auto is_shown = [&](int before) { return unit_at(before).has_value(); };
    if (!is_shown(place) || !std::all_of(shown.begin(), shown.end(), is_shown)) return;
    const OfPlaces of = of_places(model_at(place), shown, empty);
    if (!is_made_of(of.made, read)) return;
    stages_.push_back({place, plan_.places.name(place) + " is made of the places before it", shown,
                       is_function(model_at(place), of), of_shown(of.made, shown, model_, unit_, gates_),
                       *unit_at(place), stage(place) == Stage::reduce});
  }

  // A sum that is rounded is split on its leading bit. The signs of its items may decide that of a zero.
  void add_rounded(const SumSite& site, const std::vector<int>& items, Lit empty) {
    if (site.reduce + 1 == site.end || !unit_at(site.reduce) || !unit_at(site.window)) return;
    std::vector<int> read{site.reduce, site.window};
    std::copy_if(items.begin(), items.end(), std::back_inserter(read), [&](int item) { return is_seen(item); });
    const std::size_t before = stages_.size();
    add(site.reduce + 1, read, empty);
    if (stages_.size() == before) return;
    stages_.back().leading = *unit_at(site.reduce);
    stages_.back().lemma = is_zero_where_nothing_counts(site, items);
    stages_.back().lemma_name = "the unit's " + plan_.places.name(site.reduce) + " is zero where nothing counts";
  }

  // For that a unit may ask in place of its sum.
  Lit is_zero_where_nothing_counts(const SumSite& site, const std::vector<int>& items) {
    const std::vector<Lit>& sum = *unit_at(site.reduce);
    Lit is_so = inverted(WordMaker(gates_).is_not_zero({sum, false}));
    for (const int item : items) {
      if (!is_seen(item)) return lit_true;
      const auto& shown = unit_at(item);
      const Place at = plan_.places[static_cast<std::size_t>(item)];
      if (!holds_number(at)) return lit_true;
      is_so = gates_.either(is_so, place_words(at, shown ? *shown : model_at(item), gates_).counts);
    }
    return is_so;
  }

  // The model's bits, with what it reads of places as these have it; and wherever that is something else.
  struct OfPlaces {
    std::vector<Lit> made, otherwise;
  };

  // Where no number counts the model adds nothing: the function does not ask for that, since it comes to nothing of
  // itself.
  OfPlaces of_places(const std::vector<Lit>& bits, const std::vector<int>& read, Lit empty) {
    std::vector<Lit> never_empty(gates_.size(), lit_none), of_bits;
    OfPlaces of{{}, {empty}};
    stand_for(never_empty, empty, lit_false);
    const std::vector<Lit> made = copied_within(gates_, bits, never_empty);
    const auto read_as = [&](const std::vector<Lit>& from, const std::vector<Lit>& to) {
      const std::vector<Lit> now = copied_within(gates_, from, never_empty);
      of.otherwise.push_back(differ_in_any(from, to, gates_));
      of_bits.resize(gates_.size(), lit_none);
      for (std::size_t bit = 0; bit < now.size(); ++bit) stand_for(of_bits, now[bit], to[bit]);
    };
    for (const int place : read) {
      for (const ReadOn& on : model_.read_on[static_cast<std::size_t>(place)]) {
        const bool turned = on.kind == ReadOn::Kind::counts;
        read_as(turned ? on.made : on.word, turned ? on.word : on.made);
      }
      read_as(model_at(place), model_at(place));
    }
    of.made = copied_within(gates_, made, of_bits);
    return of;
  }

  // Where what is read is what the model has, the function is what the model has too: it is the same gates. Elsewhere
  // it has to be shown.
  std::vector<Lit> is_function(const std::vector<Lit>& model, const OfPlaces& of) {
    const Lit differ = differ_in_any(model, of.made, gates_);
    std::vector<Lit> always;
    for (const Lit l : of.otherwise) {
      if (l != lit_false) always.push_back(inverted(gates_.both(l, differ)));
    }
    return always;
  }

  // Of these places, and of the operands of those that are one, and of nothing else.
  bool is_made_of(const std::vector<Lit>& made, const std::vector<int>& places) const {
    std::unordered_set<std::uint32_t> leaves;
    for (const int place : places) {
      for (const Lit l : model_at(place)) leaves.insert(node_of(l));
      if (!is_operand(place)) continue;
      for (const std::uint32_t node : cone_of(gates_, model_at(place))) leaves.insert(node);
    }
    const std::vector<std::uint32_t> cone =
        cone_of(gates_, made, [&](std::uint32_t node) { return leaves.count(node) != 0; });
    return std::all_of(cone.begin(), cone.end(),
                       [&](std::uint32_t node) { return leaves.count(node) != 0 || gates_.is_gate(node); });
  }

  const Plan& plan_;
  const ModelGates& model_;
  const ShownPlaces& unit_;
  Gates& gates_;
  std::vector<OwnStage> stages_;
};

}  // namespace

std::vector<OwnStage> own_stages(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates) {
  return OwnStages(plan, model, unit, gates).all();
}

}  // namespace assay
