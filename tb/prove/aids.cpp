#include "tb/prove/aids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "tb/prove/place_functions.hpp"
#include "tb/prove/plan_sums.hpp"

namespace assay {
namespace {

class Aids {
 public:
  Aids(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates)
      : plan_(plan),
        model_(model),
        unit_(unit),
        gates_(gates),
        words_(gates),
        zeros_(zeros_with_exponents(plan)),
        added_(places_added(plan)) {}

  std::vector<Aid> all() {
    const bool has_empty = model_.empty.size() == sum_sites(plan_).size();
    const bool has_largest = model_.largest.size() == sums_with_largest();
    std::size_t number = 0, moving = 0;
    const PlanSums sums(plan_);
    sums.for_each([&](const SumSite& site, const PlanSums::Items& items) {
      const std::size_t before = aids_.size();
      if (has_largest && follows_exponents(site)) add_largest(site, model_.largest[moving++]);
      add_sum(site, items);
      add_results(site);
      for (std::size_t i = 0; i < items.whole.size() && follows_exponents(site); ++i) {
        if (const SumSite* sum = items.whole[i])
          add_whole(site, *sum, site.align(static_cast<int>(i)),
                    has_empty ? model_.empty[sums.number(*sum)] : lit_false);
      }
      if (has_empty) add_empty(site, items.places, model_.empty[number++]);
      make_of_places(before, site);
    });
    for (std::size_t place = 0; place < model_.places.size(); ++place) add_read_on(static_cast<int>(place));
    for (const SumSite& site : sum_sites(plan_)) {
      add_addends(site);
      make_reads_of_places(site);
    }
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
      if (read.kind == ReadOn::Kind::sign || !read.is_aid) continue;
      const std::string name = "what is read of " + place(index).name;
      aids_.push_back({index, name, read.word, read.made, false, read.kind == ReadOn::Kind::counts});
      if (read.kind == ReadOn::Kind::exponent)
        aids_.push_back({index, name + " where it counts", read.word, where_it_counts(index, read), false, false});
      if (read.kind == ReadOn::Kind::magnitude)
        aids_.push_back({index, name + " but of NaN", read.word, but_of_nan(bits(index), read), false, false});
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

  // A zero may have any.
  std::vector<Lit> where_it_counts(int index, const ReadOn& exponent) {
    const Lit counts = place_words(place(index), bits(index), gates_).counts;
    std::vector<Lit> made;
    for (std::size_t bit = 0; bit < exponent.word.size(); ++bit)
      made.push_back(gates_.choose(counts, exponent.made[bit], exponent.word[bit]));
    return made;
  }

  // There a number may go on with more than its place shows.
  std::vector<Lit> but_of_nan(const std::vector<Lit>& number, const ReadOn& magnitude) {
    const Lit is_nan = number.back();
    std::vector<Lit> made;
    for (std::size_t bit = 0; bit < magnitude.word.size(); ++bit)
      made.push_back(gates_.choose(is_nan, magnitude.word[bit], magnitude.made[bit]));
    return made;
  }

  // What is known of a window, and of what stands before it in the model, as functions of what the sum adds.
  void make_of_places(std::size_t first, const SumSite& site) {
    const std::vector<int> places(added_.at(site.window).begin(), added_.at(site.window).end());
    PlaceFunctions functions(plan_, model_, gates_, places, {});
    for (std::size_t i = first; i < aids_.size(); ++i) {
      Aid& aid = aids_[i];
      if (!aid.is_lemma || aid.place > site.window) continue;
      // Of places themselves nothing is said whatever they are made of.
      const bool is_of_item = added_.at(site.window).count(aid.place) != 0 && aid.for_lemmas != site.window;
      const std::optional<PlaceFunction> of = functions.of(aid.word);
      if (of) aid.over_places.claim(places, !is_of_item, *of);
      if (!aid.about.empty()) make_of_about(aid);
    }
  }

  void make_of_about(Aid& aid) {
    const std::optional<PlaceFunction> of = PlaceFunctions(plan_, model_, gates_, aid.about, {}).of(aid.word);
    if (!of) return;
    aid.over_places.of_about = of->made;
    aid.over_places.add(*of);
    if (aid.over_places.places.empty()) aid.over_places.places = aid.about;
  }

  // What is read of the places of a sum as functions of the places before them.
  void make_reads_of_places(const SumSite& site) {
    const auto found = added_.find(site.window);
    if (found == added_.end()) return;
    std::vector<int> places(found->second.begin(), found->second.end());
    make_reads(places, site.window, site.window);
    make_reads(places, site.align(0), site.align(site.items() - 1));
    places.insert(places.end(), {site.window, site.reduce});
    make_reads(places, site.reduce + 1, site.reduce + 1);
    for (int place = site.reduce + 2; place < site.end; ++place) make_reads({place - 1}, place, place);
    if (site.special >= 0 && site.end < static_cast<int>(plan_.places.size()) && place(site.end).stage == Stage::acc)
      make_reads({site.end - 1, site.special}, site.end, site.end);
  }

  void make_reads(const std::vector<int>& places, int first, int last) {
    PlaceFunctions functions(plan_, model_, gates_, places, {});
    for (Aid& aid : aids_) {
      if (aid.place < first || aid.place > last) continue;
      std::vector<Lit> same;
      for (std::size_t bit = 0; bit < aid.word.size(); ++bit)
        same.push_back(inverted(gates_.differ(aid.word[bit], aid.made[bit])));
      const std::optional<PlaceFunction> of = functions.of(same);
      if (!of) continue;
      // What a lemma says of its place, where a sum reads that, is of use as well.
      if (!aid.about.empty() && aid.over_places.of_about.empty()) make_of_about(aid);
      if (aid.over_places.of_about.empty()) aid.over_places.of_about = aid.over_places.made;
      aid.over_places.claim(places, true, *of);
    }
  }

  // By which the bits above its place are seen to be its sign.
  void add_addends(const SumSite& site) {
    const std::vector<ReadOn>& read = model_.read_on[static_cast<std::size_t>(site.reduce)];
    for (Aid& aid : aids_) {
      if (aid.place != site.reduce || aid.is_lemma || read.empty()) continue;
      aid.sum = without_bits_below(place(site.reduce), bits(site.reduce));
      aid.sum.insert(aid.sum.end(), aid.word.begin(), aid.word.end());
      for (int i = 0; i < site.items(); ++i) aid.addends.push_back(bits(site.align(i)));
    }
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

  // By that gate, too.
  Lit shows_what_counts(int index) {
    const PlaceWords number = place_words(place(index), bits(index), gates_);
    Lit always = lit_true;
    for (const ReadOn& read : model_.read_on[static_cast<std::size_t>(index)]) {
      if (read.kind != ReadOn::Kind::counts) continue;
      for (const Lit l : number.significand.bits) always = gates_.both(always, implies(l, read.made.front()));
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

  std::size_t sums_with_largest() const {
    const std::vector<SumSite> sites = sum_sites(plan_);
    return static_cast<std::size_t>(std::count_if(sites.begin(), sites.end(), follows_exponents));
  }

  // The model goes from item to item, and its largest exponent so far only grows: that it is not below the first of
  // many is far from a solver's sight without.
  void add_largest(const SumSite& site, const std::vector<GateWord>& so_far) {
    for (std::size_t i = 1; i < so_far.size(); ++i) {
      add_lemma(site.window - 1, place(site.window).name + fmt::format(" does not fall with item {}", i),
                inverted(words_.is_less(so_far[i], so_far[i - 1])), so_far[i - 1].bits, {});
      aids_.back().for_lemmas = site.window;
    }
  }

  Lit is_in_range(int number) {
    const PlaceWords words = place_words(place(number), bits(number), gates_);
    const Place at = place(number);
    const Lit is_in = is_within(words.exponent, at.least_exponent, at.greatest_exponent),
              is_none = inverted(words_.is_not_zero(words.exponent));
    return gates_.choose(words.counts, is_in, zeros_.count(number) != 0 ? gates_.either(is_none, is_in) : is_none);
  }

  // The numbers lie where the Plan has them, and no exponent is above the window's.
  void add_sum(const SumSite& site, const PlanSums::Items& all) {
    if (site.adder->sum.fixed_quantum) return;
    const std::vector<int>& items = all.places;
    std::vector<Lit> below;
    for (const int item : items) {
      if (item < 0 || !holds_number(place(item))) continue;
      below.insert(below.end(), bits(item).begin(), bits(item).end());
      below.push_back(place_words(place(item), bits(item), gates_).counts);
    }
    const GateWord window = {bits(site.window), true};
    if (const auto range = range_of_window(site, all)) {
      std::vector<int> after;
      for (int i = site.window + 1; i < static_cast<int>(plan_.places.size()); ++i) after.push_back(i);
      windows_[site.window] = *range;
      add_lemma_of({site.window}, "the range of " + place(site.window).name,
                   is_within(window, range->first, range->second), below, after);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i] < 0 || !holds_number(place(items[i]))) continue;
      const std::string name = place(items[i]).name;
      // Whether an item loses ones is asked of it where the sum stands, too.
      std::vector<int> aligned{site.align(static_cast<int>(i))};
      if (site.adder->has_sticky()) aligned.push_back(site.reduce);
      std::vector<int> ranged = aligned;
      ranged.push_back(site.window);
      add_lemma_of({items[i]}, "the range of " + name,
                   gates_.both(is_in_range(items[i]), what_counts_is_finite(items[i])), {}, ranged);
      aids_.back().if_needed_for = decided_after(site);
      add_lemma(items[i], name + " is zero where it does not count", shows_what_counts(items[i]), {}, aligned, true);
      if (!follows_exponents(site)) continue;
      const PlaceWords item = item_words(plan_, site.window, items[i], bits(items[i]), gates_);
      const Lit is_above = words_.is_less(extended(window, width, true), extended(item.exponent, width, true));
      add_lemma_of({site.window, items[i]}, place(site.window).name + " is not below " + name,
                   implies(item.counts, inverted(is_above)), below, aligned);
    }
  }

  // Nothing where an item is not known.
  std::optional<std::pair<int, int>> range_of_window(const SumSite& site, const PlanSums::Items& items) const {
    const Window& rule = site.adder->window;
    std::pair<int, int> range{std::min(0, rule.floor.value_or(0)), std::max(0, rule.floor.value_or(0))};
    const auto reach = [&](int least, int greatest) {
      range.first = std::min(range.first, least + rule.raise);
      range.second = std::max(range.second, greatest + rule.raise + rule.step - 1);
    };
    for (const InputPlan& input : site.adder->inputs) {
      if (input.words.empty) reach(*input.words.empty, *input.words.empty);
    }
    for (std::size_t i = 0; i < items.places.size(); ++i) {
      const int item = items.places[i];
      if (const SumSite* sum = items.whole[i]) {
        const auto found = windows_.find(sum->window);
        if (found == windows_.end()) return std::nullopt;
        reach(found->second.first, found->second.second);
      } else if (item >= 0 && holds_number(place(item))) {
        // That of its leading one may be what counts.
        const Place at = place(item);
        reach(at.least_exponent - at.fraction_bits,
              at.greatest_exponent + std::max(0, at.significand_width - at.fraction_bits - 1));
      } else if (item != PlanSums::no_item) {
        return std::nullopt;
      }
    }
    return range;
  }

  // What a step leaves may be what was rounded last, or a NaN or infinity.
  void add_results(const SumSite& site) {
    if (site.end >= static_cast<int>(plan_.places.size()) || place(site.end).stage != Stage::acc) return;
    const int last = site.end - 1;
    if (last == site.reduce || !holds_number(place(last))) return;
    add_lemma_of({last}, "the range of " + place(last).name, is_in_range(last), {}, {});
    aids_.back().for_lemmas = site.end;
  }

  // By its gates alone: with what `condition` is in its place nothing is left of it.
  bool is_false_where(Lit condition, Lit l) {
    std::vector<Lit> map(gates_.size(), lit_none);
    map[0] = lit_false;
    stand_for(map, condition, lit_true);
    return copied_within(gates_, {l}, map).front() == lit_false;
  }

  void add_zero_sum(const SumSite& sum, Lit empty, const std::vector<int>& for_places) {
    const Lit is_not_zero = words_.is_not_zero({bits(sum.reduce), false});
    add_lemma(sum.reduce, place(sum.reduce).name + " is zero where nothing counts",
              inverted(gates_.both(empty, is_not_zero)), {}, for_places);
    aids_.back().is_known = is_false_where(empty, is_not_zero);
    aids_.back().is_plain = true;
  }

  // A sum that goes on as it stands, with its window as exponent, unless nothing counts in it.
  void add_whole(const SumSite& site, const SumSite& sum, int align, Lit empty) {
    const Lit counts = words_.is_not_zero({bits(sum.reduce), false});
    add_zero_sum(sum, empty, {});
    aids_.back().for_lemmas = site.window;
    std::vector<Lit> below = bits(sum.reduce);
    below.insert(below.end(), bits(sum.window).begin(), bits(sum.window).end());
    const GateWord window = extended({bits(site.window), true}, width, true),
                   exponent = extended({bits(sum.window), true}, width, true);
    add_lemma_of({site.window, sum.window, sum.reduce},
                 place(site.window).name + " is not below " + place(sum.window).name,
                 implies(counts, inverted(words_.is_less(window, exponent))), below, {align});
  }

  // Where nothing counts the model adds nothing, which its items come to as well: what one of them comes to does not
  // depend on the others.
  void add_empty(const SumSite& site, const std::vector<int>& items, Lit empty) {
    if (is_constant(empty)) return;
    if (site.reduce + 1 < site.end) add_zero_sum(site, empty, {site.reduce + 1});
    add_none_counts(site, items, empty);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i] < 0 || !holds_number(place(items[i]))) continue;
      const int align = site.align(static_cast<int>(i));
      std::vector<Lit> below = bits(items[i]);
      below.push_back(place_words(place(items[i]), bits(items[i]), gates_).counts);
      add_lemma(site.window, place(items[i]).name + " does not count where none does",
                does_not_count(site, items[i], empty), below, {align}, true);
      std::vector<Lit> map(gates_.size(), lit_none);
      map[0] = lit_false;
      map[node_of(empty)] = inverted_if(lit_false, is_inverted(empty));
      std::vector<Lit> word = bits(align);
      for (const ReadOn& above : model_.read_on[static_cast<std::size_t>(align)])
        word.insert(word.end(), above.word.begin(), above.word.end());
      const std::vector<Lit> made = copied_within(gates_, word, map);
      aids_.push_back({align, place(align).name + " without the others", word, made, false, false, true, {empty}});
    }
  }

