#include "tb/guarantee/property_argument.hpp"
#include "tb/guarantee/chain.hpp"

#include <algorithm>
#include <climits>
#include <tuple>

#include "model/core/decode.hpp"
#include "model/core/fields.hpp"
#include "tb/guarantee/chain.hpp"

namespace assay::guarantee {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A block of the circuit and its adders.
struct Wiring {
  const CircuitBlock& block;
  const std::vector<AdderPlan>& adders;

  const AdderPlan& adder(const SumNode& node) const { return adders[at(node.adder)]; }
  const Input& words(const SumNode& node, const SumItem& item) const {
    return adder(node).inputs[at(item.input)].words;
  }
};

// Cut otherwise below zero than above.
bool directed(Cut cut) { return cut == Cut::down || cut == Cut::up || cut == Cut::nearest_up; }
bool whole(const Input& words) { return !words.keep && !words.lost_below; }
bool is_format(const ResultPlan& result) { return result.words.at == ResultAt::format; }
bool wraps(const ResultPlan& result) {
  return is_format(result) && result.format.is_integer() && result.words.overflow == Overflow::wrap;
}
bool fixed(const AdderPlan& adder) { return adder.window.exponent == WindowExponent::fixed; }
bool exact(const AdderPlan& adder) {
  return std::all_of(adder.inputs.begin(), adder.inputs.end(), [](const InputPlan& i) { return whole(i.words); });
}

// 2^this is above every magnitude within the range.
int above(const Range& r) { return r.greatest_exponent + r.integer_bits; }

// What numbers of c's format, or of one like it, can be.
struct Held {
  int fraction_bits = 0;  // behind the leading one
  int lowest = 0;         // multiples of 2^this
  int least = 0;          // their least exponent
  int greatest = 0;       // their greatest
};
Held held_by(const Format& f) {
  if (f.is_integer()) return {f.stored_bits - 1, 0, 0, f.stored_bits - 1};
  return {f.mantissa_bits, f.least_exponent() - f.mantissa_bits, f.least_exponent(), f.greatest_exponent()};
}
// Whether the format holds numbers with this leading exponent, all ones among them.
bool holds_exponent(const Format& f, int exponent) {
  const Held held = held_by(f);
  return exponent < held.greatest || (exponent == held.greatest && f.nan != NanCodes::all_ones);
}
// What both formats hold; the exponent that such a number carries is one of either.
Held met(const Held& x, const Held& y) {
  return {std::min(x.fraction_bits, y.fraction_bits), std::max(x.lowest, y.lowest), std::min(x.least, y.least),
          std::min(x.greatest, y.greatest)};
}

class Reasoner {
 public:
  explicit Reasoner(const Plan& plan)
      : plan_(plan), step_{plan.circuit.step, plan.adders}, finish_{plan.circuit.finish, plan.finish} {}

  std::string_view found(const Property& p) const {
    if (!says_what_is_not_finite()) return {};
    if (p.side == SecondSide::changed && p.first.empty()) return of_changes(p);
    if (p.has(CaseCondition::any_operands) && p.side != SecondSide::fma && p.side != SecondSide::none) return {};
    switch (p.side) {
      case SecondSide::changed: return {};
      case SecondSide::c: return of_c(p);
      case SecondSide::exact: return of_exact(p);
      case SecondSide::fma:
        return is_ieee_fma() ? "One exact sum of one product and c, rounded once, with IEEE's rules for zero." : "";
      case SecondSide::halves:
        if (p.results.word != ResultWord::equal || !p.first.empty()) return {};
        if (is_modular() && halves_are_modular()) return "Sums that wrap are the same in any grouping.";
        if (!is_chain_of_halves()) return {};
        return "The steps are those of the two halves, one after the other, and what a step leaves is a number of d.";
      case SecondSide::none: return of_one(p);
    }
    return {};
  }

  // The one result that rounds the exact sum, where d is that: further results may only write what it leaves.
  const ResultPlan* rounding_of_exact_sum() const {
    const std::vector<ResultPlan>& results = plan_.last_adder().results;
    if (!is_exact_until_the_last() || results.empty() || !is_format(results.front())) return nullptr;
    const Format& made = results.front().format;
    const bool only_written = std::all_of(results.begin() + 1, results.end(), [&](const ResultPlan& r) {
      return is_format(r) && same_numbers(r.format, made) && r.words.subnormals == Subnormals::keep &&
             r.words.infinity == OfInfinity::keep;
    });
    return only_written ? &results.front() : nullptr;
  }
  bool sums_wrap() const { return is_modular(); }

 private:
  // --- which rule may speak of which property ---

  static bool one_change(const Property& p, ChangeVerb verb) {
    return p.second.size() == 1 && p.second.front().verb == verb;
  }

  std::string_view of_changes(const Property& p) const {
    if (p.has(CaseCondition::any_operands)) return {};
    const ResultWord word = p.results.word;
    if (word == ResultWord::negated && negates_all(p) && is_odd())
      return "Every cut and every rounding treats both signs alike.";
    if (word == ResultWord::equal && one_change(p, ChangeVerb::permute)) return of_order();
    if (word == ResultWord::equal && one_change(p, ChangeVerb::swap) &&
        plan_.datapath.subnormals_a == plan_.datapath.subnormals_b &&
        same(plan_.datapath.factor_a, plan_.datapath.factor_b))
      return "a and b are read alike, and their product is the same either way.";
    if (one_change(p, ChangeVerb::increase)) return of_increase(p);
    const bool by_two = word == ResultWord::scaled && doubles(p) && p.has(CaseCondition::no_overflow) &&
                        p.has(CaseCondition::no_underflow);
    if (by_two && scales_with_its_terms())
      return "Every window follows the exponents of its terms, and every cut its window or its number.";
    return {};
  }

  // Minus all products, through either factor, and minus c.
  static bool negates_all(const Property& p) {
    if (p.second.size() != 2) return false;
    int c = 0, products = 0;
    for (const OperandChange& change : p.second) {
      if (change.verb != ChangeVerb::negate) return false;
      ++(change.of == ChangeOf::c ? c : products);
    }
    return c == 1 && products == 1;
  }

