#include "tb/prove/own_stages.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <unordered_set>

#include "tb/prove/place_functions.hpp"
#include "tb/prove/plan_sums.hpp"

namespace assay {
namespace {

class OwnStages {
 public:
  OwnStages(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates,
            const std::vector<std::vector<std::uint64_t>>& cases)
      : plan_(plan), model_(model), unit_(unit), gates_(gates), cases_(cases), added_(places_added(plan)) {}

  std::vector<OwnStage> all() {
    const bool has_empty = model_.empty.size() == sum_sites(plan_).size();
    const PlanSums sums(plan_);
    sums.for_each([&](const SumSite& site, const PlanSums::Items& all) {
      const auto empty_of = [&](const SumSite& of) { return has_empty ? model_.empty[sums.number(of)] : lit_false; };
      const std::vector<int>& items = all.places;
      const std::vector<Lit> empty{empty_of(site)};
      std::vector<int> aligned;
      for (std::size_t i = 0; i < items.size(); ++i) {
        aligned.push_back(site.align(static_cast<int>(i)));
        if (items[i] >= 0 && add(aligned.back(), {items[i], site.window}, empty) && is_rounded(items[i]))
          stages_.back().after = items[i];
        if (const SumSite* sum = all.whole[i])
          add(aligned.back(), {sum->reduce, sum->window, site.window}, {empty_of(site), empty_of(*sum)});
      }
      if (site.adder->has_sticky()) add_lost(items, site.window, aligned);
      add(site.reduce, aligned, empty);
      add_results(site, items, empty);
      const std::set<int>& added = added_.at(site.window);
      const bool has_whole =
          std::any_of(all.whole.begin(), all.whole.end(), [](const SumSite* s) { return s != nullptr; });
      // Laws are of numbers that places hold.
      const bool has_own = has_whole && add(site.window, std::vector<int>(added.begin(), added.end()), EmptySums{});
      for (const int item : items) {
        if (has_own && item >= 0 && is_rounded(item)) stages_.back().after = item;
        if (site.special >= 0 && is_seen(item)) decides_[site.special].insert(item);
      }
    });
    for (const auto& [special, read] : decides_) add(special, std::vector<int>(read.begin(), read.end()), EmptySums{});
    add_code();
    leave_out_untrue();
    leave_out_second();
    return std::move(stages_);
  }

 private:
  static constexpr std::size_t widest_addend = 60;  // bits of one whose size is asked for

  const std::vector<Lit>& model_at(int place) const { return model_.places[static_cast<std::size_t>(place)]; }
  const std::optional<std::vector<Lit>>& unit_at(int place) const { return unit_[static_cast<std::size_t>(place)]; }
  Stage stage(int place) const { return plan_.places[static_cast<std::size_t>(place)].stage; }

  bool is_seen(int item) const { return item >= 0 && (is_operand(item) || unit_at(item)); }

  bool is_rounded(int place) const { return stage(place) == Stage::round || stage(place) == Stage::acc; }

  // What is an operand both sides read: whether it is shown does not matter.
  bool is_operand(int place) const { return stage(place) == Stage::decode; }

  // Whether there is one. Where no number counts the model adds nothing: the function need not ask for that where it
  // comes to nothing of itself.
  bool add(int place, const std::vector<int>& read, const std::vector<Lit>& empty) {
    return add(place, read, EmptySums{empty});
  }

  bool add(int place, const std::vector<int>& read, const EmptySums& empty) {
    std::vector<int> shown;
    for (const int before : read) {
      if (!is_operand(before)) shown.push_back(before);
    }
    const auto is_shown = [&](int before) { return unit_at(before).has_value(); };
    if (!is_shown(place) || !std::all_of(shown.begin(), shown.end(), is_shown)) return false;
    PlaceFunctions functions(plan_, model_, gates_, read, empty);
    const std::optional<PlaceFunction> of = functions.of(model_at(place));
    if (!of) return false;
    stages_.push_back({place, plan_.places.name(place) + " is made of the places before it", shown,
                       about(read, empty.of_model), of_shown(of->made, shown, model_, unit_, gates_), *unit_at(place),
                       stage(place) == Stage::reduce});
    stages_.back().over.places = read;
    stages_.back().over.add(*of);
    return true;
  }