  Lit does_not_count(const SumSite& site, int item, Lit empty) {
    return implies(empty, inverted(item_words(plan_, site.window, item, bits(item), gates_).counts));
  }

  // What is said of each is asked of all at once.
  void add_none_counts(const SumSite& site, const std::vector<int>& items, Lit empty) {
    Aid all{site.window, "no item of " + place(site.window).name + " counts where none does", {}, {}, true, false,
            true};
    for (const int item : items) {
      if (item < 0 || !holds_number(place(item))) continue;
      all.word.push_back(does_not_count(site, item, empty));
      all.made.push_back(lit_true);
      all.below.insert(all.below.end(), bits(item).begin(), bits(item).end());
      all.below.push_back(place_words(place(item), bits(item), gates_).counts);
    }
    if (!all.word.empty()) aids_.push_back(std::move(all));
  }

  const Plan& plan_;
  const ModelGates& model_;
  const ShownPlaces& unit_;
  Gates& gates_;
  WordMaker words_;
  std::set<int> zeros_;                         // places of numbers that may be zero and have an exponent all the same
  const std::map<int, std::set<int>> added_;    // places, by their sum's window
  std::map<int, std::pair<int, int>> windows_;  // the ranges of these, by their places
  std::vector<Aid> aids_;
};

}  // namespace