  // a or b, and c, by the same power, which the result has too. One doubling: the conditions leave room for one.
  static bool doubles(const Property& p) {
    if (p.second.size() != 2) return false;
    int c = 0, products = 0;
    for (const OperandChange& change : p.second) {
      if (change.verb != ChangeVerb::scale || change.power != 1 || p.results.number != 1) return false;
      ++(change.of == ChangeOf::c ? c : products);
    }
    return c == 1 && products == 1;
  }

  std::string_view of_order() const {
    if (terms_meet_alike()) return "All terms of a block of scales enter the same sum in the same way.";
    if (is_modular()) return "Sums that wrap are the same in any order.";
    if (is_exact_then_rounded()) return "The sum is exact in any order, and is rounded once.";
    return {};
  }

  std::string_view of_increase(const Property& p) const {
    const OperandChange& change = p.second.front();
    const bool less = p.results.word == ResultWord::not_less, more = p.results.word == ResultWord::not_greater;
    const std::string_view why =
        "Where the window moves up, all that its terms lose is no more than what the number gains by one step.";
    if (change.of == ChangeOf::c) return less && is_monotone_in_c() ? why : std::string_view{};
    const bool of_a = change.of == ChangeOf::a;
    const bool up = p.has(of_a ? CaseCondition::b_not_negative : CaseCondition::a_not_negative);
    const bool down = p.has(of_a ? CaseCondition::b_not_positive : CaseCondition::a_not_positive);
    const Format& other = of_a ? plan_.b : plan_.a;
    if (down && !other.has_sign) return "What is not positive and has no sign is zero: no product changes.";
    const bool asked = (less && up) || (more && down);
    return asked && is_monotone_in_products() ? why : std::string_view{};
  }

  std::string_view of_c(const Property& p) const {
    if (p.results.word != ResultWord::equal || p.first.empty()) return {};
    const bool zero_c = std::any_of(p.first.begin(), p.first.end(), [](const OperandChange& change) {
      return change.verb == ChangeVerb::replace && change.of == ChangeOf::c && change.code == 0;
    });
    const std::size_t others = p.first.size() - (zero_c ? 1 : 0);
    if (others != 1 || p.first.front().verb == ChangeVerb::replace) return {};
    const ChangeVerb verb = p.first.front().verb;
    const bool comes_through = zero_c || p.has(CaseCondition::d_holds_c);
    if (verb == ChangeVerb::zero && comes_through && c_passes())
      return "Zeros have no exponent, and no window or result cuts any number of c's format that d holds.";
    if (verb != ChangeVerb::oppose) return {};
    if (zero_c && opposites_meet_alike()) return "Both terms enter the same sum, which cuts them alike.";
    if (zero_c && opposites_pass()) return "No sum and no result between them cuts a product, or what is left of it.";
    if (!comes_through) return {};
    const bool kept = last_result().words.subnormals == Subnormals::keep;
    if (is_exact_then_rounded() && kept) return "The sum is exact and is rounded once, and d holds c.";
    if (is_modular()) return "Sums that wrap lose nothing that d holds.";
    return {};
  }

  std::string_view of_exact(const Property& p) const {
    const bool in_range = p.has(CaseCondition::sum_in_range), held = p.has(CaseCondition::d_holds_sum);
    if ((in_range || held) && is_modular()) return "Sums that wrap are exact wherever d holds the exact sum.";
    if (!is_exact_then_rounded()) return {};
    const Cut cut = last_result().words.cut;
    const bool kept = last_result().words.subnormals == Subnormals::keep;
    // Of these, none takes a sum whose nearest number is finite beyond the greatest.
    const bool stays_in_range = cut == Cut::nearest_even || cut == Cut::toward_zero;
    const std::string_view why = "The sum is exact and is rounded once.";
    const ResultWord word = p.results.word;
    const bool proven = (word == ResultWord::equal && held && kept) ||
                        (word == ResultWord::within && in_range && kept && stays_in_range && p.results.number >= 1) ||
                        (word == ResultWord::nearest && in_range && kept && cut == Cut::nearest_even) ||
                        word == ResultWord::same_sign;
    return proven ? why : std::string_view{};
  }

  std::string_view of_one(const Property& p) const {
    if (p.results.word == ResultWord::not_subnormal && flushes_at_the_end())
      return "The last rounding makes every subnormal a zero.";
    if (p.results.word == ResultWord::not_subnormal && nothing_is_so_small())
      return "Every product and c is a multiple of a number that is no subnormal, and what is cut remains one.";
    if (p.results.word != ResultWord::finite || p.has(CaseCondition::any_operands)) return {};
    if (p.has(CaseCondition::no_overflow) && stays_in_room())
      return "No sum is more than twice what all its terms add up to, and nothing infinite makes no NaN.";
    if (never_reaches_the_end())
      return "All terms together are less than half the last place of the greatest number, which a rounding leaves.";
    const bool once = p.has(CaseCondition::sum_in_range) && is_exact_then_rounded();
    const Cut cut = once ? last_result().words.cut : Cut::up;
    if (once && (cut == Cut::nearest_even || cut == Cut::toward_zero)) return "The sum is exact and is rounded once.";
    return {};
  }

  // --- all sums of the unit ---

  template <class Check>
  bool all_adders(const Check& check) const {
    return std::all_of(plan_.adders.begin(), plan_.adders.end(), check) &&
           std::all_of(plan_.finish.begin(), plan_.finish.end(), check);
  }
  template <class Check>
  bool all_results(const Check& check) const {
    if (plan_.product_round && !check(*plan_.product_round)) return false;
    return all_adders([&](const AdderPlan& a) { return std::all_of(a.results.begin(), a.results.end(), check); });
  }
  template <class Check>
  bool all_inputs(const Check& check) const {
    return all_adders([&](const AdderPlan& a) {
      return std::all_of(a.inputs.begin(), a.inputs.end(), [&](const InputPlan& i) { return check(i.words); });
    });
  }

