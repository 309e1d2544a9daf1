// What is true of a window, whatever it is made of, and of no other value.
#include <algorithm>
#include <iterator>
#include <set>

#include "tb/prove/aids.hpp"
#include "tb/prove/place_functions.hpp"
#include "tb/prove/plan_sums.hpp"

namespace assay {
namespace {

// Windows that are the largest of some exponents as they stand.
class WindowLaws {
 public:
  WindowLaws(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates)
      : plan_(plan), model_(model), unit_(unit), gates_(gates), words_(gates), zeros_(zeros_with_exponents(plan)) {}

  std::vector<Law> all() {
    PlanSums(plan_).for_each([&](const SumSite& site, const PlanSums::Items& items) {
      if (is_the_largest(site, items.places)) add(site, items.places);
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
    const auto& inputs = site.adder->inputs;
    const bool is_power = (window.step & (window.step - 1)) == 0;
    return unit_at(site.window) && follows_exponents(site) && is_power &&
           std::all_of(inputs.begin(), inputs.end(), [](const InputPlan& input) { return !input.words.empty; }) &&
           std::all_of(items.begin(), items.end(), [&](int item) {
             return item == PlanSums::no_item || (item >= 0 && holds_number(place(item)) && zeros_.count(item) == 0);
           });
  }

  void add(const SumSite& site, const std::vector<int>& items) {
    std::vector<PlaceWords> numbers;
    std::vector<std::string> says;
    std::vector<Lit> below;
    for (const int item : items) {
      if (item == PlanSums::no_item) continue;
      numbers.push_back(item_words(plan_, site.window, item, model_at(item), gates_));
      says.push_back("is not below " + place(item).name);
      // A number that the unit does not show it may read in another way: both are made of its operand.
      if (!unit_at(item)) continue;
      below.insert(below.end(), model_at(item).begin(), model_at(item).end());
      below.push_back(place_words(place(item), model_at(item), gates_).counts);
    }
    const Window& rule = site.adder->window;
    if (rule.floor) says.emplace_back("is not below its floor");
    says.push_back(rule.step == 1 ? "is what one of its items has" : "is less than a step above one of its items");
    if (rule.step != 1) says.emplace_back("is a multiple of its step");
    const std::vector<int> read = items_of(items);
    PlaceFunctions functions(plan_, model_, gates_, read, {});
    const std::vector<Lit> of_model = true_of(model_at(site.window), site, numbers),
                           of_unit = true_of(*unit_at(site.window), site, numbers);
    for (std::size_t i = 0; i < says.size(); ++i) {
      laws_.push_back({site.window, place(site.window).name + " " + says[i], of_model[i], of_unit[i], below});
      const std::optional<PlaceFunction> of = functions.of({of_model[i]});
      if (of) laws_.back().over_places.claim(read, true, *of);
    }
  }

  static std::vector<int> items_of(const std::vector<int>& items) {
    std::vector<int> places;
    std::copy_if(items.begin(), items.end(), std::back_inserter(places),
                 [](int item) { return item != PlanSums::no_item; });
    return places;
  }

  // Where there is neither an exponent nor a floor it is zero, which is a multiple of nothing.
  std::vector<Lit> true_of(const std::vector<Lit>& bits, const SumSite& site, const std::vector<PlaceWords>& numbers) {
    const Window& rule = site.adder->window;
    const GateWord window = extended({bits, true}, width, true);
    std::vector<Lit> laws;
    Lit is_one = lit_false, none_counts = lit_true;
    for (const PlaceWords& n : numbers) {
      const GateWord exponent = words_.sum(extended(n.exponent, width, true), constant(rule.raise));
      laws.push_back(inverted(gates_.both(n.counts, words_.is_less(window, exponent))));
      is_one = gates_.either(is_one, gates_.both(n.counts, is_reached(window, exponent, rule.step)));
      none_counts = gates_.both(none_counts, inverted(n.counts));
    }
    const GateWord least = constant(rule.floor.value_or(0));
    if (rule.floor) laws.push_back(inverted(words_.is_less(window, least)));
    const Lit is_nothing = gates_.both(none_counts, words_.is_same(window, constant(0)));
    laws.push_back(gates_.either(is_one, rule.floor ? is_reached(window, least, rule.step) : is_nothing));
    if (rule.step != 1) laws.push_back(gates_.either(is_multiple(window, rule), rule.floor ? lit_false : is_nothing));
    return laws;
  }

  GateWord constant(int value) const { return constant_word(static_cast<std::uint64_t>(value), width, true); }

  // The exponent, or less than a step above it.
  Lit is_reached(const GateWord& window, const GateWord& exponent, int step) {
    return step == 1 ? words_.is_same(window, exponent) : words_.is_less(window, words_.sum(exponent, constant(step)));
  }

  // Of steps that are a power of two.
  Lit is_multiple(const GateWord& window, const Window& rule) {
    const GateWord from = words_.difference(window, constant(rule.step_from));
    Lit any = lit_false;
    for (int bit = 0; (1 << bit) < rule.step; ++bit) any = gates_.either(any, from.bit(bit));
    return inverted(any);
  }

  const Plan& plan_;
  const ModelGates& model_;
  const ShownPlaces& unit_;
  Gates& gates_;
  WordMaker words_;
  std::set<int> zeros_;  // places of numbers that may be zero and have an exponent all the same
  std::vector<Law> laws_;
};

}  // namespace

std::vector<Law> laws_of(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates) {
  return WindowLaws(plan, model, unit, gates).all();
}

}  // namespace assay