  std::vector<Lit> about(const std::vector<int>& read, const std::vector<Lit>& empty) const {
    std::vector<Lit> bits = empty;
    for (const int before : read) bits.insert(bits.end(), model_at(before).begin(), model_at(before).end());
    return bits;
  }

  // The sum rounded, once more as often as the adder does, and as its step leaves it.
  void add_results(const SumSite& site, const std::vector<int>& items, const std::vector<Lit>& empty) {
    const auto& results = site.adder->results;
    add_rounded(site, items, empty);
    for (int place = site.reduce + 2; place < site.end; ++place) {
      if (add_after({place - 1}, place, empty) && place >= site.first_result())
        leave(results[static_cast<std::size_t>(place - site.first_result())], stages_.back());
    }
    if (site.reduce + 1 == site.end || site.end >= static_cast<int>(plan_.places.size()) ||
        stage(site.end) != Stage::acc)
      return;
    if (add_after(read_by_step(site, items), site.end, empty)) leave(results.back(), stages_.back());
  }

  // What a step leaves may be a NaN or an infinity of whatever it adds, and of their operands.
  std::vector<int> read_by_step(const SumSite& site, const std::vector<int>& items) const {
    std::vector<int> read{site.end - 1};
    if (site.special >= 0) read.push_back(site.special);
    std::copy_if(items.begin(), items.end(), std::back_inserter(read),
                 [&](int item) { return item >= 0 && !is_operand(item) && unit_at(item); });
    for (int place = 0; place < static_cast<int>(plan_.places.size()); ++place) {
      if (is_operand(place)) read.push_back(place);
    }
    return read;
  }

  void add_code() {
    const int encode = plan_.places.first(Region::encode);
    if (encode > 0 && stage(encode - 1) == Stage::acc) add_after({encode - 1}, encode, {});
  }

  // What reads a rounded number, the first of `read`.
  bool add_after(const std::vector<int>& read, int place, const std::vector<Lit>& empty) {
    if (!add(place, read, empty)) return false;
    stages_.back().after = read.front();
    return true;
  }

  // A sum that is rounded is split on its leading bit. The signs of its items may decide that of a zero.
  void add_rounded(const SumSite& site, const std::vector<int>& items, const std::vector<Lit>& empty) {
    if (site.reduce + 1 == site.end || !unit_at(site.reduce) || !unit_at(site.window)) return;
    std::vector<int> read{site.reduce, site.window};
    std::copy_if(items.begin(), items.end(), std::back_inserter(read), [&](int item) { return is_seen(item); });
    const std::size_t first = stages_.size();
    add(site.reduce + 1, read, empty);
    // A sum of nothing may be left as it is, which is not what a zero that numbers add up to is left as.
    const std::optional<Lit> counts = some_counts(site, items, false);
    if (counts && !is_constant(empty.front()) && !site.adder->window.lost_at)
      add(site.reduce + 1, read, EmptySums{empty, inverted(*counts)});
    if (stages_.size() == first) return;
    split_on_leading_bit(site, items, stages_[first]);
    if (site.first_result() == site.reduce + 1) leave(site.adder->results.front(), stages_[first]);
    if (stages_.size() == first + 1) return;
    // Of the unit's sum the same is said whichever of the two functions is the model's.
    OwnStage second = stages_[first];
    second.of_shown = std::move(stages_.back().of_shown);
    second.over = std::move(stages_.back().over);
    stages_.back() = std::move(second);
  }

