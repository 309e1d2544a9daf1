#include "tb/generate/equivalence.hpp"

#include <algorithm>
#include <climits>

#include "model/core/encode.hpp"
#include "model/core/fields.hpp"
#include "model/core/result_words.hpp"
#include "model/core/signs.hpp"
#include "tb/generate/integer_sums.hpp"
#include "tb/generate/nan_choice.hpp"

namespace assay {
namespace {

// 2^this is above every magnitude within the range.
int above(const Range& r) { return r.greatest_exponent + r.integer_bits; }

bool starts_with(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }

bool one_nan(const Format& f) { return f.nan == NanCodes::none || f.nan == NanCodes::negative_zero; }

// Looks at one changed word of one plan.
class Argument {
 public:
  Argument(const Plan& right, const Plan& changed, const Mutation& m)
      : right_(right), changed_(changed), spot_(m.spot), key_(m.spot.key) {
    if (spot_.adder < 0) return;
    adder_ = &adder_of(right_);
    changed_adder_ = &adder_of(changed_);
  }

  std::string_view found() const {
    if (grouped_alike()) return "The same terms meet in the same order.";
    if (never_read()) return "c is not read, and each lane has one step.";
    if (nothing_or_zero()) return "What begins with nothing or with +0 is +0 where it is zero, either way.";
    if (same_nan_is_taken()) return "Whatever is NaN among a step's numbers, the same one is taken.";
    if (nothing_special_of_integers()) return "Integers have no subnormals, no NaN, no infinity and no -0.";
    if (adds_the_same_integers()) return "No sum but the last can leave the range of d.";
    if (modular()) return "Sums that wrap are the same in any order and any grouping.";
    if (two_terms()) return "Two terms can be added in one way only.";
    if (any_order()) return "One sum does not depend on the order of its terms, and there is one NaN.";
    if (window_of_an_exact_sum()) return "The sum is exact: its window only places it.";
    if (nothing_for_the_sticky()) return "No bit is cut off, or the first result cuts the sticky bit off again.";
    if (result_has_one_zero()) return "What the sum is rounded to has one zero.";
    if (zero_is_never_negative()) return "The sum is never an exact zero of negative terms alone.";
    if (zero_sign_is_lost()) return "The sign of this zero is lost in the sum that takes it.";
    if (decided_alike()) return "No sum before the step's last makes an infinity of numbers, and there is one NaN.";
    if (no_product_so_large()) return "No product is so large.";
    if (nothing_so_small()) return "No sum is so small.";
    if (tiny_is_exact()) return "What is tiny is exact: before and after rounding are one.";
    if (nothing_to_cut()) return "The format holds every such number: nothing is cut off.";
    if (window_keeps_all()) return "No number here has a bit so far below any window.";
    if (nothing_special_arrives()) return "No infinity or no NaN comes to this result.";
    if (no_subnormals()) return "A format without mantissa has no subnormals.";
    if (nan_below_zero()) return "To nearest, what is below zero is a NaN either way.";
    if (rounded_before()) return "What arrives alone was rounded so before, or is rounded so next.";
    if (numbers_of_the_format_arrive()) return "What arrives was rounded to the same numbers before.";
    if (one_nan_code() || nan_is_written_alike()) return "Every NaN is written as one code.";
    if (nearest_overflows_alike()) return "Rounding to nearest never goes back to the greatest number.";
    if (never_so_large()) return "No number here is so large.";
    if (no_overflow()) return "Nothing added to the greatest number reaches half its last bit.";
    if (window_is_above_its_floor()) return "Every term has an exponent above the floor.";
    if (least_exponent_is_below_the_grid()) return "The window's grid ends before the least exponent's last bit.";
    if (zero_counts_below_all()) return "Every other term has an exponent above the one that a zero counts with.";
    if (late_bits_are_cut_again()) {
      return "Where the other terms have bits so deep, acc leads the sum, and its result cuts them at that place.";
    }
    return {};
  }

 private:
  const AdderPlan& adder_of(const Plan& p) const {
    return (spot_.finish ? p.finish : p.adders)[static_cast<std::size_t>(spot_.adder)];
  }
  // A block of the right plan with its adders.
  struct Wired {
    const CircuitBlock& block;
    const std::vector<AdderPlan>& adders;

    const AdderPlan& adder_of(const SumNode& node) const { return adders[static_cast<std::size_t>(node.adder)]; }
  };
  Wired steps() const { return {right_.circuit.step, right_.adders}; }
  Wired finish() const { return {right_.circuit.finish, right_.finish}; }
  Wired wired() const { return spot_.finish ? finish() : steps(); }
  bool of_adder(std::string_view key) const { return adder_ != nullptr && key_ == key; }
  const ResultPlan& result() const {
    return adder_ == nullptr ? *right_.product_round : adder_->results[static_cast<std::size_t>(spot_.item)];
  }
  const ResultPlan& changed_result() const {
    return adder_ == nullptr ? *changed_.product_round : changed_adder_->results[static_cast<std::size_t>(spot_.item)];
  }
  // The key within a result, of an adder or of the products.
  bool of_result(std::string_view key) const {
    if (adder_ == nullptr) return right_.product_round && key_ == "product.round" + std::string(key);
    return key_ == "result" + std::string(key);
  }
  // What arrives at that result.
  const Range& before_result() const {
    if (adder_ == nullptr) return right_.product_range;
    if (spot_.item > 0) return adder_->results[static_cast<std::size_t>(spot_.item - 1)].range;
    return adder_->scaled ? *adder_->scaled : adder_->sum.range;
  }