  const ResultPlan& last_result() const { return plan_.last_adder().results.back(); }
  bool reads_all() const {
    const Datapath& d = plan_.datapath;
    return d.subnormals_a == Subnormals::keep && d.subnormals_b == Subnormals::keep &&
           d.subnormals_c == Subnormals::keep && d.subnormals_acc == Subnormals::keep;
  }
  bool no_product_is_infinite() const {
    const std::optional<int>& infinity_at = plan_.datapath.product.infinity_at;
    return !infinity_at || above(plan_.term_range) <= *infinity_at;
  }

  // --- NaN and infinity ---

  // Finite operands make an infinity where a product or a result is too large, and a NaN of two of them.
  bool nothing_is_infinite() const {
    if (plan_.d.is_integer() || plan_.datapath.specials == Specials::numbers) return true;
    return no_product_is_infinite() && all_results([](const ResultPlan& r) {
             return !is_format(r) || r.format.is_integer() || r.words.overflow != Overflow::infinity;
           });
  }
  // A datapath may write an ordinary number for a NaN, and must where d has none; then d says nothing of what came
  // about.
  bool says_what_is_not_finite() const {
    if (nothing_is_infinite()) return true;
    const Format& d = plan_.d;
    if (!d.has_infinity || d.nan == NanCodes::none) return false;
    return !plan_.nan.writes_code() || decode(plan_.nan.code, d, Subnormals::keep, Specials::step).cls == Class::nan;
  }

  // --- signs ---

  // Windows, floors and drops look at exponents, which have no sign; so do all cuts but down and up. Integers have one
  // more number below zero than above. A sticky bit below a sum of zero is positive whatever was lost.
  bool is_odd() const {
    return !plan_.d.is_integer() && plan_.d.has_sign && all_inputs([](const Input& i) {
      return !i.keep || !directed(i.cut);
    }) && all_results([](const ResultPlan& r) {
      return !directed(r.words.cut) && !(is_format(r) && r.format.is_integer());
    }) && all_adders([](const AdderPlan& a) { return !a.has_sticky(); });
  }

  // --- where terms meet ---

  // The lane and step of each index in k, and its number in that step.
  struct Place {
    int instance = 0, term = 0;
  };
  std::vector<Place> places() const {
    std::vector<Place> list(at(plan_.k));
    for (int position = 0; position < plan_.k; ++position)
      list[at(plan_.order[at(position)])] = {position / plan_.step_terms, position % plan_.step_terms};
    return list;
  }

  // Whether two terms enter every sum of their step with the same words, and so may change places: the window is the
  // greatest of the same exponents, the same addends are added, and integers that are added have no order.
  bool alike(const Place& x, const Place& y) const {
    if (x.instance != y.instance) return false;
    return std::all_of(step_.block.sums.begin(), step_.block.sums.end(),
                       [&](const SumNode& node) { return inputs_of(node, x.term) == inputs_of(node, y.term); });
  }
  static std::vector<int> inputs_of(const SumNode& node, int term) {
    std::vector<int> inputs;
    for (const SumItem& item : node.items) {
      if (item.value == term) inputs.push_back(item.input);
    }
    return inputs;
  }
  bool terms_meet_alike() const {
    const std::vector<Place> list = places();
    const int block = plan_.scale ? plan_.scale_block : plan_.k;
    for (int i = 0; i < plan_.k; ++i) {
      if (!alike(list[at(i)], list[at(i - i % block)])) return false;
    }
    return true;
  }
  // All terms in one sum, which leaves no sticky bit and cuts what has either sign alike: x and -x leave a zero. What
  // follows adds zeros to it.
  bool opposites_meet_alike() const {
    const std::vector<Place> list = places();
    const bool together =
        std::all_of(list.begin(), list.end(), [&](const Place& place) { return alike(place, list.front()); });
    return together && no_product_is_infinite() && rounds_products_alike() &&
           all_adders([](const AdderPlan& a) { return !a.has_sticky(); }) &&
           std::all_of(step_.block.sums.begin(), step_.block.sums.end(), [&](const SumNode& node) {
             return std::all_of(node.items.begin(), node.items.end(), [&](const SumItem& item) {
               const Input& words = step_.words(node, item);
               return !words.keep || !directed(words.cut) || step_.block.kind(item.value) != ValueKind::term;
             });
           });
  }
  bool rounds_products_alike() const {
    if (!plan_.product_round) return true;
    const ResultPlan& r = *plan_.product_round;
    if (directed(r.words.cut) || !is_format(r) || r.format.is_integer()) return false;
    return above(before_rounding()) <= r.format.greatest_exponent();
  }
  // Of products that have their scales.
  const Range& before_rounding() const {
    const Range* range = &plan_.product_range;
    for (const ProductNode& node : plan_.circuit.products) {
      if (node.work == ProductWork::scale) range = &node.range;
    }
    return *range;
  }

  // --- exact sums ---

  // How often each value of a block is counted in its result, where no sum before the last has a result and none cuts.
  std::optional<std::vector<int>> counts(const Wiring& w) const {
    std::vector<std::vector<int>> made;
    const int given = w.block.terms + 1;
    for (std::size_t i = 0; i < w.block.sums.size(); ++i) {
      const SumNode& node = w.block.sums[i];
      const AdderPlan& adder = w.adder(node);
      const bool last = i + 1 == w.block.sums.size();
      if (!exact(adder) || (!last && !adder.results.empty())) return std::nullopt;
      std::vector<int> count(at(given), 0);
      for (const SumItem& item : node.items) {
        if (item.value < given) {
          ++count[at(item.value)];
          continue;
        }
        const std::vector<int>& of = made[at(item.value - given)];
        for (std::size_t v = 0; v < count.size(); ++v) count[v] += of[v];
      }
      made.push_back(std::move(count));
    }
    return made.back();
  }
  static bool all_ones(const std::vector<int>& counts, std::size_t first, std::size_t last) {
    return std::all_of(counts.begin() + static_cast<std::ptrdiff_t>(first),
                       counts.begin() + static_cast<std::ptrdiff_t>(last), [](int count) { return count == 1; });
  }