  void split_on_leading_bit(const SumSite& site, const std::vector<int>& items, OwnStage& own) {
    own.leading = without_bits_below(plan_.places[static_cast<std::size_t>(site.reduce)], *unit_at(site.reduce));
    own.lemma = is_zero_where_nothing_counts(site, items);
    own.lemma_name = "the unit's " + plan_.places.name(site.reduce) + " is zero where nothing counts";
    own.addends = addends_of(site);
  }

  // Whether ones were lost, which stands below the sum, is asked of the numbers before they are aligned.
  static void add_lost(const std::vector<int>& items, int window, std::vector<int>& read) {
    std::copy_if(items.begin(), items.end(), std::back_inserter(read), [](int item) { return item >= 0; });
    read.push_back(window);
  }

  // How a stage leaves numbers that are rounded so.
  void leave(const ResultPlan& how, OwnStage& own) {
    const Place place = plan_.places[static_cast<std::size_t>(own.place)];
    const bool has_one = place.fraction_bits >= 0 && place.fraction_bits < place.significand_width;
    if (how.words.at == ResultAt::window || !holds_number(place) || !has_one) return;
    const bool is_format = how.words.at == ResultAt::format;
    own.left = is_left_by_rounding(
        place, is_format ? std::optional<int>(how.format.least_exponent()) : how.words.least_exponent, own.shown);
    own.left_name = "the unit's " + place.name + " has its leading one, and counts where it shows";
  }

  std::vector<OwnAddend> addends_of(const SumSite& site) {
    std::vector<OwnAddend> addends;
    for (int i = 0; i < site.items(); ++i) {
      const int place = site.align(i);
      if (!unit_at(place) || unit_at(place)->empty() || unit_at(place)->size() > widest_addend) return {};
      addends.push_back({place, *unit_at(place), 0, lit_true, "the size of the unit's " + plan_.places.name(place)});
    }
    // Lanes are alike: what is seen of one goes for all of its width.
    std::map<std::size_t, std::uint64_t> most;
    see_sizes(addends, most);
    for (OwnAddend& addend : addends) {
      addend.most = most[addend.bits.size()];
      addend.is_within = is_within(addend.bits, addend.most);
    }
    return addends;
  }

  void see_sizes(const std::vector<OwnAddend>& addends, std::map<std::size_t, std::uint64_t>& most) const {
    GateSimulation simulation(gates_);
    for (const std::vector<std::uint64_t>& inputs : cases_) {
      simulation.run(inputs);
      for (const OwnAddend& addend : addends) {
        std::uint64_t& at = most[addend.bits.size()];
        for (int lane = 0; lane < 64; ++lane) {
          std::uint64_t value = 0;
          for (std::size_t i = 64; i-- > 0;) {
            const Lit l = addend.bits[std::min(i, addend.bits.size() - 1)];
            value = value << 1 | (simulation.of(l) >> lane & 1);
          }
          at = std::max(at, value >> 63 != 0 ? ~value + 1 : value);
        }
      }
    }
  }

  // Of a signed word.
  Lit is_within(const std::vector<Lit>& bits, std::uint64_t most) {
    WordMaker words(gates_);
    const GateWord word = extended({bits, true}, widest_addend + 2, true),
                   limit = constant_word(most, widest_addend + 2, true);
    const Lit is_above = words.is_less(limit, word),
              is_below = words.is_less(words.sum(word, limit), constant_word(0, widest_addend + 2, true));
    return gates_.both(inverted(is_above), inverted(is_below));
  }

  // For that a unit may ask in place of its sum.
  Lit is_zero_where_nothing_counts(const SumSite& site, const std::vector<int>& items) {
    const std::optional<Lit> counts = some_counts(site, items, true);
    return counts ? gates_.either(*counts, inverted(WordMaker(gates_).is_not_zero({*unit_at(site.reduce), false})))
                  : lit_true;
  }