  static bool exact(const AdderPlan& a) {
    return std::all_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.words.loses_nothing(); });
  }
  static bool first_result_is_a_format(const AdderPlan& a) {
    return !a.results.empty() && a.results.front().words.at == ResultAt::format;
  }
  static bool one_sum(const AdderPlan& a) { return a.sums() == 1; }
  bool one_nan_out() const { return !right_.nan.propagate; }
  bool one_nan_in() const { return one_nan(right_.a) && one_nan(right_.b); }
  bool integers() const { return right_.d.is_integer() && !mixes_kinds(right_); }

  // --- what begins, and which NaN is taken ---

  bool never_read() const {
    if (right_.datapath.start != Start::none || right_.steps > 1 || !right_.finish.empty()) return false;
    if (starts_with(key_, "subnormals.c")) return true;
    return starts_with(key_, "add.") && adder_ != nullptr &&
           adder_->inputs[static_cast<std::size_t>(spot_.item)].kind == ValueKind::one;
  }
  bool nothing_or_zero() const {
    const Start x = right_.datapath.start, y = changed_.datapath.start;
    if (x == y || x == Start::c || y == Start::c) return false;
    const CircuitBlock& block = right_.circuit.step;
    return std::all_of(block.sums.begin(), block.sums.end(), [&](const SumNode& node) {
      const AdderPlan& a = right_.adders[static_cast<std::size_t>(node.adder)];
      return std::all_of(node.items.begin(), node.items.end(), [&](const SumItem& item) {
        const bool counts = a.inputs[static_cast<std::size_t>(item.input)].words.empty.has_value();
        return item.value != block.one() || (a.zero == ZeroSign::positive && !counts);
      });
    });
  }
  bool same_nan_is_taken() const {
    const bool of_nans = starts_with(key_, "nan.") || of_result(".nan");
    return of_nans && right_.take && chooses_alike(right_, changed_);
  }

  // --- which terms meet ---

  bool grouped_alike() const {
    if (key_.find("group.") == std::string::npos && !starts_with(key_, "k_order.")) return false;
    return right_.order == changed_.order && right_.lanes == changed_.lanes && right_.steps == changed_.steps &&
           wired_alike(right_.circuit.step, changed_.circuit.step) &&
           wired_alike(right_.circuit.finish, changed_.circuit.finish);
  }

  bool nothing_special_of_integers() const {
    if (!integers()) return false;
    return starts_with(key_, "subnormals.") || key_ == "nan" || key_ == "specials" || key_ == "zero" ||
           key_ == "result.subnormals" || key_ == "result.tiny" || key_ == "result.infinity" || key_ == "result.nan";
  }

  // Whether the groups of an adder of the steps hold the same terms when the list is turned round, the last group then
  // being the first.
  bool turns(int adder) const {
    const CircuitBlock& block = right_.circuit.step;
    const int groups = right_.adders[static_cast<std::size_t>(adder)].groups;
    for (int g = 0; g < groups; ++g) {
      std::vector<int> group, turned;
      for (const SumItem& i : items_of_group(block, adder, g)) group.push_back(turned_round(block, i.value));
      for (const SumItem& i : items_of_group(block, adder, groups - 1 - g)) turned.push_back(i.value);
      if (!std::is_permutation(group.begin(), group.end(), turned.begin(), turned.end())) return false;
    }
    return true;
  }
  // The value that stands where this one does, counted from the other end.
  int turned_round(const CircuitBlock& block, int value) const {
    if (block.kind(value) == ValueKind::term) return block.terms - 1 - value;
    if (block.kind(value) == ValueKind::one) return value;
    const SumNode& node = block.sum_of(value);
    const AdderPlan& adder = right_.adders[static_cast<std::size_t>(node.adder)];
    return value + (adder.groups - 1 - 2 * node.group) * adder.sums();
  }