  // Whether each product and c is counted once, whatever results there are: a sum of sums is one.
  bool counts_each_once() const {
    const auto step = counts(step_);
    if (!step || !all_ones(*step, 0, at(plan_.step_terms))) return false;
    // Each step must take what the one before it left, and the first one c.
    const bool takes_acc = step->back() == 1;
    const bool from_c = plan_.datapath.start == Start::c;
    if (plan_.finish.empty()) return plan_.lanes == 1 && from_c && takes_acc;
    const auto finish = counts(finish_);
    if (!finish || !all_ones(*finish, 0, at(plan_.lanes))) return false;
    if (plan_.steps > 1 && !takes_acc) return false;
    const bool c_in_steps = from_c && takes_acc;
    return c_in_steps ? plan_.lanes == 1 && finish->back() == 0 : finish->back() == 1;
  }

  // Nothing is cut or rounded before the results of the last adder, which runs once. Adders that run several times
  // leave their results several times.
  bool is_exact_until_the_last() const {
    if (plan_.d.is_integer() || plan_.product_round || !reads_all() || !no_product_is_infinite()) return false;
    if (!counts_each_once() || !scales_only_products()) return false;
    return plan_.finish.empty() ? plan_.steps == 1 : plan_.adders.back().results.empty();
  }
  bool is_exact_then_rounded() const {
    const std::vector<ResultPlan>& results = plan_.last_adder().results;
    return is_exact_until_the_last() && results.size() == 1 && is_format(results.front());
  }

  // Whether two formats have the same numbers, infinities and NaNs; of zeros one may have two.
  static bool same_numbers(const Format& x, const Format& y) {
    const auto said = [](const Format& f) {
      return std::tuple(f.kind, f.stored_bits, f.has_sign, f.exponent_bits, f.mantissa_bits, f.bias, f.has_infinity,
                        f.infinity_codes, f.nan, f.has_zero);
    };
    return !x.is_list() && said(x) == said(y);
  }

  // Whether no scaled sum takes anything beside products.
  bool scales_only_products() const {
    return all_adders([](const AdderPlan& a) {
      return !a.times_scales || std::all_of(a.inputs.begin(), a.inputs.end(),
                                            [](const InputPlan& i) { return i.kind == ValueKind::term; });
    });
  }

  // Exact sums of integers that wrap at d's width, as often as may be: each is the exact sum modulo 2^width.
  bool is_modular() const {
    if (!plan_.d.is_integer() || plan_.product_round || plan_.scale) return false;
    if (!plan_.a.is_integer() || !plan_.b.is_integer() || !plan_.c.is_integer()) return false;
    return counts_each_once() &&
           all_results([&](const ResultPlan& r) { return wraps(r) && r.format.stored_bits == plan_.d.stored_bits; });
  }

  // IEEE's signs of zero and its infinities; NaNs are compared as NaNs.
  bool is_ieee_fma() const {
    if (plan_.k != 1 || !is_exact_then_rounded() || plan_.datapath.product.infinity_at) return false;
    const ResultPlan& r = last_result();
    const bool finite_steps = plan_.datapath.specials != Specials::numbers && plan_.finish.empty();
    return finite_steps && plan_.adders.size() == 1 && plan_.adders.front().zero == ZeroSign::ieee &&
           plan_.adders.front().sums() == 1 && r.words.cut == Cut::nearest_even &&
           r.words.subnormals == Subnormals::keep && r.words.overflow == Overflow::infinity &&
           r.words.minus_zero == MinusZero::keep;
  }

  // --- subnormals ---

  // Whatever `tiny` says, a sum that is not flushed reaches the least normal number, or rounds to it.
  bool flushes_at_the_end() const {
    return !plan_.d.is_integer() && last_result().words.subnormals != Subnormals::keep;
  }

  // Sums of multiples of 2^n are multiples of it, and so is what a cut leaves: at a coarser grid of more, at a finer
  // one nothing is cut.
  bool nothing_is_so_small() const {
    if (plan_.d.is_integer() || plan_.scale) return false;
    const int terms = plan_.product_round ? plan_.product_range.least_quantum() : plan_.term_range.least_quantum();
    return std::min(terms, held_by(plan_.c).lowest) >= plan_.d.least_exponent() &&
           all_adders([](const AdderPlan& a) { return !a.has_sticky(); });
  }

  // --- how much sums grow ---

  // By how much roundings away from zero may make a sum greater than the sum of its terms' magnitudes, in parts of
  // 2^20: each sum adds a unit of its window for each item, each result a unit of its last place.
  static constexpr long parts = 1L << 20;
  static long part(int bits) { return bits > 20 ? 1 : parts >> std::max(bits, 0); }
  static bool grows(Cut cut) { return cut != Cut::toward_zero; }

  long growth(const Wiring& w) const {
    long sum = 0;
    for (const SumNode& node : w.block.sums) {
      const AdderPlan& adder = w.adder(node);
      for (const SumItem& item : node.items) {
        const Input& words = w.words(node, item);
        if (words.keep && grows(words.cut)) sum += part(*words.keep);
      }
      if (adder.has_sticky()) sum += part(adder.sum.fraction_bits);
      for (const ResultPlan& r : adder.results) sum += growth(r);
    }
    return sum;
  }
  static long growth(const ResultPlan& r) {
    if (!grows(r.words.cut)) return 0;
    return part(is_format(r) ? r.format.mantissa_bits : r.words.keep);
  }