  // Of what a sum adds, as the unit or the model shows it; nothing where the unit does not show all.
  std::optional<Lit> some_counts(const SumSite& site, const std::vector<int>& items, bool of_unit) {
    Lit any = lit_false;
    for (const int item : items) {
      if (item == PlanSums::no_item) continue;
      if (!is_seen(item) || !holds_number(plan_.places[static_cast<std::size_t>(item)])) return std::nullopt;
      const bool is_shown = of_unit && unit_at(item).has_value();
      const std::vector<Lit>& bits = is_shown ? *unit_at(item) : model_at(item);
      any = gates_.either(any, item_words(plan_, site.window, item, bits, gates_).counts);
    }
    return any;
  }

  // Its leading one stands before the fraction, but for the least exponent's; and what hides the exponent of a number
  // that does not count, which a unit may read instead, is that it does not.
  Lit is_left_by_rounding(const Place& place, std::optional<int> least, const std::vector<Lit>& bits) {
    constexpr int width = 33;
    WordMaker words(gates_);
    const PlaceWords number = place_words(place, bits, gates_);
    Lit is_so = gates_.either(inverted(number.counts), bits[static_cast<std::size_t>(place.fraction_bits)]);
    if (least) {
      const GateWord limit = constant_word(static_cast<std::uint64_t>(*least), width, true);
      is_so = gates_.either(is_so, words.is_same(extended(number.exponent, width, true), limit));
    }
    const Lit hides = what_hides(number.exponent.bits);
    return hides == lit_none ? is_so : gates_.both(is_so, gates_.either(inverted(number.counts), hides));
  }

  // The literal that all of these bits are an `and` of, whatever else each is one of.
  Lit what_hides(const std::vector<Lit>& bits) const {
    std::vector<Lit> common;
    bool is_first = true;
    for (const Lit l : bits) {
      if (is_constant(l)) continue;
      if (is_inverted(l) || !gates_.is_gate(node_of(l))) return lit_none;
      const std::array<Lit, 2> in{gates_.first(node_of(l)), gates_.second(node_of(l))};
      if (is_first) common.assign(in.begin(), in.end());
      is_first = false;
      common.erase(
          std::remove_if(common.begin(), common.end(), [&](Lit c) { return std::count(in.begin(), in.end(), c) == 0; }),
          common.end());
    }
    return common.size() == 1 ? common.front() : lit_none;
  }

  // Where the model goes on with more than places show, as a NaN's payload: what a case shows to be untrue is not
  // tried.
  void leave_out_untrue() {
    GateSimulation simulation(gates_);
    for (const std::vector<std::uint64_t>& inputs : cases_) {
      simulation.run(inputs);
      const auto is_any_untrue = [&](const std::vector<Lit>& list) {
        return std::any_of(list.begin(), list.end(), [&](Lit always) { return ~simulation.of(always) != 0; });
      };
      const auto is_untrue = [&](const OwnStage& own) {
        return is_any_untrue(own.over.is_model) || is_any_untrue(own.over.is_same);
      };
      stages_.erase(std::remove_if(stages_.begin(), stages_.end(), is_untrue), stages_.end());
    }
  }

  // Of two for a place the first, which asks for less.
  void leave_out_second() {
    const auto is_same = [](const OwnStage& one, const OwnStage& next) { return one.place == next.place; };
    stages_.erase(std::unique(stages_.begin(), stages_.end(), is_same), stages_.end());
  }

  const Plan& plan_;
  const ModelGates& model_;
  const ShownPlaces& unit_;
  Gates& gates_;
  const std::vector<std::vector<std::uint64_t>>& cases_;
  const std::map<int, std::set<int>> added_;  // places, by their sum's window
  std::map<int, std::set<int>> decides_;  // by what NaN and infinity decide, the places of the numbers that may be one
  std::vector<OwnStage> stages_;
};

}  // namespace

std::vector<OwnStage> own_stages(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates,
                                 const std::vector<std::vector<std::uint64_t>>& cases) {
  return OwnStages(plan, model, unit, gates, cases).all();
}

}  // namespace assay