  bool adds_the_same_integers() const {
    const bool of_sums = key_ == "shape" || key_ == "product.round" || key_ == "result.overflow" ||
                         starts_with(key_, "k_order.") || starts_with(key_, "group.");
    return of_sums && sum_integers_alike(right_, changed_);
  }
  bool modular() const {
    const bool of_products = key_ == "product.round" && !right_.product_round && changed_.product_round &&
                             changed_.product_round->format == right_.d &&
                             changed_.product_round->words.overflow == Overflow::wrap;
    if (!integers() || (key_ != "shape" && !starts_with(key_, "k_order.") && !of_products)) return false;
    return right_.finish.empty() && std::all_of(right_.adders.begin(), right_.adders.end(), [](const AdderPlan& a) {
             return exact(a) && std::all_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) {
                      return r.words.at == ResultAt::format && r.words.overflow == Overflow::wrap;
                    });
           });
  }

  bool two_terms() const { return of_adder("shape") && adder_->items() <= 2; }

  // A tree of halves pairs the same terms from either end.
  bool any_order() const {
    const auto from_either_end = [](const AdderPlan& a) {
      const bool whole_tree = (a.items() & (a.items() - 1)) == 0 && a.inputs.size() == 1;
      return one_sum(a) || (a.shape != Shape::serial && whole_tree);
    };
    if (key_ == "k_order.from") {
      return (one_nan_out() || one_nan_in()) && right_.steps == 1 && right_.lanes == 1 &&
             std::all_of(right_.adders.begin(), right_.adders.end(), [&](const AdderPlan& a) {
               return (a.groups == 1 || turns(static_cast<int>(&a - right_.adders.data()))) && from_either_end(a);
             });
    }
    const bool decided_by_step = right_.datapath.specials == Specials::step && !spot_.finish;
    return of_adder("add") && one_sum(*adder_) && (one_nan_out() || decided_by_step || chooses_alike(right_, changed_));
  }

  // --- sums that lose nothing ---

  // Whether the place of its window is forgotten: by its result, or by the sums that take it.
  bool forgets_its_window(const AdderPlan& a) const {
    if (first_result_is_a_format(a)) return true;
    if (a.results.empty()) return false;
    const Result& first = a.results.front().words;
    if (first.at != ResultAt::leading_one || first.least_exponent) return false;
    const Wired w = wired();
    return std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
      const bool takes = std::any_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
        return w.block.kind(i.value) == ValueKind::sum && &w.adder_of(w.block.sum_of(i.value)) == &a;
      });
      const AdderPlan& taker = w.adder_of(node);
      return !takes || (&taker != &a && exact(taker) && first_result_is_a_format(taker));
    });
  }
  bool window_of_an_exact_sum() const {
    if (key_ == "product.exponent") {
      const bool rounded = right_.product_round && right_.product_round->words.at == ResultAt::format;
      return rounded || std::all_of(right_.adders.begin(), right_.adders.end(), [&](const AdderPlan& a) {
               const bool takes = std::any_of(a.inputs.begin(), a.inputs.end(),
                                              [](const InputPlan& i) { return i.kind == ValueKind::term; });
               const bool placed = forgets_its_window(a) || a.window.exponent == WindowExponent::fixed;
               return !takes || (exact(a) && placed);
             });
    }
    return adder_ != nullptr && starts_with(key_, "window.") && exact(*adder_) && forgets_its_window(*adder_);
  }

  bool nothing_for_the_sticky() const {
    if (!of_adder("sticky")) return false;
    if (exact(*adder_)) return true;
    if (adder_->results.empty()) return false;
    const Result& first = adder_->results.front().words;
    return first.at == ResultAt::window && first.cut == Cut::toward_zero && first.keep <= adder_->sum.fraction_bits;
  }

  // --- signs of zero ---

  // Whether rounding turns some negative sum into a zero.
  bool vanishes(const AdderPlan& a, bool finish) const {
    const Range& sum = a.scaled ? *a.scaled : a.sum.range;
    const int least = finish && takes_c(a) ? sum.least_quantum() : std::max(sum.least_quantum(), least_bit(right_));
    return std::any_of(a.results.begin(), a.results.end(), [&](const ResultPlan& r) {
      switch (r.words.at) {
        case ResultAt::window: return true;
        case ResultAt::leading_one: return least < r.words.least_exponent.value_or(INT_MIN / 2) - r.words.keep;
        case ResultAt::format: break;
      }
      const int last = r.words.subnormals == Subnormals::keep ? r.format.mantissa_bits : 0;
      return least < r.format.least_exponent() - last;
    });
  }

  // Which values of a block can be -0.
  std::vector<bool> negative_zeros(const Wired& wired, bool terms, bool one) const {
    std::vector<bool> can(static_cast<std::size_t>(wired.block.terms), terms);
    can.push_back(one);
    const bool in_finish = &wired.block == &right_.circuit.finish;
    for (const SumNode& node : wired.block.sums) {
      const AdderPlan& a = wired.adder_of(node);
      const bool zero = a.zero == ZeroSign::ieee && may_sum_to_one(a, node.items, can);
      can.push_back(zero || (a.times_scales && right_.scale->has_zero) || vanishes(a, in_finish));
    }
    return can;
  }

  // Whether an item can enter its sum as -0: as it is, or turned.
  static bool enters_so(const SumItem& item, const std::vector<bool>& can) {
    return item.negate || can[static_cast<std::size_t>(item.value)];
  }

  // Whether a sum under the IEEE rule can be -0.
  static bool may_sum_to_one(const AdderPlan& a, const std::vector<SumItem>& items, const std::vector<bool>& can) {
    return a.rounds_down() ||
           std::all_of(items.begin(), items.end(), [&](const SumItem& i) { return enters_so(i, can); });
  }

  // Products can be -0, and so can c. What the steps leave is what they go on from.
  std::vector<bool> negative_zeros_of_steps() const {
    // Nothing takes no sign from the others.
    const bool one = right_.datapath.start != Start::zero;
    const std::vector<bool> can = negative_zeros(steps(), true, one);
    return one || !can.back() ? can : negative_zeros(steps(), true, true);
  }
  std::vector<bool> negative_zeros() const {
    const std::vector<bool> can = negative_zeros_of_steps();
    if (!spot_.finish) return can;
    return negative_zeros(finish(), right_.datapath.start == Start::c || can.back(), true);
  }

  bool result_has_one_zero() const {
    return of_adder("zero") && std::any_of(adder_->results.begin(), adder_->results.end(), [](const ResultPlan& r) {
             return r.words.at == ResultAt::format && r.format.kind == FormatKind::floating &&
                    !r.format.has_signed_zero;
           });
  }
  bool zero_is_never_negative() const {
    if (!of_adder("zero")) return false;
    // Within a tree, what rounding turns into -0 is added on.
    if (!one_sum(*adder_) && vanishes(*adder_, spot_.finish)) return false;
    const std::vector<bool> can = negative_zeros();
    for (int group = 0; group < adder_->groups; ++group) {
      if (may_sum_to_one(*adder_, items_of_group(wired().block, spot_.adder, group), can)) return false;
    }
    return true;
  }

  // Whether every sum that takes what `is_it` says gives +0 for zeros, or takes something else that is never -0.
  template <class IsIt>
  bool sign_is_lost(const Wired& w, const std::vector<bool>& can, const IsIt& is_it) const {
    return std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
      const AdderPlan& a = w.adder_of(node);
      const auto taken = [&](const SumItem& i) { return is_it(node, i.value); };
      if (std::none_of(node.items.begin(), node.items.end(), taken) || a.zero == ZeroSign::positive) return true;
      return one_sum(a) && !a.rounds_down() && std::any_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
               return !taken(i) && !enters_so(i, can);
             });
    });
  }

  bool zero_sign_is_lost() const {
    if (key_ == "subnormals.c" && right_.datapath.subnormals_c != Subnormals::keep &&
        changed_.datapath.subnormals_c != Subnormals::keep) {
      const bool late = right_.datapath.start == Start::zero;
      const std::vector<bool> steps_can = negative_zeros_of_steps();
      const Wired w = late ? finish() : steps();
      const std::vector<bool> can = late ? negative_zeros(w, steps_can.back(), true) : steps_can;
      return sign_is_lost(w, can, [&](const SumNode&, int value) { return w.block.kind(value) == ValueKind::one; });
    }
    const Wired w = wired();
    if (!of_adder("zero") || adder_ == &w.adders.back()) return false;
    return sign_is_lost(w, negative_zeros(), [&](const SumNode& taker, int value) {
      return taker.adder != spot_.adder && w.block.kind(value) == ValueKind::sum &&
             w.block.sum_of(value).adder == spot_.adder;
    });
  }

  // --- special values ---

  bool decided_alike() const {
    if (key_ != "specials" || changed_.datapath.specials == Specials::numbers || !adds_as_given(right_)) return false;
    if (right_.datapath.product.infinity_at && !product_below(*right_.datapath.product.infinity_at)) return false;
    if (products_may_overflow()) return false;
    if (!one_nan_out() && !one_nan_in() && !in_order()) return false;
    return std::all_of(right_.adders.begin(), right_.adders.end(), [&](const AdderPlan& a) {
      const bool is_last_sum = &a == &right_.adders.back() && one_sum(a);
      return is_last_sum || !may_overflow(a);
    });
  }
  bool may_overflow(const AdderPlan& a) const {
    return std::any_of(a.results.begin(), a.results.end(), [&](const ResultPlan& r) {
      return r.words.at == ResultAt::format && r.words.overflow == Overflow::infinity && !stays_below(a, r);
    });
  }

  // What may come to a result of the adder at `spot_`, or to that of the products.
  bool may_arrive(bool (*special)(const Format&)) const {
    const bool scales_product = right_.datapath.product.times_scales && special(*right_.scale);
    const bool product = special(right_.a) || special(right_.b) || scales_product;
    if (adder_ == nullptr) return product;
    const bool inner = right_.datapath.specials == Specials::step && !spot_.finish && adder_ != &right_.adders.back();
    const bool takes_c = spot_.finish || right_.datapath.start == Start::c;
    const bool operand = product || (takes_c && special(right_.c)) || (right_.scale && special(*right_.scale)) ||
                         right_.datapath.product.infinity_at;
    if (!inner && operand) return true;
    const AdderPlan* end = spot_.finish ? right_.adders.data() + right_.adders.size() : adder_ + 1;
    const bool earlier = std::any_of(right_.adders.data(), end, [&](const AdderPlan& a) { return leaves_special(a); });
    return earlier ||
           (spot_.finish &&
            std::any_of(right_.finish.data(), adder_ + 1, [&](const AdderPlan& a) { return leaves_special(a); })) ||
           (!inner && !spot_.finish && right_.steps > 1 && leaves_special(right_.adders.back()));
  }
  bool leaves_special(const AdderPlan& a) const {
    return may_overflow(a) || std::any_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) {
             const Overflow overflow = r.words.overflow;
             return r.words.at == ResultAt::format && (overflow == Overflow::nan || overflow == Overflow::directed);
           });
  }
  bool nothing_special_arrives() const {
    if (of_result(".infinity")) return !may_arrive([](const Format& f) { return f.has_infinity; });
    if (!of_result(".nan")) return false;
    return !may_arrive([](const Format& f) { return f.nan != NanCodes::none; });
  }
  bool one_nan_code() const {
    const auto a_nan = [](const ResultPlan& r) { return r.words.nan == OfNan::keep || r.words.nan == OfNan::positive; };
    return of_result(".nan") && one_nan_out() && !right_.nan.with_sign && a_nan(result()) && a_nan(changed_result());
  }
  // The code of every NaN; none where it depends on the NaN.
  static std::optional<Code> code_of_every_nan(const Plan& p) {
    if (!p.nan.propagate && !p.nan.with_sign) return p.nan.code;
    if (said_by_nan(p.nan, p.d) != NanSays::nothing || p.d.is_integer() || p.d.nan == NanCodes::none)
      return std::nullopt;
    return p.d.stored(p.d.quiet_nan());
  }
  bool nan_is_written_alike() const {
    if (key_ != "nan") return false;
    const std::optional<Code> code = code_of_every_nan(right_);
    return code && code == code_of_every_nan(changed_);
  }
  bool nan_below_zero() const {
    if (!of_result(".negative")) return false;
    const auto nan = [](const ResultPlan& r) {
      return r.words.negative == OfNegative::nan ||
             (r.words.negative == OfNegative::directed &&
              (r.words.cut == Cut::nearest_even || r.words.cut == Cut::nearest_away));
    };
    return nan(result()) && nan(changed_result());
  }
  bool no_subnormals() const {
    const auto none = [](const Format& f) { return f.kind == FormatKind::floating && f.mantissa_bits == 0; };
    if (key_ == "subnormals.a") return none(right_.a);
    if (key_ == "subnormals.b") return none(right_.b);
    if (key_ == "subnormals.c") return none(right_.c);
    return of_result(".subnormals") && none(result().format) && result().words.tiny == Tiny::result;
  }
  // Rounded to numbers of a format that reaches no farther, nothing is too large.
  // The one value that a sum adds beside nothing: -1 where there are several.
  int alone(const Wired& w, const SumNode& node) const {
    const bool nothing = &w.block == &right_.circuit.step && right_.datapath.start == Start::none && right_.steps == 1;
    int value = -1;
    for (const SumItem& item : node.items) {
      if (nothing && item.value == w.block.one()) continue;
      if (value >= 0 || item.negate != node.items.front().negate) return -1;
      value = item.value;
    }
    return value;
  }
  static bool rounds_once(const AdderPlan& a) {
    return exact(a) && a.results.size() == 1 && a.results.front().words.at == ResultAt::format &&
           !is_stochastic(a.results.front().words.cut);
  }
  static bool alike(const ResultPlan& x, const ResultPlan& y) { return same(x.words, y.words) && x.format == y.format; }

  // Of a sum of one value that was rounded to this format, cut and overflow say nothing; and a rounding goes without
  // saying where what it leaves is rounded alike, alone.
  bool rounded_before() const {
    const Wired w = wired();
    if (adder_ != nullptr && (of_result(".cut") || of_result(".overflow"))) {
      return rounds_once(*adder_) && std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
               if (&w.adder_of(node) != adder_) return true;
               const int value = alone(w, node);
               if (value < 0 || w.block.kind(value) != ValueKind::sum) return false;
               const AdderPlan& before = w.adder_of(w.block.sum_of(value));
               return !before.results.empty() && before.results.back().words.at == ResultAt::format &&
                      before.results.back().format == result().format;
             });
    }
    if (key_ != "result" && key_ != "product.round") return false;
    const std::optional<ResultPlan>& more = right_.product_round ? right_.product_round : changed_.product_round;
    if (key_ == "product.round" && right_.product_round.has_value() == changed_.product_round.has_value()) return false;
    if (key_ == "result" && (!rounds_once(*adder_) || adder_ == &w.adders.back())) return false;
    const ResultPlan& rounding = key_ == "result" ? adder_->results.front() : *more;
    return std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
      const bool takes = std::any_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
        const bool is_sum = w.block.kind(i.value) == ValueKind::sum;
        if (key_ == "product.round") return w.block.kind(i.value) == ValueKind::term;
        return is_sum && &w.adder_of(w.block.sum_of(i.value)) == adder_;
      });
      if (!takes) return true;
      const AdderPlan& taker = w.adder_of(node);
      return &taker != adder_ && taker.zero == ZeroSign::ieee && alone(w, node) >= 0 && !node.items.front().negate &&
             rounds_once(taker) && alike(rounding, taker.results.front());
    });
  }

  bool numbers_of_the_format_arrive() const {
    if (!of_result(".overflow") || adder_ == nullptr || spot_.item == 0) return false;
    const ResultPlan& before = adder_->results[static_cast<std::size_t>(spot_.item - 1)];
    const Format &f = result().format, &made = before.format;
    if (before.words.at != ResultAt::format || result().words.at != ResultAt::format) return false;
    const bool floats = f.kind == FormatKind::floating && made.kind == FormatKind::floating;
    return floats && made.mantissa_bits == f.mantissa_bits && made.bias == f.bias &&
           made.greatest_finite() == f.greatest_finite();
  }
  bool nearest_overflows_alike() const {
    if (!of_result(".overflow") || result().words.at != ResultAt::format) return false;
    const auto infinite = [](const ResultPlan& r) {
      return r.words.overflow == Overflow::infinity || r.words.overflow == Overflow::directed;
    };
    const Cut cut = result().words.cut;
    return infinite(result()) && infinite(changed_result()) && (cut == Cut::nearest_even || cut == Cut::nearest_away);
  }

  // One sum of the products as they come, then acc: as a step looks at them.
  bool in_order() const { return is_one_sum(right_.circuit.step); }

  // --- what is never so large or so small ---

  bool product_below(int exponent) const { return above(right_.product_range) <= exponent; }

  bool no_product_so_large() const {
    if (key_ != "product.infinity_at") return false;
    const std::optional<int> now = right_.datapath.product.infinity_at, then = changed_.datapath.product.infinity_at;
    return product_below(std::min(now.value_or(INT_MAX), then.value_or(INT_MAX)));
  }

  // Whether c goes into this adder of the finish, or into one before it.
  bool takes_c(const AdderPlan& last) const {
    return std::any_of(right_.finish.data(), &last + 1, [](const AdderPlan& a) {
      return std::any_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.kind == ValueKind::one; });
    });
  }

  // What is added is a multiple of 2^these, since cutting and rounding leave multiples: all terms, all that the steps
  // ever add, and what one adder takes.
  static int least_bit_of_terms(const Plan& p) {
    const int least = p.term_range.least_quantum();
    return p.scale ? least : std::max(least, p.product_range.least_quantum());
  }
  static int least_bit(const Plan& p) {
    const bool scaled =
        std::any_of(p.adders.begin(), p.adders.end(), [](const AdderPlan& a) { return a.times_scales; });
    if (scaled) return INT_MIN / 2;
    const int terms = least_bit_of_terms(p);
    return p.datapath.start != Start::c ? terms : std::min(terms, p.c_range.least_quantum());
  }
  // Of every value of a block.
  std::vector<int> least_bits(const Wired& w) const {
    const bool in_finish = &w.block == &right_.circuit.finish;
    std::vector<int> least(static_cast<std::size_t>(w.block.terms),
                           in_finish ? least_bit(right_) : least_bit_of_terms(right_));
    least.push_back(in_finish ? right_.c_range.least_quantum() : least_bit(right_));
    for (const SumNode& node : w.block.sums) {
      int bit = w.adder_of(node).times_scales ? INT_MIN / 2 : INT_MAX;
      for (const SumItem& i : node.items) bit = std::min(bit, least[static_cast<std::size_t>(i.value)]);
      least.push_back(bit);
    }
    return least;
  }
  // Of what comes to the adder at `spot_` through an input; through any, where none is named.
  int least_bit_into(int input = -1) const {
    const Wired w = wired();
    const std::vector<int> least = least_bits(w);
    int bit = adder_->times_scales && input < 0 ? INT_MIN / 2 : INT_MAX;
    for (int group = 0; group < adder_->groups; ++group) {
      for (const SumItem& i : items_of_group(w.block, spot_.adder, group)) {
        if (input < 0 || i.input == input) bit = std::min(bit, least[static_cast<std::size_t>(i.value)]);
      }
    }
    return bit;
  }
  int least_before_result() const {
    const int least = before_result().least_quantum();
    return adder_ == nullptr ? least : std::max(least, least_bit_into());
  }

  bool nothing_so_small() const {
    if (!of_result(".subnormals") && !of_result(".tiny")) return false;
    return least_before_result() >= result().format.least_exponent() || finish_is_never_small() || acc_is_never_small();
  }
  // The lanes are multiples of 2^q. A normal c that cancels with one has its last bit at q - 1 - its mantissa or above.
  bool finish_is_never_small() const {
    if (!spot_.finish || adder_ == nullptr || right_.datapath.start != Start::zero) return false;
    if (takes_c(*adder_) && right_.datapath.subnormals_c == Subnormals::keep) return false;
    return least_bit(right_) - 1 - right_.c.mantissa_bits >= result().format.least_exponent() &&
           right_.c.least_exponent() >= result().format.least_exponent();
  }
  // An exact sum of acc and multiples of 2^q, rounded to d. acc is zero or normal, as c is: where it is above 2^(q - 1)
  // its last bit is at q - 1 - its mantissa or above, and so is the sum's; else the sum is acc, or 2^(q - 1) or more.
  bool acc_is_never_small() const {
    if (spot_.finish || adder_ == nullptr || right_.datapath.subnormals_c == Subnormals::keep) return false;
    if (!one_sum(*adder_) || !exact(*adder_) || adder_->results.size() != 1 || !(right_.c == right_.d)) return false;
    int least = INT_MAX;
    for (std::size_t i = 0; i < adder_->inputs.size(); ++i) {
      if (adder_->inputs[i].kind != ValueKind::one) least = std::min(least, least_bit_into(static_cast<int>(i)));
    }
    return least - 1 - right_.d.mantissa_bits >= right_.d.least_exponent();
  }

  static bool fits(const Range& r, const Format& f) { return r.significand_bits() <= f.mantissa_bits + 1; }

  bool tiny_is_exact() const {
    if (!of_result(".tiny")) return false;
    const Format& f = result().format;
    return before_result().least_quantum() >= f.least_exponent() - f.mantissa_bits || fits(before_result(), f);
  }

  // With their scales, where these multiply products.
  const Range& products_before_rounding() const {
    const std::vector<ProductNode>& nodes = right_.circuit.products;
    const auto scaled =
        std::find_if(nodes.rbegin(), nodes.rend(), [](const ProductNode& n) { return n.work == ProductWork::scale; });
    return scaled == nodes.rend() ? right_.product_range : scaled->range;
  }

  bool nothing_to_cut() const {
    if (of_result(".cut") && result().words.at == ResultAt::format) {
      const Format& f = result().format;
      if (f.is_integer()) return before_result().least_quantum() >= f.last_place();
      const bool whole = before_result().least_quantum() >= f.least_exponent() - f.mantissa_bits;
      return fits(before_result(), f) && (whole || result().words.subnormals != Subnormals::keep);
    }
    if (key_ != "product.round" || right_.product_round.has_value() == changed_.product_round.has_value()) return false;
    const ResultPlan& round = right_.product_round ? *right_.product_round : *changed_.product_round;
    const Format& f = round.format;
    const Range& r = products_before_rounding();
    if (round.words.at != ResultAt::format || !keeps_subnormals_of(round, r)) return false;
    if (f.is_integer()) return r.least_quantum() >= f.last_place() && above(r) < f.stored_bits + f.last_place();
    const bool reads_exponents = !std::all_of(right_.adders.begin(), right_.adders.end(), exact);
    return !reads_exponents && fits(r, f) && r.least_quantum() >= f.least_exponent() - f.mantissa_bits &&
           above(r) <= f.greatest_exponent();
  }

  static bool keeps_subnormals_of(const ResultPlan& result, const Range& r) {
    return result.words.subnormals == Subnormals::keep || r.least_quantum() >= result.format.least_exponent();
  }

  // The exponent of the highest window that the adder of `plan` can have.
  static int highest_window(const AdderPlan& a) {
    const Window& w = a.window;
    if (w.exponent == WindowExponent::fixed) return w.at;
    int highest = w.floor.value_or(INT_MIN);
    for (const InputPlan& i : a.inputs)
      highest = std::max({highest, i.range.greatest_exponent, i.words.empty.value_or(INT_MIN)});
    return highest + w.step - 1;
  }

  bool window_keeps_all() const {
    if ((!of_adder("add.keep") && !of_adder("add.cut")) || !one_sum(*adder_)) return false;
    const auto input = [&](const AdderPlan* a) { return a->inputs[static_cast<std::size_t>(spot_.item)]; };
    const int keep =
        std::min(input(adder_).words.keep.value_or(INT_MAX), input(changed_adder_).words.keep.value_or(INT_MAX));
    const int least = std::max(input(adder_).range.least_quantum(), least_bit_into(spot_.item));
    return highest_window(*adder_) - keep <= least;
  }

  bool never_so_large() const {
    return of_result(".overflow") && result().words.at == ResultAt::format && !result().format.is_integer() &&
           above(before_result()) <= result().format.greatest_exponent();
  }

  // 2^this is above the magnitude of all that is ever summed on top of c: rounding takes a product, or a sum of them,
  // up to the next power of two at most.
  int above_all_terms() const {
    const int term = right_.product_round ? above(right_.product_range) : above(right_.term_range);
    const bool scaled =
        std::any_of(right_.adders.begin(), right_.adders.end(), [](const AdderPlan& a) { return a.times_scales; });
    return term + (scaled ? 2 * above(right_.scale_range) : 0) + ceil_log2(right_.k) + 1;
  }
  bool products_may_overflow() const {
    return right_.product_round && above(right_.product_range) > right_.product_round->format.greatest_exponent();
  }

  bool no_overflow() const {
    if (!of_result(".overflow") || adder_ == nullptr || result().words.at != ResultAt::format) return false;
    return !products_may_overflow() && stays_below(*adder_, result());
  }
  // Whether all terms together leave the greatest number of the result's format as it is.
  bool stays_below(const AdderPlan& a, const ResultPlan& result) const {
    const Format& f = result.format;
    const Cut cut = result.words.cut;
    const bool away = cut != Cut::toward_zero && cut != Cut::nearest_even && cut != Cut::nearest_away;
    if (f.is_integer() || away || a.sticky) return false;
    return above_all_terms() <= f.greatest_exponent() - f.mantissa_bits - 1 && right_.acc_range.integer_bits == 1 &&
           narrow_c(f);
  }
  bool narrow_c(const Format& f) const {
    return right_.c.mantissa_bits <= f.mantissa_bits && right_.c.greatest_exponent() <= f.greatest_exponent();
  }

  // --- where exponents begin ---

  bool ends_in_a_format() const {
    return !adder_->results.empty() && adder_->results.back().words.at == ResultAt::format;
  }

  bool window_is_above_its_floor() const {
    if (!of_adder("window.floor") || !ends_in_a_format()) return false;
    if (grid_at_floor_holds_all()) return true;
    const int floor = std::max(adder_->window.floor.value_or(INT_MIN), changed_adder_->window.floor.value_or(INT_MIN));
    return std::all_of(adder_->inputs.begin(), adder_->inputs.end(),
                       [&](const InputPlan& i) { return i.range.least_exponent >= floor; });
  }

  // A window at the floor, or below it without, cuts nothing off.
  bool grid_at_floor_holds_all() const {
    const int floor = std::max(adder_->window.floor.value_or(INT_MIN), changed_adder_->window.floor.value_or(INT_MIN));
    const std::optional<int> least = least_bit_of_inputs();
    return least && std::all_of(adder_->inputs.begin(), adder_->inputs.end(), [&](const InputPlan& i) {
             return !i.words.keep || floor + adder_->window.step - 1 - *i.words.keep <= *least;
           });
  }
  // Where the adder takes products and acc only.
  std::optional<int> least_bit_of_inputs() const {
    const bool early = std::all_of(adder_->inputs.begin(), adder_->inputs.end(),
                                   [](const InputPlan& i) { return i.kind != ValueKind::sum; });
    if (spot_.finish || !early || right_.adders.size() != 1) return std::nullopt;
    return least_bit(right_);
  }

  // acc alone is held whole; with other terms the window lies at their exponents or above.
  bool least_exponent_is_below_the_grid() const {
    if (!of_result(".least_exponent") || spot_.item != 0 || !ends_in_a_format()) return false;
    const std::optional<int> now = result().words.least_exponent, then = changed_result().words.least_exponent;
    const int last = std::max(now.value_or(INT_MIN), then.value_or(INT_MIN)) - result().words.keep;
    return std::all_of(adder_->inputs.begin(), adder_->inputs.end(), [&](const InputPlan& i) {
      if (i.range.least_exponent - adder_->sum.fraction_bits >= last) return true;
      if (spot_.finish || i.kind != ValueKind::one) return false;
      const bool whole = !i.words.keep || i.range.significand_bits() <= *i.words.keep + 1;
      return whole && i.range.least_quantum() >= last && i.range.significand_bits() <= result().words.keep + 1;
    });
  }

  bool zero_counts_below_all() const {
    if (!of_adder("add.empty") || !ends_in_a_format()) return false;
    const auto empty_of = [&](const AdderPlan* a) {
      return a->inputs[static_cast<std::size_t>(spot_.item)].words.empty.value_or(INT_MIN);
    };
    const int greatest = std::max(empty_of(adder_), empty_of(changed_adder_));
    for (std::size_t i = 0; i < adder_->inputs.size(); ++i) {
      if (static_cast<int>(i) == spot_.item || adder_->inputs[i].range.least_exponent >= greatest) continue;
      if (!cut_again_at(greatest, adder_->inputs[i].words)) return false;
    }
    return true;
  }

  // Whether the first result cuts down, at any exponent, where a window at `exponent` cut down already or above it.
  bool cut_again_at(int exponent, const Input& input) const {
    const Result& first = adder_->results.front().words;
    return input.keep && input.cut == Cut::down && first.cut == Cut::down && first.at == ResultAt::leading_one &&
           first.least_exponent && exponent - *input.keep <= *first.least_exponent - first.keep;
  }

  // An earlier sum (keep n + 1 or more, cut down) + acc, then leading_one keep n, cut down. In a window w:
  //   the sum has bits below w - n - 1   only where its own window lies so far below w that it is less than
  //                                      2^(w - 1): acc, if normal, keeps the total's leading one at w - 1 or above;
  //   the result cuts down               at w - 1 - n or above, and never below least_exponent - n.
  // Floors of floors are floors: whether the sum kept bits below w - n - 1 decides nothing.
  bool late_bits_are_cut_again() const {
    if (!of_adder("add.keep") || adder_->results.size() != 2 || adder_->inputs.size() != 2) return false;
    const InputPlan& sum = adder_->inputs[static_cast<std::size_t>(spot_.item)];
    const InputPlan& then = changed_adder_->inputs[static_cast<std::size_t>(spot_.item)];
    const InputPlan& acc = adder_->inputs.back();
    const Result& first = adder_->results.front().words;
    if (spot_.finish || sum.kind != ValueKind::sum || acc.kind != ValueKind::one || !ends_in_a_format()) return false;
    if (first.at != ResultAt::leading_one || first.cut != Cut::down || sum.words.cut != Cut::down) return false;
    if (*sum.words.keep <= first.keep || then.words.keep.value_or(INT_MAX) <= first.keep) return false;
    const int own = sum.range.fraction_bits, grown = sum.range.integer_bits;  // below and above its own window
    const bool dwarfed = first.keep + 1 - own >= grown;
    const bool counted = acc.words.empty && acc.words.empty <= first.least_exponent;
    return dwarfed && counted && first.least_exponent && acc.range.integer_bits == 1;
  }

  const Plan& right_;
  const Plan& changed_;
  const Spot& spot_;
  const std::string& key_;
  const AdderPlan* adder_ = nullptr;
  const AdderPlan* changed_adder_ = nullptr;
};

}  // namespace

std::string_view equivalence(const Plan& right, const Plan& changed, const Mutation& m) {
  // The arguments know of a and b as they are decoded, and of the pair of scales alone.
  if (right.takes_more()) return "";
  return Argument(right, changed, m).found();
}

}  // namespace assay