std::vector<Aid> aids_of(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates) {
  return Aids(plan, model, unit, gates).all();
}

void leave_out_untrue(const Gates& gates, const std::vector<std::vector<std::uint64_t>>& cases, std::vector<Aid>& aids,
                      std::vector<Law>& laws) {
  GateSimulation simulation(gates);
  const auto is_untrue = [&](Lit always) { return ~simulation.of(always) != 0; };
  for (const std::vector<std::uint64_t>& inputs : cases) {
    simulation.run(inputs);
    aids.erase(std::remove_if(aids.begin(), aids.end(),
                              [&](const Aid& aid) {
                                return aid.is_lemma && std::any_of(aid.word.begin(), aid.word.end(), is_untrue);
                              }),
               aids.end());
    const auto leave_out = [&](OverPlaces& over) {
      if (std::any_of(over.made.begin(), over.made.end(), is_untrue) ||
          std::any_of(over.of_about.begin(), over.of_about.end(), is_untrue) ||
          std::any_of(over.is_model.begin(), over.is_model.end(), is_untrue))
        over = {};
    };
    for (Aid& aid : aids) leave_out(aid.over_places);
    for (Law& law : laws) leave_out(law.over_places);
    // One alone decides nothing.
    std::set<int> windows;
    for (const Law& law : laws) {
      if (is_untrue(law.of_model)) windows.insert(law.place);
    }
    laws.erase(std::remove_if(laws.begin(), laws.end(), [&](const Law& law) { return windows.count(law.place) != 0; }),
               laws.end());
  }
}

std::vector<std::vector<int>> places_read(const Plan& plan) {
  std::vector<std::vector<int>> read(plan.places.size());
  const auto add = [&](int place, int what) {
    if (what >= 0) read[static_cast<std::size_t>(place)].push_back(what);
  };
  PlanSums(plan).for_each([&](const SumSite& site, const PlanSums::Items& items) {
    for (int i = 0; i < site.items(); ++i) {
      std::vector<int> item{items.places[static_cast<std::size_t>(i)]};
      if (const SumSite* sum = items.whole[static_cast<std::size_t>(i)]) item = {sum->reduce, sum->window};
      for (const int place : item) {
        add(site.window, place);
        add(site.align(i), place);
      }
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