  // Cuts that round away from zero must follow exponents that follow the terms: a fixed window's unit may be greater
  // than all terms, and so may the window of a coarse step, one far above by its floor, or one of a sum that is scaled.
  bool away_only_where_terms_are() const {
    const UnitRoom room = unit_room(plan_);
    const bool none_away =
        all_inputs([](const Input& i) { return !i.keep || !grows(i.cut); }) && all_adders([](const AdderPlan& a) {
          return !a.has_sticky() && std::all_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) {
            return r.words.at == ResultAt::format ? true : !grows(r.words.cut);
          });
        });
    const bool leading = all_results([&](const ResultPlan& r) {
      return r.words.at != ResultAt::leading_one || !grows(r.words.cut) ||
             r.words.least_exponent.value_or(INT_MIN / 2) <= room.greatest - 8;
    });
    if (!leading) return false;
    const bool formats = all_results([&](const ResultPlan& r) {
      return !is_format(r) || !grows(r.words.cut) || r.format.is_integer() ||
             r.format.least_exponent() <= room.greatest - 8;
    });
    if (!formats) return false;
    if (none_away) return true;
    return all_adders([&](const AdderPlan& a) {
             const bool low = std::all_of(a.inputs.begin(), a.inputs.end(), [&](const InputPlan& i) {
               return i.words.empty.value_or(INT_MIN / 2) <= room.greatest - 8;
             });
             return low && !fixed(a) && !a.times_scales && a.window.step == 1 &&
                    a.window.floor.value_or(INT_MIN / 2) <= room.greatest - 8;
           }) &&
           exponents_are_of_the_terms();
  }
  // A subnormal counts with its format's least exponent, which may be far above it, and lifts the other factor's. What
  // cancelled carries its terms' exponent.
  bool exponents_are_of_the_terms() const {
    const Format &a = plan_.a, &b = plan_.b;
    const int most = std::max({a.least_exponent() + b.greatest_exponent(), b.least_exponent() + a.greatest_exponent(),
                               plan_.c.least_exponent()});
    return !plan_.scale && !a.is_integer() && !b.is_integer() && !plan_.c.is_integer() &&
           most <= unit_room(plan_).greatest - 8;
  }

  bool stays_in_room() const {
    if (plan_.d.is_integer()) return false;
    if (!all_results([](const ResultPlan& r) { return !is_format(r) || !r.format.is_integer(); })) return false;
    // Where a value is counted several times, magnitudes add up to more.
    if (!each_value_enters_once(step_) || !each_value_enters_once(finish_) || !scales_only_products()) return false;
    if (plan_.lanes > 1 && plan_.datapath.start == Start::c) return false;
    if (!plan_.finish.empty() && plan_.datapath.start == Start::c && enters(finish_, plan_.circuit.finish.one()) &&
        enters(step_, plan_.circuit.step.one()))
      return false;
    const long all = growth(step_) * plan_.steps * plan_.lanes + growth(finish_) +
                     (plan_.product_round ? growth(*plan_.product_round) : 0);
    return all <= parts / 2 && away_only_where_terms_are();
  }
  // Beside the greatest number all terms are less than half a unit of its last place, with all that cuts away from zero
  // may add to them: what rounds to nearest or toward zero stays there. c is no greater.
  bool never_reaches_the_end() const {
    const Format& d = plan_.d;
    if (d.is_integer() || plan_.scale || !no_product_is_infinite() || plan_.product_round) return false;
    const bool narrow_c = !plan_.c.is_integer() && plan_.c.mantissa_bits <= d.mantissa_bits &&
                          (plan_.c == d || plan_.c.greatest_exponent() < d.greatest_exponent());
    if (!narrow_c || (plan_.lanes > 1 && plan_.datapath.start == Start::c)) return false;
    if (!each_value_enters_once(step_) || !each_value_enters_once(finish_)) return false;
    if (plan_.datapath.start == Start::c && !plan_.finish.empty()) return false;
    const bool plain_results = all_results([&](const ResultPlan& r) {
      const Cut cut = r.words.cut;
      const bool near = cut == Cut::nearest_even || cut == Cut::nearest_away || cut == Cut::toward_zero;
      if (!is_format(r)) return cut == Cut::toward_zero;
      return near && !r.format.is_integer() && r.format.mantissa_bits >= d.mantissa_bits &&
             r.format.greatest_exponent() >= d.greatest_exponent() &&
             (r.format == d || r.format.nan != NanCodes::all_ones);
    });
    // What is cut must be cut toward zero, and so add nothing.
    const bool plain_inputs = all_inputs([](const Input& i) { return !i.keep || i.cut == Cut::toward_zero; }) &&
                              all_adders([](const AdderPlan& a) { return !a.has_sticky(); });
    const long all = growth(step_) * plan_.steps * plan_.lanes + growth(finish_);
    if (all > parts / 2) return false;
    // Sums of terms may be rounded up, to less than twice of them.
    const int most = above(plan_.term_range) + ceil_log2(plan_.k) + 1;
    return plain_results && plain_inputs && most <= d.greatest_exponent() - d.mantissa_bits - 1;
  }

  static bool enters(const Wiring& w, int value) {
    return std::any_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
      return std::any_of(node.items.begin(), node.items.end(), [&](const SumItem& i) { return i.value == value; });
    });
  }
  static bool each_value_enters_once(const Wiring& w) {
    std::vector<int> entered(at(w.block.values()), 0);
    for (const SumNode& node : w.block.sums) {
      for (const SumItem& item : node.items) ++entered[at(item.value)];
    }
    return std::all_of(entered.begin(), entered.end(), [](int count) { return count <= 1; });
  }

  // --- scaling ---

  // Nothing under- or overflows: floors, least exponents and what zeros count with lie below every number on the way,
  // and every format holds twice of it. What is left are windows and cuts that follow exponents, and exact sums. Where
  // a window stands still, or moves by more than one, what is cut does not scale; nor does the sticky bit below an
  // exact item.
  bool scales_with_its_terms() const {
    if (plan_.d.is_integer()) return is_modular();
    if (!stays_in_room() || !reads_normal_numbers()) return false;
    return all_adders([](const AdderPlan& a) {
      if (!fixed(a)) return a.window.step == 1 && !(a.has_sticky() && a.sum.fixed_quantum && !exact(a));
      // What it leaves has an exponent of its own again.
      return exact(a) && !a.results.empty() && a.results.front().words.at != ResultAt::window;
    });
  }
  // Integers have no exponents that would follow.
  bool reads_normal_numbers() const { return !plan_.a.is_integer() && !plan_.b.is_integer() && !plan_.c.is_integer(); }

  // --- monotony ---

  // What is known of a value while one number grows and all others stay.
  struct Growing {
    bool constant = true;
    bool grows = false;  // never falls
    // Its numbers are of one list, each 2^(exponent of the greater - gap) or more from the next, and exponents rise by
    // one at most from one that is not zero; what lies above 2^(exponent - fraction_bits) is all they have.
    bool stepwise = false;
    int gap = 0, fraction_bits = 0, least_exponent = 0;
  };
  static Growing still() { return {}; }
  static Growing unknown() { return {false, false, false, 0, 0, 0}; }

  static Growing of_format(const Format& f) {
    if (f.is_integer()) return {false, true, false, 0, 0, 0};
    return {false, true, true, f.mantissa_bits + 1, f.mantissa_bits, f.least_exponent()};
  }

  // Sums of 2^-keep over the items that stay, in parts of 2^-100: what the window takes from them as it rises.
  static bool loses_no_more_than(int gap, const Wiring& w, const SumNode& node, const SumItem& growing) {
    u128 lost = 0;
    for (const SumItem& item : node.items) {
      if (&item == &growing) continue;
      const Input& words = w.words(node, item);
      if (words.lost_below || (words.keep && words.cut == Cut::to_odd)) return false;
      if (words.keep) lost += u128{1} << (100 - *words.keep);
    }
    return gap <= 100 && lost <= (u128{1} << (100 - gap));
  }

  // One sum with one item that grows, by how its window moves.
  Growing sum(const Wiring& w, const SumNode& node, const std::vector<Growing>& values) const {
    const AdderPlan& adder = w.adder(node);
    const SumItem* growing = nullptr;
    int count = 0;
    bool all_grow = true, all_whole = true;
    for (const SumItem& item : node.items) {
      const Growing& value = values[at(item.value)];
      all_whole = all_whole && whole(w.words(node, item));
      if (value.constant) continue;
      ++count;
      growing = &item;
      all_grow = all_grow && value.grows;
    }
    if (count == 0) return still();
    if (!all_grow) return unknown();
    Growing made{false, true, false, 0, 0, 0};
    if (all_whole) return made;  // an exact sum of what grows
    if (adder.has_sticky()) return unknown();
    // At a window that stands still each item is cut by itself, and no cut turns an order round.
    const bool stands_still = fixed(adder) && std::all_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
                                return !w.words(node, i).lost_below;
                              });
    if (stands_still) return made;
    const Growing& value = values[at(growing->value)];
    const Input& words = w.words(node, *growing);
    if (count > 1 || fixed(adder) || adder.window.step != 1 || !value.stepwise) return unknown();
    // Leading the window it is not cut; below others, it is cut or dropped at a window that stays, which keeps its
    // order.
    if (words.keep && value.fraction_bits > *words.keep) return unknown();
    // A zero must not raise the window more than the least number does.
    if (words.empty && *words.empty > value.least_exponent) return unknown();
    return loses_no_more_than(value.gap, w, node, *growing) ? made : unknown();
  }

  Growing result(const AdderPlan& adder, const ResultPlan& r, const Growing& value) const {
    if (value.constant || !value.grows) return value;
    switch (r.words.at) {
      // Of a sum whose window moves, another number of bits is cut than before.
      case ResultAt::window: return fixed(adder) ? value : unknown();
      case ResultAt::leading_one: return value;
      case ResultAt::format: break;
    }
    if (r.format.is_integer()) return r.words.overflow == Overflow::wrap ? unknown() : of_format(r.format);
    return of_format(r.format);
  }

  // What a block leaves, where `grown` grows.
  Growing through(const Wiring& w, int grown, const Growing& how) const {
    std::vector<Growing> values(at(w.block.terms + 1));
    values[at(grown)] = how;
    for (const SumNode& node : w.block.sums) {
      const AdderPlan& adder = w.adder(node);
      Growing value = sum(w, node, values);
      // A scale that is not negative keeps the order; its exponent is that of the window, not of the number.
      value.stepwise = false;
      for (const ResultPlan& r : adder.results) value = result(adder, r, value);
      values.push_back(value);
    }
    return values.back();
  }

  // From a step's result through all steps after it and the finish. Any step may be the last: each is asked.
  bool grows_from_acc(const Growing& acc) const {
    Growing value = acc;
    if (!value.grows && !value.constant) return false;
    if (plan_.steps > 1) {
      const Growing next = through(step_, plan_.circuit.step.one(), value);
      if (!next.grows && !next.constant) return false;
      // The next step takes what this one left: the same words again, of a number like the first or of a later one.
      const Growing after = through(step_, plan_.circuit.step.one(), next);
      if (!after.grows && !after.constant) return false;
      if (!grows_in_finish(next)) return false;
    }
    return grows_in_finish(value);
  }
  bool grows_in_finish(const Growing& lane) const {
    if (plan_.finish.empty()) return true;
    const Growing left = through(finish_, 0, lane);
    if (!left.grows && !left.constant) return false;
    for (int i = 1; i < plan_.lanes; ++i) {
      const Growing other = through(finish_, i, lane);
      if (!other.grows && !other.constant) return false;
    }
    return true;
  }

  Growing growing_c() const {
    const Growing own = of_format(plan_.c);
    if (!plan_.widen_c) return own;
    Growing wide = own;  // steps of its own format, exponents of d's
    wide.least_exponent = std::min(own.least_exponent, plan_.d.least_exponent());
    // Below d's least exponent they count with that, and have bits as far below it as c's format.
    const int below = plan_.d.least_exponent() - held_by(plan_.c).lowest;
    wide.gap = std::max(own.gap, below);
    wide.fraction_bits = std::max(own.fraction_bits, below);
    return wide;
  }

  // A NaN is in no order and does not count; infinities are above and below all.
  bool is_monotone_in_c() const {
    if (plan_.scale && plan_.scale->has_sign) return false;
    const Growing c = growing_c();
    if (plan_.datapath.start == Start::c) {
      if (plan_.lanes > 1) return false;
      if (!plan_.finish.empty() && enters(finish_, plan_.circuit.finish.one())) return false;
      return grows_from_acc(through(step_, plan_.circuit.step.one(), c));
    }
    if (plan_.finish.empty()) return true;  // c is not looked at
    const Growing left = through(finish_, plan_.circuit.finish.one(), c);
    return left.grows || left.constant;
  }

  // Where a grows by one code, a x b grows by a unit of a's last place times b: of normal numbers 2^(exponent - 1 -
  // bits of a), for b subnormal as many bits less as b has. Scales may be subnormal too.
  Growing growing_product() const {
    // Cut at the exponent that its factors' codes have, a product may fall where that rises.
    if (plan_.product_round && plan_.product_round->words.at == ResultAt::window) return unknown();
    if (plan_.product_round) return {false, !wraps(*plan_.product_round), false, 0, 0, 0};
    if (plan_.a.is_integer() || plan_.b.is_integer()) return {false, true, false, 0, 0, 0};
    const int bits = plan_.a.mantissa_bits + plan_.b.mantissa_bits;
    const int of_scales = plan_.datapath.product.times_scales && plan_.scale ? 2 * plan_.scale->mantissa_bits : 0;
    // Normalised exponents jump where a subnormal a doubles; those of codes never do.
    const bool stepwise = plan_.datapath.product.exponent == ProductExponent::raw;
    return {false, true, stepwise, bits + of_scales + 1, bits + of_scales, plan_.term_range.least_exponent};
  }

  bool is_monotone_in_products() const {
    // Products that grow may become infinite, which is no step of theirs.
    const Growing product = growing_product();
    for (int term = 0; term < plan_.step_terms; ++term) {
      const Growing acc = through(step_, term, product);
      if (!grows_from_acc(acc)) return false;
    }
    return true;
  }

  // --- what passes unchanged ---

  // A zero that carries an exponent may raise a window: `most` is the greatest it can have. A number that passes has
  // its own exponent, or that of a window above it.
  struct Passing {
    enum class Kind { zero, number, other } kind = Kind::zero;
    int most = INT_MIN / 2;  // of a zero: the greatest exponent it may carry; INT_MIN / 2: none
    bool own_exponent = true;
    int least = 0;  // of a number: its exponent is the leading one's, or this where that is greater
  };
  static Passing zero(int most = INT_MIN / 2) { return {Passing::Kind::zero, most, true, 0}; }
  static Passing number(bool own, int least) { return {Passing::Kind::number, INT_MIN / 2, own, least}; }
  static Passing other() { return {Passing::Kind::other, 0, false, 0}; }
  // c as the adders take it.
  Passing passing_c() const {
    return number(true, plan_.widen_c ? plan_.d.least_exponent() : plan_.c.least_exponent());
  }

  // A sum of zeros and at most one number that is not.
  Passing pass(const Wiring& w, const SumNode& node, const std::vector<Passing>& values, const Held& n) const {
    const AdderPlan& adder = w.adder(node);
    const SumItem* alone = nullptr;
    int others = INT_MIN / 2;  // the greatest exponent that anything else counts with
    bool counted = false;
    for (const SumItem& item : node.items) {
      const Passing& value = values[at(item.value)];
      const Input& words = w.words(node, item);
      if (value.kind == Passing::Kind::other) return other();
      if (value.kind == Passing::Kind::number) {
        if (alone != nullptr) return other();
        alone = &item;
        continue;
      }
      counted = counted || words.empty || value.most > INT_MIN / 2;
      others = std::max({others, value.most, words.empty.value_or(INT_MIN / 2)});
    }
    const int rise = adder.window.step - 1;
    // Where the number itself is zero, its `empty` counts for it.
    if (alone != nullptr) others = std::max(others, w.words(node, *alone).empty.value_or(INT_MIN / 2));
    const int floor = adder.window.floor.value_or(INT_MIN / 2);
    const int still = fixed(adder) ? adder.window.at : std::max(others, floor);
    if (alone == nullptr) {
      if (!counted) return zero();
      return zero(fixed(adder) ? adder.window.at : still + rise);
    }
    const Input& words = w.words(node, *alone);
    const bool own = values[at(alone->value)].own_exponent;
    const int least = values[at(alone->value)].least;
    if (!own && !whole(words)) return other();
    if (words.lost_below) {
      if (fixed(adder) || rise > *words.lost_below || still + rise - *words.lost_below > n.least) return other();
    }
    if (words.keep) {
      const int window_at_most_above = fixed(adder) ? INT_MIN / 2 : rise;  // above its own exponent
      if (!fixed(adder) && n.fraction_bits + window_at_most_above > *words.keep) return other();
      // A subnormal counts with an exponent above its leading one.
      if (!fixed(adder) && least + rise - *words.keep > n.lowest) return other();
      if (still > INT_MIN / 2 && still + rise - *words.keep > n.lowest) return other();
    }
    // A number that is zero leaves a zero, whose exponent is no greater than a number's would be.
    return number(!fixed(adder) && still <= n.least && rise == 0, least);
  }

  bool passes(const ResultPlan& r, const Held& n, Passing& value) const {
    if (value.kind == Passing::Kind::zero) {
      if (is_format(r)) value = zero();
      return true;
    }
    switch (r.words.at) {
      case ResultAt::window:
        return value.own_exponent && r.words.keep >= n.fraction_bits && value.least - r.words.keep <= n.lowest;
      case ResultAt::leading_one:
        if (r.words.least_exponent && *r.words.least_exponent - r.words.keep > n.lowest) return false;
        value.own_exponent = !r.words.least_exponent || *r.words.least_exponent <= n.least;
        value.least = r.words.least_exponent.value_or(INT_MIN / 2);
        return r.words.keep >= n.fraction_bits;
      case ResultAt::format: break;
    }
    if (r.format.is_integer() && !(r.format == plan_.d)) {
      const Format& c = plan_.c;
      const bool wider = r.format.stored_bits > c.stored_bits && r.format.has_sign;
      return c.is_integer() && (r.format == c || wider);
    }
    const Held f = held_by(r.format);
    const bool flushed = r.words.subnormals != Subnormals::keep && n.lowest < f.least;
    value.own_exponent = true;
    value.least = r.format.least_exponent();
    const bool reaches = r.format == plan_.d || holds_exponent(r.format, n.greatest);  // d holds the number as it is
    return f.fraction_bits >= n.fraction_bits && f.lowest <= n.lowest && reaches && !flushed;
  }

  // What a block leaves of these terms and this one.
  Passing through(const Wiring& w, std::vector<Passing> values, const Held& n) const {
    for (const SumNode& node : w.block.sums) {
      const AdderPlan& adder = w.adder(node);
      Passing value = pass(w, node, values, n);
      if (value.kind == Passing::Kind::other) return other();
      if (adder.times_scales) {
        if (value.kind == Passing::Kind::number || value.most > INT_MIN / 2) return other();
      }
      for (const ResultPlan& r : adder.results) {
        if (!passes(r, n, value)) return other();
      }
      values.push_back(value);
    }
    return values.back();
  }

  std::vector<Passing> terms_and(const Wiring& w, const Passing& one) const {
    std::vector<Passing> values(at(w.block.terms), zero());
    values.push_back(one);
    return values;
  }

  // Zeros through all steps of a lane: what is left, which may carry an exponent.
  Passing zeros_through_steps() const {
    Passing acc = zero();
    const Held nothing;
    for (int step = 0; step < std::min(plan_.steps, 3); ++step) acc = through(step_, terms_and(step_, acc), nothing);
    return acc;
  }

  // c, through everything, where all products are zero and d's format holds it. Products of zeros have no exponent.
  bool c_passes() const {
    if (plan_.datapath.subnormals_c != Subnormals::keep || plan_.datapath.subnormals_acc != Subnormals::keep)
      return false;
    Held n = met(held_by(plan_.c), held_by(plan_.d));
    if (plan_.c.is_integer()) n = held_by(plan_.c);
    if (plan_.datapath.start == Start::c) {
      if (plan_.lanes > 1) return false;
      Passing acc = passing_c();
      for (int step = 0; step < std::min(plan_.steps, 3); ++step) {
        acc = through(step_, terms_and(step_, acc), n);
        if (acc.kind != Passing::Kind::number) return false;
      }
      if (plan_.finish.empty()) return true;
      const Passing left = through(finish_, {acc, zero()}, n);
      return left.kind == Passing::Kind::number && !enters(finish_, plan_.circuit.finish.one());
    }
    if (plan_.finish.empty()) return false;
    const Passing lane = zeros_through_steps();
    if (lane.kind != Passing::Kind::zero) return false;
    std::vector<Passing> values(at(plan_.lanes), lane);
    values.push_back(passing_c());
    return through(finish_, values, n).kind == Passing::Kind::number;
  }

  // x in one sum, -x in a later one, each whole: what is between them is x.
  bool opposites_pass() const {
    if (plan_.scale || plan_.product_round || !no_product_is_infinite() || plan_.lanes > 1 || !plan_.finish.empty())
      return false;
    if (plan_.datapath.product.exponent != ProductExponent::raw || plan_.d.is_integer()) return false;
    if (plan_.datapath.start != Start::c || plan_.datapath.subnormals_acc != Subnormals::keep) return false;
    const Range& r = plan_.term_range;
    // Two bits before the point: the leading one may stand one above the exponent.
    const Held x{r.fraction_bits + r.integer_bits - 1, r.least_quantum(), r.least_exponent, above(r) - 1};
    if (r.fixed_quantum) return false;
    // Alone, a product passes each step, and so does what a step left of it; where they meet, both are whole.
    if (!all_adders([](const AdderPlan& a) { return exact(a); })) return false;
    const bool each = std::all_of(step_.block.sums.begin(), step_.block.sums.end(), [&](const SumNode& node) {
      const AdderPlan& adder = step_.adder(node);
      return !adder.times_scales && !fixed(adder) &&
             std::all_of(adder.results.begin(), adder.results.end(), [&](const ResultPlan& result) {
               const Held f = held_by(result.format);
               return is_format(result) && !result.format.is_integer() && f.fraction_bits >= x.fraction_bits &&
                      f.lowest <= x.lowest && holds_exponent(result.format, x.greatest) &&
                      (result.words.subnormals == Subnormals::keep || x.lowest >= f.least);
             });
    });
    return each && each_value_enters_once(step_);
  }

  // --- halves ---

  bool halves_are_modular() const {
    const std::optional<Plan> half = plan_of_half(plan_);
    return half && Reasoner(*half).is_modular();
  }

  // What the two units of half the terms do, one after the other, is what the steps of one do: the same sums over the
  // same terms in the same order, where what a step leaves for the next is what d and c say of it.
  bool is_chain_of_halves() const {
    const std::optional<Plan> half = plan_of_half(plan_);
    if (!half || !(plan_.c == plan_.d) || plan_.lanes != 1 || half->lanes != 1) return false;
    if (plan_.datapath.start != Start::c || !plan_.finish.empty()) return false;
    if (plan_.datapath.subnormals_c != plan_.datapath.subnormals_acc &&
        last_result().words.subnormals == Subnormals::keep)
      return false;
    if (half->step_terms != plan_.step_terms || plan_.steps != 2 * half->steps) return false;
    if (!wired_alike(plan_.circuit.step, half->circuit.step)) return false;
    if (plan_.scale && half->k % plan_.scale_block != 0) return false;
    const int first = plan_.datapath.from == From::last ? half->k : 0, second = half->k - first;
    for (int position = 0; position < half->k; ++position) {
      const int term = half->order[at(position)];
      if (plan_.order[at(position)] != term + first || plan_.order[at(position + half->k)] != term + second)
        return false;
    }
    // An exact sum stands on a grid of its own, which the length of the chain may move; the sticky bit shows it.
    return all_adders([](const AdderPlan& a) { return !(a.has_sticky() && a.sum.fixed_quantum); });
  }

  const Plan& plan_;
  Wiring step_, finish_;
};

}  // namespace

const ResultPlan* rounding_of_exact_sum(const Plan& plan) { return Reasoner(plan).rounding_of_exact_sum(); }
bool sums_wrap(const Plan& plan) { return Reasoner(plan).sums_wrap(); }

std::string_view argument(const Plan& plan, const Property& property) {
  return unspoken(plan).empty() ? Reasoner(plan).found(property) : std::string_view{};
}

}  // namespace assay::guarantee
