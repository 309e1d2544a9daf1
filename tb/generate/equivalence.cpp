#include "tb/generate/equivalence.hpp"

#include <algorithm>
#include <climits>

#include "model/base/text.hpp"
#include "model/core/align.hpp"
#include "model/core/encode.hpp"
#include "model/core/fields.hpp"
#include "model/core/operand_codes.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"
#include "model/core/signs.hpp"
#include "tb/generate/equivalence_of_factors.hpp"
#include "tb/generate/equivalence_of_pieces.hpp"
#include "tb/generate/equivalence_of_remains.hpp"
#include "tb/generate/equivalence_of_roundings.hpp"
#include "tb/generate/exact_steps.hpp"
#include "tb/generate/integer_sums.hpp"
#include "tb/generate/nan_choice.hpp"

namespace assay {
namespace {

// 2^this is above every magnitude within the range.
int above(const Range& r) { return r.greatest_exponent + r.integer_bits; }

// An infinity makes another NaN than the format may have.
bool one_nan(const Format& f) {
  const bool one_code = f.nan == NanCodes::negative_zero || (f.nan == NanCodes::all_ones && !f.has_sign);
  return (f.nan == NanCodes::none || one_code) && !f.has_infinity;
}

bool ends_with(std::string_view text, std::string_view tail) {
  return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
}

// Looks at one changed word of one plan.
class Argument : MutatedPlace {
 public:
  Argument(const Plan& right, const Plan& changed, const Spot& spot) : MutatedPlace(right, changed, spot) {}

  std::string_view found() const {
    if (starts_with(key_, "flags.")) return of_flags();
    const bool whole = adds_whole_products(right_) && adds_whole_products(changed_) && !right_.has_factors();
    return whole ? of_whole_products() : of_any_products();
  }

 private:
  // Where products may be of slices, sums lost, items cut twice or sums wrong, only what speaks of none of these.
  std::string_view of_any_products() const {
    if (grouped_alike()) return "The same terms meet in the same order.";
    if (never_read()) return "c is not read, and each lane has one step.";
    if (no_subnormal_acc()) return "No step reads an acc that is subnormal.";
    if (const auto pieces = equivalence_of_pieces(*this); !pieces.empty()) return pieces;
    if (const auto remains = equivalence_of_remains(*this); !remains.empty()) return remains;
    if (const auto factors = equivalence_of_factors(*this); !factors.empty()) return factors;
    if (adds_whole_products(right_) && adds_whole_products(changed_) && nothing_or_zero())
      return "What begins with nothing or with +0 is +0 where it is zero, either way.";
    if (subnormals_cut_nothing()) return "Where a subnormal element leads a sum, no bit is so far below the window.";
    if (two_terms()) return "Two terms can be added in one way only.";
    if (sums_of_products_are_exact()) return "Sums of products are exact: only the last addition rounds.";
    if (nothing_special_of_integers()) return "Integers have no subnormals, no NaN, no infinity and no -0.";
    if (window_of_an_exact_sum()) return "The sum is exact: its window only places it.";
    if (nothing_for_the_sticky()) return "No bit is cut off, or the first result cuts the sticky bit off again.";
    if (zero_exponent_is_unread()) return "Nobody asks for the exponent of this sum.";
    if (result_has_one_zero()) return "What the sum is rounded to has one zero.";
    if (zero_is_never_negative()) return "The sum is never an exact zero of negative terms alone.";
    if (zero_sign_is_lost()) return "The sign of this zero is lost in the sum that takes it.";
    if (no_minus_zero_here()) return "No result here is -0.";
    if (tiny_is_exact()) return "What is tiny is exact: before and after rounding are one.";
    if (nothing_to_cut()) return "The format holds every such number: nothing is cut off.";
    if (nothing_special_arrives()) return "No infinity or no NaN comes to this result.";
    if (decided_alike()) return "No sum before the step's last makes an infinity of numbers, and there is one NaN.";
    if (nothing_so_small()) return "No sum is so small.";
    if (lost_beside_products()) return "What is subnormal in c lies below all that its first sum keeps.";
    if (never_so_large()) return "No number here is so large.";
    if (const std::string_view alike = overflow_is_alike(); !alike.empty()) return alike;
    if (no_overflow()) return "Nothing added to the greatest number reaches half its last bit.";
    if (window_is_above_its_floor()) return "Every term has an exponent above the floor.";
    if (no_subnormals()) return "A format without mantissa has no subnormals.";
    if (one_nan_code() || nan_is_written_alike()) return "Every NaN is written as one code.";
    return {};
  }

  // Words that change no d, but what stands beside it.
  std::string_view of_flags() const {
    const Format& d = right_.d;
    const bool of_d = right_.datapath.flags->of == FlagsOf::d || rounds_once();
    if (key_ == "flags.tiny" && of_d && (d.is_integer() || d.is_list() || d.mantissa_bits == 0))
      return "What is too small for d is a zero there, whenever it is looked at.";
    if (key_ == "flags.invalid" && no_nan_at_all()) return "Every code is a number: no NaN is written.";
    if (key_ == "flags.of" && rounds_once()) return "Nothing is lost but where d is rounded.";
    return {};
  }
  bool no_nan_at_all() const {
    const auto formats = {&right_.a, &right_.b, &right_.c, &right_.d};
    const auto rounds_to_list = [](const AdderPlan& a) {
      return std::any_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) { return r.format.is_list(); });
    };
    return takes_numbers_alone() &&
           std::none_of(formats.begin(), formats.end(), [](const Format* f) { return f->is_list(); }) &&
           !right_.changes_numbers() && !right_.product_round &&
           std::none_of(right_.adders.begin(), right_.adders.end(), rounds_to_list) &&
           std::none_of(right_.finish.begin(), right_.finish.end(), rounds_to_list);
  }
  bool rounds_once() const {
    const auto loses_nothing = [](const AdderPlan& a) { return exact(a) && !a.window.lost_at; };
    if (right_.lanes * right_.steps > 1 || right_.product_round || right_.has_factors()) return false;
    if (right_.datapath.product.infinity_at || right_.adders.size() != 1 || !right_.finish.empty()) return false;
    const AdderPlan& only = right_.adders.front();
    return only.groups == 1 && one_sum(only) && loses_nothing(only) && only.results.size() == 1;
  }

  std::string_view of_whole_products() const {
    if (grouped_alike()) return "The same terms meet in the same order.";
    if (never_read()) return "c is not read, and each lane has one step.";
    if (no_subnormal_acc()) return "No step reads an acc that is subnormal.";
    if (nothing_or_zero()) return "What begins with nothing or with +0 is +0 where it is zero, either way.";
    if (same_nan_is_taken()) return "Whatever is NaN among a step's numbers, the same one is taken.";
    if (nothing_special_of_integers()) return "Integers have no subnormals, no NaN, no infinity and no -0.";
    if (adds_the_same_integers()) return "No sum but the last can leave the range of d.";
    if (modular()) return "Sums that wrap are the same in any order and any grouping.";
    if (two_terms()) return "Two terms can be added in one way only.";
    if (sums_of_products_are_exact()) return "Sums of products are exact: only the last addition rounds.";
    if (any_order()) return "One sum does not depend on the order of its terms, and there is one NaN.";
    if (window_of_an_exact_sum()) return "The sum is exact: its window only places it.";
    if (summed_alike()) return "Every product comes with the same scales into one exact sum.";
    if (nothing_for_the_sticky()) return "No bit is cut off, or the first result cuts the sticky bit off again.";
    if (result_has_one_zero()) return "What the sum is rounded to has one zero.";
    if (zero_is_never_negative()) return "The sum is never an exact zero of negative terms alone.";
    if (zero_sign_is_lost()) return "The sign of this zero is lost in the sum that takes it.";
    if (no_minus_zero_here()) return "No result here is -0.";
    if (decided_alike()) return "No sum before the step's last makes an infinity of numbers, and there is one NaN.";
    if (no_product_so_large()) return "No product is so large.";
    if (nothing_so_small()) return "No sum is so small.";
    if (tiny_is_exact()) return "What is tiny is exact: before and after rounding are one.";
    if (nothing_to_cut()) return "The format holds every such number: nothing is cut off.";
    if (window_keeps_all()) return "No number here has a bit so far below any window.";
    if (nothing_special_arrives()) return "No infinity or no NaN comes to this result.";
    if (no_subnormals()) return "A format without mantissa has no subnormals.";
    if (nan_below_zero()) return "To nearest, what is below zero is a NaN either way.";
    if (const auto repeated = equivalence_of_roundings(*this, leaves_no_minus_zero()); !repeated.empty())
      return repeated;
    if (const std::string_view alike = overflow_is_alike(); !alike.empty()) return alike;
    if (one_nan_code() || nan_is_written_alike()) return "Every NaN is written as one code.";
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

  // What arrives at that result, or at any of an adder.
  const Range& before_result() const {
    return adder_ == nullptr ? products_before_rounding() : before(*adder_, result());
  }
  static const Range& before(const AdderPlan& a, const ResultPlan& result) {
    if (&result != a.results.data()) return (&result - 1)->range;
    return a.scaled ? *a.scaled : a.sum.range;
  }

  // Whether the result's rounding sees more than the number that arrives: that there were ones below it.
  bool trace_arrives() const {
    return adder_ != nullptr && adder_->sticky == Sticky::at_result && !exact(*adder_) &&
           &result() == adder_->results.data();
  }

  bool one_nan_out() const { return !right_.nan.propagate && !right_.nan.with_sign; }
  bool one_nan_in() const {
    return one_nan(right_.a) && one_nan(right_.b) && !any_scale([](const Format& f) { return !one_nan(f); }) &&
           !products_are_too_large() && !products_leave_special();
  }
  bool integers() const { return right_.d.is_integer() && !mixes_kinds(right_) && !right_.brings_numbers(); }

  // --- scales ---

  // Whether the format of some scale is so, wherever it multiplies.
  template <class IsIt>
  bool any_scale(const IsIt& is_it) const {
    return (right_.scale && is_it(*right_.scale)) ||
           std::any_of(right_.more.begin(), right_.more.end(),
                       [&](const CaseOperand& m) { return m.kind != CaseOperandKind::mask && is_it(m.format); });
  }
  // Whether some scale turns a zero round, or makes one.
  bool scales_touch_zeros() const {
    return any_scale([](const Format& f) { return f.has_zero || f.has_sign; });
  }
  // Whether an infinity and a NaN are the same before the scales of sums and after them.
  bool scales_leave_specials() const {
    const bool infinite = right_.a.has_infinity || right_.b.has_infinity || right_.datapath.product.infinity_at ||
                          (right_.c.has_infinity && scales_acc());
    return !any_scale([](const Format& f) { return f.has_infinity; }) && !(infinite && scales_touch_zeros());
  }
  // All scales of one sum multiply it by less than 2^this.
  int above_scales(const AdderPlan& a) const {
    int bits = a.times_scales ? 2 * above(right_.scale_range) : 0;
    for (const int scale : a.scales) bits += above(right_.more[static_cast<std::size_t>(scale)].range);
    return bits;
  }
  // And by a multiple of 2^this.
  int least_bit_of_scales(const AdderPlan& a) const {
    int bits = a.times_scales ? 2 * right_.scale_range.least_quantum() : 0;
    for (const int scale : a.scales) bits += right_.more[static_cast<std::size_t>(scale)].range.least_quantum();
    return bits;
  }
  // Whether scales multiply sums of what was accumulated.
  bool scales_acc() const {
    const CircuitBlock& block = right_.circuit.step;
    std::vector<bool> holds(static_cast<std::size_t>(block.terms), false);
    holds.push_back(true);
    for (const SumNode& node : block.sums) {
      const bool acc = std::any_of(node.items.begin(), node.items.end(),
                                   [&](const SumItem& i) { return holds[static_cast<std::size_t>(i.value)]; });
      if (acc && steps().adder_of(node).is_scaled()) return true;
      holds.push_back(acc);
    }
    return false;
  }

  // --- what begins, and which NaN is taken ---

  bool never_read() const {
    if (right_.datapath.start != Start::none || right_.steps > 1 || !right_.finish.empty()) return false;
    if (key_ == "subnormals.c" || key_ == "nans.c") return true;
    // Its words may be those of sums that follow, and place the sticky bit.
    const bool alone =
        adder_ != nullptr && one_sum(*adder_) && (!adder_->has_sticky() || same_grid(adder_->sum, changed_adder_->sum));
    return starts_with(key_, "add.") && alone &&
           adder_->inputs[static_cast<std::size_t>(spot_.item)].kind == ValueKind::one;
  }
  // What a step leaves has no subnormals, or no step follows it.
  bool no_subnormal_acc() const {
    if (key_ != "subnormals.acc") return false;
    const Result& last = right_.adders.back().results.back().words;
    return right_.steps == 1 || last.subnormals != Subnormals::keep || steps_are_multiples_of_products();
  }
  // Whatever is cut stays a multiple of the last bit that it had.
  bool steps_are_multiples_of_products() const {
    if (right_.datapath.start == Start::c) return false;
    const bool scaled =
        std::any_of(right_.adders.begin(), right_.adders.end(), [](const AdderPlan& a) { return a.is_scaled(); });
    return !scaled && right_.term_range.least_quantum() >= right_.adders.back().results.back().format.least_exponent();
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

  // Where scales act, how sums are grouped and what windows they have is nothing to a sum that loses no bit.
  bool summed_alike() const {
    const bool structure = key_.find("group.") != std::string::npos || starts_with(key_, "k_order.") ||
                           key_ == "shape" || key_ == "product.exponent";
    const bool scale = starts_with(key_, "operands.scales.") && (ends_with(key_, ".at") || ends_with(key_, ".of"));
    if ((!structure && !scale) || spot_.finish || right_.datapath.product.infinity_at) return false;
    if (!one_nan_out() || !scales_leave_specials() || !ends_alike()) return false;
    if (right_.lanes != changed_.lanes || right_.steps != changed_.steps) return false;
    const auto now = exact_steps(right_);
    return now && now == exact_steps(changed_);
  }
  // The zero of a sum takes its sign from the last adder and its scales.
  bool ends_alike() const {
    const AdderPlan &now = right_.adders.back(), &then = changed_.adders.back();
    const auto same_scales = [](const AdderPlan& x, const AdderPlan& y) { return x.scales == y.scales; };
    return now.zero == ZeroSign::positive && first_result_is_a_format(now) && same_scales(now, then) &&
           std::equal(right_.finish.begin(), right_.finish.end(), changed_.finish.begin(), changed_.finish.end(),
                      same_scales);
  }

  bool nothing_special_of_integers() const {
    if (!integers()) return false;
    return starts_with(key_, "subnormals.") || key_ == "nan" || key_ == "specials" || key_ == "zero" ||
           key_ == "result.subnormals" || key_ == "result.tiny" || key_ == "result.infinity" || key_ == "result.nan" ||
           key_ == "result.minus_zero";
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
    if (!integers() || point_in(right_) != nullptr ||
        (key_ != "shape" && !starts_with(key_, "k_order.") && !of_products))
      return false;
    const bool one_block = right_.finish.empty() && changed_.finish.empty();
    return one_block && weighs_alike(right_, changed_) &&
           std::all_of(right_.adders.begin(), right_.adders.end(), [](const AdderPlan& a) {
             return exact(a) && std::all_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) {
                      return r.words.at == ResultAt::format && r.words.overflow == Overflow::wrap;
                    });
           });
  }

  bool two_terms() const { return of_adder("shape") && adder_->items() <= 2; }

  bool sums_of_products_are_exact() const {
    if (!of_adder("shape") || spot_.finish || right_.datapath.specials == Specials::operation) return false;
    if (adder_->window.lost_at) return false;
    const bool zeros_alike = adder_->zero == ZeroSign::positive;
    return zeros_alike && exact(*adder_) && adds_acc_last(right_) && adds_acc_last(changed_) &&
           !adder_->results.empty() && std::all_of(adder_->results.begin(), adder_->results.end(), [&](const auto& r) {
             return holds_sums_of_products(r);
           });
  }
  // Whether all additions of this adder but the last one are of products alone.
  bool adds_acc_last(const Plan& p) const {
    const CircuitBlock& block = p.circuit.step;
    int last = -1;
    for (std::size_t i = 0; i < block.sums.size(); ++i) {
      if (block.sums[i].adder == spot_.adder) last = static_cast<int>(i);
    }
    return std::all_of(block.sums.begin(), block.sums.end(), [&](const SumNode& node) {
      const bool is_last = &node == &block.sums[static_cast<std::size_t>(last)];
      return node.adder != spot_.adder || std::all_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
               const ValueKind kind = block.kind(i.value);
               const bool own = kind == ValueKind::sum && block.sum_of(i.value).adder == spot_.adder;
               return kind == ValueKind::term || own || (is_last && kind == ValueKind::one);
             });
    });
  }
  // A sum of products that share their scales is a sum of integers times these: it has as many bits as both.
  bool holds_sums_of_products(const ResultPlan& result) const {
    const Format& f = result.format;
    if (result.words.at != ResultAt::format || f.rounds_to_list() || !f.has_sign) return false;
    const int above_sums = above(right_.term_range) + ceil_log2(right_.step_terms);
    if (f.is_integer())
      return right_.term_range.least_quantum() >= f.last_place() && above_sums < f.last_place() + f.stored_bits;
    const bool shared = right_.scales == 1 && right_.datapath.product.times_scales && !right_.product_round &&
                        right_.product_scales.empty();
    const Range& terms = shared ? right_.product_range : right_.term_range;
    const int bits = above(terms) + ceil_log2(right_.step_terms) - terms.least_quantum() +
                     (shared ? 2 * right_.scale_range.significand_bits() : 0);
    const int last = right_.term_range.least_quantum();
    const bool keeps_small = result.words.subnormals == Subnormals::keep ? last >= f.least_exponent() - f.mantissa_bits
                                                                         : last >= f.least_exponent();
    return bits <= f.mantissa_bits + 1 && keeps_small && above_sums <= f.greatest_exponent();
  }

  // A tree of halves pairs the same terms from either end.
  bool any_order() const {
    const auto from_either_end = [](const AdderPlan& a) {
      const bool whole_tree = (a.items() & (a.items() - 1)) == 0 && a.inputs.size() == 1;
      return one_sum(a) || (a.shape != Shape::serial && whole_tree);
    };
    if (key_ == "k_order.from") {
      // A list of NaNs names places of the step.
      return (one_nan_out() || (one_nan_in() && !right_.take)) && right_.steps == 1 && right_.lanes == 1 &&
             std::all_of(right_.adders.begin(), right_.adders.end(), [&](const AdderPlan& a) {
               return (a.groups == 1 || turns(static_cast<int>(&a - right_.adders.data()))) && from_either_end(a);
             });
    }
    const bool decided_by_step = right_.datapath.specials == Specials::step && !spot_.finish;
    return of_adder("add") && one_sum(*adder_) && (one_nan_out() || decided_by_step || chooses_alike(right_, changed_));
  }

  // --- sums that lose nothing ---

  bool window_of_an_exact_sum() const {
    if (key_ == "product.exponent" || key_ == "slices.exponent") {
      const bool rounded = right_.product_round && right_.product_round->words.at == ResultAt::format;
      if (right_.product_round && right_.product_round->words.at == ResultAt::window) return false;
      return rounded || std::all_of(right_.adders.begin(), right_.adders.end(), [&](const AdderPlan& a) {
               const bool takes = std::any_of(a.inputs.begin(), a.inputs.end(),
                                              [](const InputPlan& i) { return i.kind == ValueKind::term; });
               const bool placed = exact(a) && a.window.exponent == WindowExponent::fixed;
               return !takes || placed || reads_values_alone(steps(), a);
             });
    }
    const bool lost = adder_ != nullptr && (adder_->window.lost_at || changed_adder_->window.lost_at);
    return adder_ != nullptr && !lost && starts_with(key_, "window.") && reads_values_alone(wired(), *adder_);
  }
  static bool goes_on_from_its_leading_one(const AdderPlan& a) {
    const Result& only = a.results.front().words;
    return a.results.size() == 1 && only.at == ResultAt::leading_one && !only.least_exponent;
  }
  // Whether d is the same whatever the exponents are that this adder's items and its window have.
  bool reads_values_alone(const Wired& w, const AdderPlan& a) const {
    if (!exact(a) || a.window.lost_at) return false;
    if (first_result_is_a_format(a)) return true;
    if (!a.results.empty() && !goes_on_from_its_leading_one(a)) return false;
    return takers_read_values_alone(w, a);
  }
  bool zero_exponent_is_unread() const { return of_adder("cancelled") && takers_read_values_alone(wired(), *adder_); }
  // Of the sums that add what this adder leaves.
  bool takers_read_values_alone(const Wired& w, const AdderPlan& a) const {
    if (&a == &w.adders.back()) return false;  // it goes into other steps, or into the finish
    const int adder = static_cast<int>(&a - w.adders.data());
    return std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
      const bool takes =
          node.adder != adder && std::any_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
            return w.block.kind(i.value) == ValueKind::sum && w.block.sum_of(i.value).adder == adder;
          });
      return !takes || reads_values_alone(w, w.adder_of(node));
    });
  }

  bool nothing_for_the_sticky() const {
    if (!of_adder("sticky")) return false;
    if (exact(*adder_)) return true;
    if (adder_->results.empty() || adder_->is_scaled() || adder_->zero != ZeroSign::positive) return false;
    const Result& first = adder_->results.front().words;
    return first.at == ResultAt::window && first.cut == Cut::toward_zero && first.keep <= adder_->sum.fraction_bits;
  }

  // --- signs of zero ---

  // Whether rounding turns some negative sum into a zero.
  bool vanishes(const AdderPlan& a, bool finish) const {
    const int least = least_bit_of_sums(finish ? this->finish() : steps(), a);
    return std::any_of(a.results.begin(), a.results.end(), [&](const ResultPlan& r) { return vanishes_in(r, least); });
  }
  // And whether that zero leaves its results as -0.
  bool leaves_minus_zero(const AdderPlan& a, bool finish) const {
    if (finish && finish_is_never_small(a)) return false;
    int least = least_bit_of_sums(finish ? this->finish() : steps(), a);
    bool vanished = false;
    for (const ResultPlan& r : a.results) {
      vanished = vanished || (vanishes_in(r, least) && r.words.subnormals != Subnormals::zero);
      const bool one_zero = !r.format.has_signed_zero || r.words.minus_zero == MinusZero::never;
      if (r.words.at == ResultAt::format && one_zero) vanished = false;
      if (r.words.at != ResultAt::window) least = std::max(least, r.range.least_quantum());
    }
    return vanished;
  }
  // Of which every sum is a multiple.
  int least_bit_of_sums(const Wired& w, const AdderPlan& a) const {
    const Range& sum = a.scaled ? *a.scaled : a.sum.range;
    const int added = least_bit_into(w, a) + least_bit_of_scales(a);
    const int least = std::max(sum.least_quantum(), std::min(added, least_bit_made(a)));
    const bool cuts =
        std::all_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.words.keep.has_value(); });
    if (a.scaled || a.window.exponent != WindowExponent::largest || !cuts) return least;
    return std::max(least, lowest_window(w, a) - a.sum.fraction_bits - (a.has_sticky() ? 1 : 0));
  }

  // --- the lowest window ---

  // No number has a window below this. A zero sum may have none, and an exponent of its own.
  int lowest_window(const Wired& w, const AdderPlan& a) const {
    int lowest = one_sum(a) ? INT_MAX : a.range.least_exponent;
    for (const InputPlan& i : a.inputs)
      lowest = std::min({lowest, i.range.least_exponent, i.words.empty.value_or(INT_MAX)});
    lowest = std::max({lowest, a.window.floor.value_or(INT_MIN), exponent_always_there(w, a)});
    return stepped(lowest, a.window);
  }
  // What some item of each of its sums always has for an exponent, or more; INT_MIN where that may have none.
  int exponent_always_there(const Wired& w, const AdderPlan& a) const {
    const std::vector<int> always = exponents_always_there(w);
    int least = INT_MAX;
    for (const SumNode& node : w.block.sums) {
      if (&w.adder_of(node) == &a) least = std::min(least, greatest_of(node, always));
    }
    return least;
  }
  // Of every value of a block. Where zero products have an exponent, a sum of them has its window's, unless that is
  // lost or the sum is rounded.
  std::vector<int> exponents_always_there(const Wired& w) const {
    const Product& product = right_.datapath.product;
    const bool products_have =
        &w.block == &right_.circuit.step && are_numbers(right_) && product.empty && right_.circuit.products.size() == 1;
    std::vector<int> always(static_cast<std::size_t>(w.block.terms),
                            products_have ? right_.term_range.least_exponent : INT_MIN);
    always.push_back(INT_MIN);
    for (const SumNode& node : w.block.sums) {
      const AdderPlan& a = w.adder_of(node);
      const int window = greatest_of(node, always);
      const bool keeps_it = a.results.empty() && !a.is_scaled() && a.cancelled == Cancelled::window &&
                            a.window.exponent == WindowExponent::largest && window > a.window.lost_at.value_or(INT_MIN);
      always.push_back(keeps_it ? window : INT_MIN);
    }
    return always;
  }
  static int greatest_of(const SumNode& node, const std::vector<int>& exponents) {
    int greatest = INT_MIN;
    for (const SumItem& i : node.items) greatest = std::max(greatest, exponents[static_cast<std::size_t>(i.value)]);
    return greatest;
  }

  // Of a c below its least normal number, acc's first sum keeps nothing, and gives a zero of its own sign.
  bool lost_beside_products() const {
    if (key_ != "subnormals.c" || right_.datapath.start != Start::c || c_enters_twice()) return false;
    const Wired w = steps();
    return std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
      const AdderPlan& a = w.adder_of(node);
      return std::all_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
        return i.value != w.block.one() || loses_subnormals(a, a.inputs[static_cast<std::size_t>(i.input)].words, w);
      });
    });
  }
  bool loses_subnormals(const AdderPlan& a, const Input& acc, const Wired& w) const {
    const int window = exponent_always_there(w, a), greatest = right_.c.least_exponent();
    if (window == INT_MIN || a.has_sticky() || a.zero != ZeroSign::positive || !acc.keep) return false;
    if (window < std::max(greatest, acc.empty.value_or(INT_MIN))) return false;
    const bool to_nearest = is_nearest(acc.cut);
    return (to_nearest || acc.cut == Cut::toward_zero) && greatest <= window - *acc.keep - (to_nearest ? 1 : 0);
  }

  // --- which zeros are -0 ---
  static bool vanishes_in(const ResultPlan& r, int least) {
    if (r.words.at == ResultAt::format && r.format.is_list()) return true;  // it may have no number beside zero
    const bool flushes = r.words.at == ResultAt::format && r.words.subnormals != Subnormals::keep;
    if ((r.words.cut == Cut::to_odd || r.words.cut == Cut::down) && !flushes) return false;
    switch (r.words.at) {
      case ResultAt::window: return true;
      case ResultAt::leading_one: return least < r.words.least_exponent.value_or(INT_MIN / 2) - r.words.keep;
      case ResultAt::format: break;
    }
    const int last = r.words.subnormals == Subnormals::keep ? r.format.mantissa_bits : 0;
    return least < r.format.least_exponent() - last;
  }

  bool leaves_no_minus_zero() const {
    return adder_ != nullptr && adder_->zero == ZeroSign::positive && !adder_->is_scaled() &&
           !vanishes(*adder_, spot_.finish);
  }

  // Which values of a block can be -0.
  std::vector<bool> negative_zeros(const Wired& wired, bool terms, bool one) const {
    std::vector<bool> can(static_cast<std::size_t>(wired.block.terms), terms);
    can.push_back(one);
    const bool in_finish = &wired.block == &right_.circuit.finish;
    for (const SumNode& node : wired.block.sums) {
      const AdderPlan& a = wired.adder_of(node);
      const bool zero = a.zero == ZeroSign::ieee && may_sum_to_one(a, node.items, can);
      can.push_back(zero || (a.is_scaled() && scales_touch_zeros()) || leaves_minus_zero(a, in_finish));
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

  // A subnormal acc below zero is one.
  static bool reads_signed_zeros(const Plan& p) { return p.datapath.subnormals_acc == Subnormals::signed_zero; }

  // Products can be -0, and so can c. What the steps leave is what they go on from.
  std::vector<bool> negative_zeros_of_steps() const {
    // Nothing takes no sign from the others.
    const bool one = right_.datapath.start != Start::zero || reads_signed_zeros(right_) || reads_signed_zeros(changed_);
    const std::vector<bool> can = negative_zeros(steps(), true, one);
    return one || !can.back() ? can : negative_zeros(steps(), true, true);
  }
  std::vector<bool> negative_zeros() const {
    const std::vector<bool> can = negative_zeros_of_steps();
    if (!spot_.finish) return can;
    return negative_zeros(finish(), right_.datapath.start == Start::c || can.back(), true);
  }

  // Asked of the plan, of both, whose result may be -0.
  bool no_minus_zero_here() const {
    if (!of_result(".minus_zero")) return false;
    const bool here = result().words.minus_zero == MinusZero::keep;
    return here ? leaves_none_here() : Argument(changed_, right_, spot_).leaves_none_here();
  }
  bool leaves_none_here() const {
    const ResultPlan& r = result();
    const bool has_one_zero = r.words.at == ResultAt::format && !r.format.has_signed_zero;
    const bool lost =
        adder_ == nullptr && sign_is_lost(steps(), negative_zeros_of_steps(), [&](const SumNode&, int value) {
          return steps().block.kind(value) == ValueKind::term;
        });
    const auto is_minus_zero = [&] {
      const std::vector<bool> can = negative_zeros();
      for (std::size_t i = 0; i < wired().block.sums.size(); ++i) {
        if (wired().block.sums[i].adder == spot_.adder && can[static_cast<std::size_t>(wired().block.left_by(i))])
          return true;
      }
      return false;
    };
    return has_one_zero || lost || (adder_ != nullptr && !is_minus_zero());
  }

  bool result_has_one_zero() const {
    return of_adder("zero") && std::any_of(adder_->results.begin(), adder_->results.end(), [](const ResultPlan& r) {
             return r.words.at == ResultAt::format && r.format.kind == FormatKind::floating &&
                    (!r.format.has_signed_zero || r.words.minus_zero == MinusZero::never);
           });
  }
  // Whether each sum of the adder takes a whole group of the mask's pattern, in which something is off, and so +0.
  bool takes_what_is_off() const {
    if (spot_.finish || right_.mask < 0 || right_.datapath.product.times_scales || !right_.product_scales.empty())
      return false;
    const Mask& pattern = right_.more[static_cast<std::size_t>(right_.mask)].pattern;
    if (!pattern.has_pattern() || pattern.take == pattern.among) return false;
    const CircuitBlock& block = right_.circuit.step;
    const auto takes_a_group = [&](const SumNode& node, const int* order) {
      std::vector<int> taken(static_cast<std::size_t>(right_.k / *pattern.among));
      for (const SumItem& i : node.items) {
        if (block.kind(i.value) != ValueKind::term || i.negate) continue;
        const int element = right_.element_of(order[i.value]);
        ++taken[static_cast<std::size_t>(element / *pattern.among)];
      }
      return std::find(taken.begin(), taken.end(), *pattern.among * right_.pieces) != taken.end();
    };
    for (int instance = 0; instance < right_.lanes * right_.steps; ++instance) {
      for (const SumNode& node : block.sums) {
        if (node.adder == spot_.adder && !takes_a_group(node, right_.order_of(instance))) return false;
      }
    }
    return true;
  }

  bool zero_is_never_negative() const {
    if (!of_adder("zero")) return false;
    // Within a tree, what rounding turns into -0 is added on.
    if (!one_sum(*adder_) && vanishes(*adder_, spot_.finish)) return false;
    if (one_sum(*adder_) && !adder_->rounds_down() && takes_what_is_off()) return true;
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

  // Whether all that is changed is the sign of elements that are zeros.
  bool zeros_of_factors_turn() const {
    const auto flush = [](Subnormals x, Subnormals y) { return x != Subnormals::keep && y != Subnormals::keep; };
    const Datapath &x = right_.datapath, &y = changed_.datapath;
    if (key_ == "subnormals.a") return flush(x.subnormals_a, y.subnormals_a);
    if (key_ == "subnormals.b") return flush(x.subnormals_b, y.subnormals_b);
    const bool of_a = starts_with(key_, "factors.a.round.");
    if (!of_a && !starts_with(key_, "factors.b.round.")) return false;
    if (ends_with(key_, ".minus_zero")) return true;
    const Factor &now = of_a ? x.factor_a : x.factor_b, &then = of_a ? y.factor_a : y.factor_b;
    return ends_with(key_, ".subnormals") && flush(now.round->subnormals, then.round->subnormals);
  }
  bool zero_sign_is_lost() const {
    if (zeros_of_factors_turn() && !right_.product_round && !scales_touch_zeros())
      return sign_is_lost(steps(), negative_zeros_of_steps(),
                          [&](const SumNode&, int value) { return steps().block.kind(value) == ValueKind::term; });
    if (key_ == "subnormals.c" && right_.datapath.subnormals_c != Subnormals::keep &&
        changed_.datapath.subnormals_c != Subnormals::keep) {
      const bool late = right_.datapath.start != Start::c;
      if (c_enters_twice()) return false;
      const std::vector<bool> steps_can = negative_zeros_of_steps();
      const Wired w = late ? finish() : steps();
      const std::vector<bool> can = late ? negative_zeros(w, steps_can.back(), true) : steps_can;
      return sign_is_lost(w, can, [&](const SumNode&, int value) { return w.block.kind(value) == ValueKind::one; });
    }
    if (key_ == "subnormals.acc" && right_.datapath.subnormals_acc != Subnormals::keep &&
        changed_.datapath.subnormals_acc != Subnormals::keep)
      return sign_is_lost(steps(), negative_zeros_of_steps(),
                          [&](const SumNode&, int value) { return steps().block.kind(value) == ValueKind::one; });
    const Wired w = wired();
    if (!of_adder("zero") || adder_ == &w.adders.back()) return false;
    return sign_is_lost(w, negative_zeros(), [&](const SumNode& taker, int value) {
      return taker.adder != spot_.adder && w.block.kind(value) == ValueKind::sum &&
             w.block.sum_of(value).adder == spot_.adder;
    });
  }

  // --- special values ---

  static bool are_numbers(const Plan& p) { return p.datapath.specials == Specials::numbers; }
  bool decided_alike() const {
    if (key_ != "specials" || are_numbers(right_) || are_numbers(changed_) || !adds_as_given(right_)) return false;
    if (products_are_too_large()) return false;
    if (products_may_overflow() || (sums_are_scaled() && !(one_nan_out() && scales_leave_specials()))) return false;
    if (!one_nan_out() && !(one_nan_in() && acc_comes_last()) && !in_order()) return false;
    return std::all_of(right_.adders.begin(), right_.adders.end(), [&](const AdderPlan& a) {
      const bool is_last_sum = &a == &right_.adders.back() && one_sum(a);
      return is_last_sum || (!leaves_special(a) && passes_specials(a));
    });
  }
  // Whether a step's sums come by acc after all products, as a step looks at them.
  bool acc_comes_last() const {
    const CircuitBlock& block = right_.circuit.step;
    return std::all_of(block.sums.begin(), block.sums.end(), [&](const SumNode& node) {
      return std::all_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
        return i.value != block.one() || (&node == &block.sums.back() && &i == &node.items.back());
      });
    });
  }
  bool sums_are_scaled() const {
    return std::any_of(right_.adders.begin(), right_.adders.end(), [](const AdderPlan& a) { return a.is_scaled(); });
  }
  bool may_overflow(const AdderPlan& a) const {
    return std::any_of(a.results.begin(), a.results.end(), [&](const ResultPlan& r) {
      return r.words.at == ResultAt::format && r.words.overflow == Overflow::infinity && !stays_below(a, r) &&
             !below_the_end(before(a, r), r);
    });
  }

  // What may come to a result of the adder at `spot_`, or to that of the products.
  bool may_arrive(bool (*special)(const Format&)) const {
    const bool product = special(right_.a) || special(right_.b) || any_scale(special);
    if (adder_ == nullptr) return product;
    if (products_leave_special()) return true;
    const bool inner = right_.datapath.specials == Specials::step && !spot_.finish && adder_ != &right_.adders.back();
    const bool takes_c = spot_.finish || (right_.datapath.start == Start::c && takes_one(right_.adders, *adder_));
    const bool operand = product || (takes_c && special(right_.c)) || right_.datapath.product.infinity_at;
    if (!inner && operand) return true;
    const AdderPlan* end = spot_.finish ? right_.adders.data() + right_.adders.size() : adder_ + 1;
    const bool earlier = std::any_of(right_.adders.data(), end, [&](const AdderPlan& a) { return leaves_special(a); });
    return earlier ||
           (spot_.finish &&
            std::any_of(right_.finish.data(), adder_ + 1, [&](const AdderPlan& a) { return leaves_special(a); })) ||
           (!inner && !spot_.finish && right_.steps > 1 && leaves_special(right_.adders.back()));
  }
  bool leaves_special(const AdderPlan& a) const {
    return may_overflow(a) || std::any_of(a.results.begin(), a.results.end(), makes_special);
  }
  // Of a number that its format has not.
  static bool makes_special(const ResultPlan& r) {
    const Overflow overflow = r.words.overflow;
    const bool too_large = overflow == Overflow::nan || overflow == Overflow::directed;
    const bool below_zero = !r.format.has_sign && r.words.negative != OfNegative::zero;
    return r.words.at == ResultAt::format && (too_large || below_zero);
  }
  // Whether an infinity stays one, and a NaN one, whatever NaN it is.
  bool passes_specials(const AdderPlan& a) const {
    return std::all_of(a.results.begin(), a.results.end(), [&](const ResultPlan& r) {
      const bool nan = r.words.nan == OfNan::keep || (r.words.nan == OfNan::positive && one_nan_out());
      return r.words.at != ResultAt::format || (r.words.infinity == OfInfinity::keep && nan && r.format.has_sign);
    });
  }
  bool products_leave_special() const {
    if (!right_.product_round) return false;
    const Result& w = right_.product_round->words;
    const bool infinite = w.overflow == Overflow::infinity && products_may_overflow();
    return w.at == ResultAt::format &&
           (infinite || w.infinity == OfInfinity::nan || makes_special(*right_.product_round));
  }
  bool nothing_special_arrives() const {
    if (of_result(".infinity")) return !may_arrive([](const Format& f) { return f.has_infinity; });
    if (!of_result(".nan")) return false;
    return !may_arrive([](const Format& f) { return f.nan != NanCodes::none || f.has_infinity; });
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
    if (key_ == "subnormals.acc") return none(right_.adders.back().results.back().format);
    return of_result(".subnormals") && none(result().format) && result().words.tiny == Tiny::result;
  }
  // One sum of the products as they come, then acc: as a step looks at them.
  bool in_order() const { return is_one_sum(right_.circuit.step); }

  // --- what is never so large or so small ---

  // 2^this is above the magnitude of every product, with its scales; rounding takes it up to that at most.
  int above_products() const {
    const int exact = above(products_before_rounding());
    if (!right_.product_round) return exact;
    const ResultPlan& round = *right_.product_round;
    return makes_number(round) ? std::max(exact + 1, above(round.range)) : exact + 1;
  }
  bool products_are_too_large() const {
    const std::optional<int> infinity_at = right_.datapath.product.infinity_at;
    return infinity_at && !product_below(*infinity_at);
  }
  bool product_below(int exponent) const { return above_products() <= exponent; }

  bool no_product_so_large() const {
    if (key_ != "product.infinity_at") return false;
    const std::optional<int> now = right_.datapath.product.infinity_at, then = changed_.datapath.product.infinity_at;
    return product_below(std::min(now.value_or(INT_MAX), then.value_or(INT_MAX)));
  }

  // Whether c goes into this adder of the finish, or into one before it.
  bool takes_c(const AdderPlan& last) const { return takes_one(right_.finish, last); }
  // The same of c or acc, of the adders of a block.
  static bool takes_one(const std::vector<AdderPlan>& adders, const AdderPlan& last) {
    return std::any_of(adders.data(), &last + 1, [](const AdderPlan& a) {
      return std::any_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.kind == ValueKind::one; });
    });
  }

  // What is added is a multiple of 2^these, since cutting and rounding leave multiples: all terms, all that the steps
  // ever add, and what one adder takes.
  int least_bit_of_terms() const {
    const int products = least_bit_of_products();
    const int made = right_.product_round ? least_bit_of_greatest(*right_.product_round) : INT_MAX;
    return std::max(right_.term_range.least_quantum(), std::min(products, made));
  }
  // A format that elements are widened to holds lesser numbers than they are.
  int least_bit_of_products() const {
    const int ranged = products_before_rounding().least_quantum();
    const bool widened = right_.has_factors() && !right_.scale && !right_.is_sliced() && keeps_values(right_);
    return widened ? std::max(ranged, right_.a_range.least_quantum() + right_.b_range.least_quantum()) : ranged;
  }
  // What an adder leaves that is no sum of what it took: a sticky bit, or the greatest number of a format.
  static int least_bit_made(const AdderPlan& a) {
    int least = a.has_sticky() && !exact(a) ? (a.scaled ? *a.scaled : a.sum.range).least_quantum() : INT_MAX;
    if (a.sticky == Sticky::at_result) least = std::min(least, a.results.front().range.least_quantum());
    for (const ResultPlan& r : a.results) least = std::min(least, least_bit_of_greatest(r));
    return least;
  }
  static int least_bit_of_greatest(const ResultPlan& r) {
    const Result& w = r.words;
    if (w.bits) return r.range.least_quantum();  // a full register
    const bool puts = w.overflow == Overflow::largest || w.overflow == Overflow::directed ||
                      w.overflow == Overflow::symmetric || w.infinity == OfInfinity::largest || w.nan == OfNan::largest;
    if (w.at != ResultAt::format || !puts) return INT_MAX;
    return r.format.is_integer() ? r.format.last_place() : r.format.greatest_exponent() - r.format.mantissa_bits;
  }
  int least_bit() const {
    if (scales_acc()) return INT_MIN / 2;
    const int terms = right_.datapath.start != Start::c
                          ? least_bit_of_terms()
                          : std::min(least_bit_of_terms(), right_.c_range.least_quantum());
    // Scales that make a sum greater leave it a multiple of what its terms are.
    int scales = 0, made = INT_MAX;
    for (const auto* list : {&right_.adders, &right_.finish}) {
      for (const AdderPlan& a : *list) {
        scales += std::min(0, least_bit_of_scales(a));
        made = std::min(made, least_bit_made(a));
      }
    }
    return std::min(terms, made) + scales;
  }
  // Of every value of a block.
  std::vector<int> least_bits(const Wired& w) const {
    const bool in_finish = &w.block == &right_.circuit.finish;
    std::vector<int> least(static_cast<std::size_t>(w.block.terms), in_finish ? least_bit() : least_bit_of_terms());
    const Range& one = in_finish ? right_.c_range : right_.acc_range;
    least.push_back(in_finish ? one.least_quantum() : std::max(one.least_quantum(), least_bit()));
    for (const SumNode& node : w.block.sums) {
      int bit = INT_MAX;
      for (const SumItem& i : node.items) bit = std::min(bit, least[static_cast<std::size_t>(i.value)]);
      const AdderPlan& a = w.adder_of(node);
      least.push_back(std::min(bit + least_bit_of_scales(a), least_bit_made(a)));
    }
    return least;
  }
  // Of what comes to an adder through an input; through any, where none is named.
  int least_bit_into(const Wired& w, const AdderPlan& a, int input = -1) const {
    const std::vector<int> least = least_bits(w);
    int bit = INT_MAX;
    for (int group = 0; group < a.groups; ++group) {
      for (const SumItem& i : items_of_group(w.block, static_cast<int>(&a - w.adders.data()), group)) {
        if (input < 0 || i.input == input) bit = std::min(bit, least[static_cast<std::size_t>(i.value)]);
      }
    }
    return bit;
  }
  int least_before_result() const {
    const int least = before_result().least_quantum();
    if (adder_ == nullptr) return least;
    if (spot_.item == 0) return std::max(least, least_bit_of_sums(wired(), *adder_));
    return std::max(least, least_bit_into(wired(), *adder_) + least_bit_of_scales(*adder_));
  }

  bool nothing_so_small() const {
    if (!of_result(".subnormals") && !of_result(".tiny")) return false;
    const bool in_finish = spot_.finish && adder_ != nullptr;
    return least_before_result() >= result().format.least_exponent() ||
           (in_finish && finish_is_never_small(*adder_, result().format)) || acc_is_never_small();
  }
  // The lanes are multiples of 2^q. A normal c that cancels with one has its last bit at q - 1 - its mantissa or above.
  bool finish_is_never_small(const AdderPlan& a, const Format& f) const {
    if (right_.datapath.start != Start::zero || finish_is_scaled()) return false;
    if (takes_c(a) && right_.datapath.subnormals_c == Subnormals::keep) return false;
    return least_bit() - 1 - right_.c.mantissa_bits >= f.least_exponent() &&
           right_.c.least_exponent() >= f.least_exponent();
  }
  // For any of its results. What c and the lanes have is whole then.
  bool finish_is_never_small(const AdderPlan& a) const {
    const bool whole = std::all_of(right_.finish.data(), &a + 1, [](const AdderPlan& x) { return exact(x); });
    return whole && std::all_of(a.results.begin(), a.results.end(), [&](const ResultPlan& r) {
             const bool floats = r.words.at == ResultAt::format && !r.format.is_integer() && !r.format.rounds_to_list();
             return floats && finish_is_never_small(a, r.format);
           });
  }
  bool finish_is_scaled() const {
    return std::any_of(right_.finish.begin(), right_.finish.end(), [](const AdderPlan& a) { return a.is_scaled(); });
  }
  // An exact sum of acc and multiples of 2^q, rounded to d. acc is zero or normal, as c is: where it is above 2^(q - 1)
  // its last bit is at q - 1 - its mantissa or above, and so is the sum's; else the sum is acc, or 2^(q - 1) or more.
  bool acc_is_never_small() const {
    if (spot_.finish || adder_ == nullptr || right_.datapath.subnormals_c == Subnormals::keep) return false;
    if (!one_sum(*adder_) || !exact(*adder_) || adder_->is_scaled() || adder_->results.size() != 1) return false;
    if (!(right_.c == right_.d) || !(result().format == right_.d) || adder_ != &right_.adders.back()) return false;
    int least = INT_MAX;
    for (std::size_t i = 0; i < adder_->inputs.size(); ++i) {
      if (adder_->inputs[i].kind != ValueKind::one)
        least = std::min(least, least_bit_into(wired(), *adder_, static_cast<int>(i)));
    }
    return least - 1 - right_.d.mantissa_bits >= right_.d.least_exponent();
  }

  static bool fits(const Range& r, const Format& f) { return r.significand_bits() <= f.mantissa_bits + 1; }

  // With one, what lies right below the least normal number stands on the grid of subnormals; without, it may be cut
  // there and come out as that number.
  bool has_bit_to_spare() const { return before_result().significand_bits() <= result().format.mantissa_bits; }

  bool tiny_is_exact() const {
    if (!of_result(".tiny") || trace_arrives()) return false;
    const Format& f = result().format;
    if (before_result().least_quantum() >= f.least_exponent() - f.mantissa_bits) return true;
    const bool looked_at = result().words.tiny == Tiny::result || changed_result().words.tiny == Tiny::result;
    return has_bit_to_spare() || (fits(before_result(), f) && !looked_at);
  }

  // With their scales, where these multiply products.
  const Range& products_before_rounding() const {
    const std::vector<ProductNode>& nodes = right_.circuit.products;
    const auto scaled =
        std::find_if(nodes.rbegin(), nodes.rend(), [](const ProductNode& n) { return n.work == ProductWork::scale; });
    return scaled == nodes.rend() ? right_.product_range : scaled->range;
  }

  // Whether the cut says more than what becomes of bits: of what is too large or below zero, or of a zero's sign.
  bool cut_decides_more() const {
    const Result& w = result().words;
    const bool directed =
        w.overflow == Overflow::directed || (w.negative == OfNegative::directed && !result().format.has_sign);
    const bool sign_of_zero =
        adder_ != nullptr && adder_->zero == ZeroSign::ieee && adder_->rounds_down() != changed_adder_->rounds_down();
    return directed || sign_of_zero;
  }

  bool nothing_to_cut() const {
    if (of_result(".cut") && result().words.at == ResultAt::format) {
      const Format& f = result().format;
      if (f.rounds_to_list() || cut_decides_more() || trace_arrives()) return false;
      if (f.is_integer()) return before_result().least_quantum() >= f.last_place();
      const bool whole = before_result().least_quantum() >= f.least_exponent() - f.mantissa_bits;
      const bool flushed = result().words.subnormals != Subnormals::keep;
      return fits(before_result(), f) &&
             (whole || (flushed && (result().words.tiny != Tiny::result || has_bit_to_spare())));
    }
    if (key_ != "product.round" || right_.product_round.has_value() == changed_.product_round.has_value()) return false;
    const ResultPlan& round = right_.product_round ? *right_.product_round : *changed_.product_round;
    const Format& f = round.format;
    if (f.rounds_to_list()) return false;
    const Range& r = products_before_rounding();
    if (round.words.at != ResultAt::format || !keeps_subnormals_of(round, r)) return false;
    if (round.words.infinity != OfInfinity::keep || round.words.nan != OfNan::keep) return false;
    if (!f.has_sign && (right_.a.has_sign || right_.b.has_sign)) return false;
    const bool scaled = right_.datapath.product.times_scales || !right_.product_scales.empty();
    const bool integer_products = right_.a.is_integer() && right_.b.is_integer() && !scaled &&
                                  right_.datapath.product.exponent == ProductExponent::raw;
    const bool reads_exponents = std::any_of(right_.adders.begin(), right_.adders.end(), [](const AdderPlan& a) {
      return !exact(a) || reads_window(a) || a.window.lost_at;
    });
    if (f.is_integer()) {
      return r.least_quantum() >= f.last_place() && above(r) < f.stored_bits + f.last_place() &&
             (integer_products || !reads_exponents);
    }
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

  // The sticky bit stands one below the grid.
  static bool same_grid(const SumPlan& x, const SumPlan& y) {
    return x.fraction_bits == y.fraction_bits && x.fixed_quantum == y.fixed_quantum;
  }

  bool window_keeps_all() const {
    if ((!of_adder("add.keep") && !of_adder("add.cut")) || !one_sum(*adder_)) return false;
    if (adder_->has_sticky() && !same_grid(adder_->sum, changed_adder_->sum)) return false;
    const auto input = [&](const AdderPlan* a) { return a->inputs[static_cast<std::size_t>(spot_.item)]; };
    const int keep =
        std::min(input(adder_).words.keep.value_or(INT_MAX), input(changed_adder_).words.keep.value_or(INT_MAX));
    const int least = std::max(input(adder_).range.least_quantum(), least_bit_into(wired(), *adder_, spot_.item));
    return highest_window(*adder_) - keep <= least;
  }

  // Of elements that keep their values it is the subnormal ones whose exponents change. They change a window only where
  // they lead it, and it is no higher then than a subnormal times the greatest number of the other side.
  bool subnormals_cut_nothing() const {
    const bool of_elements = starts_with(key_, "factors.a.round") || starts_with(key_, "factors.b.round");
    if (!of_elements || !keeps_values(right_) || !keeps_values(changed_)) return false;
    if (right_.adders.size() != 1 || right_.product_round || right_.is_sliced()) return false;
    if (right_.scale || right_.random.operand >= 0 || right_.datapath.product.exponent != ProductExponent::raw)
      return false;
    const AdderPlan& a = right_.adders.front();
    if (a.window.exponent != WindowExponent::largest || a.window.step != 1 || a.window.lost_at) return false;
    if (!std::all_of(right_.finish.begin(), right_.finish.end(), [](const AdderPlan& late) { return exact(late); }))
      return false;
    const bool of_a = starts_with(key_, "factors.a.");
    const Format &low = of_a ? right_.a : right_.b, &high = of_a ? right_.b : right_.a;
    const int highest = low.least_exponent() + high.greatest_exponent();
    for (std::size_t i = 0; i < a.inputs.size(); ++i) {
      const Input& words = a.inputs[i].words;
      const int least = std::max(a.inputs[i].range.least_quantum(), least_bit_into(steps(), a, static_cast<int>(i)));
      if (!words.only_cuts() || (words.keep && highest - *words.keep > least)) return false;
    }
    return true;
  }

  bool never_so_large() const {
    return of_result(".overflow") && result().words.at == ResultAt::format && below_the_end(before_result(), result());
  }
  // Whether nothing that arrives reaches the power of two after the greatest exponent.
  static bool below_the_end(const Range& arrives, const ResultPlan& result) {
    return !result.format.is_integer() && above(arrives) <= result.format.greatest_exponent();
  }

  // 2^this is above the magnitude of all that is ever summed on top of c: rounding takes a product, or a sum of them,
  // up to the next power of two at most.
  int above_all_terms() const {
    const int term = right_.product_round ? above(products_before_rounding()) : above(right_.term_range);
    int scales = 0;
    for (const AdderPlan& a : right_.adders) scales += std::max(0, above_scales(a));
    return term + scales + ceil_log2(right_.products()) + 1;
  }
  bool products_may_overflow() const {
    return right_.product_round && above(products_before_rounding()) > right_.product_round->format.greatest_exponent();
  }

  std::string_view overflow_is_alike() const {
    return of_result(".overflow") ? overflow_alike(result(), changed_result()) : std::string_view();
  }

  bool no_overflow() const {
    if (!of_result(".overflow") || adder_ == nullptr || result().words.at != ResultAt::format) return false;
    const bool top = result().words.overflow == Overflow::top || changed_result().words.overflow == Overflow::top;
    return !top && !products_may_overflow() && stays_below(*adder_, result());
  }
  // Whether what exceeds the greatest number by less than half its last bit is rounded to it.
  static bool goes_back_to_the_greatest(const ResultPlan& result) {
    const Cut cut = result.words.cut;
    const bool odd = cut == Cut::to_odd && (result.format.greatest_finite() & 1) != 0;
    return odd || cut == Cut::toward_zero || cut == Cut::nearest_even || cut == Cut::nearest_away;
  }
  // Whether all terms together leave the greatest number of the result's format as it is.
  bool stays_below(const AdderPlan& a, const ResultPlan& result) const {
    const Format& f = result.format;
    if (f.is_integer() || f.rounds_to_list() || !goes_back_to_the_greatest(result)) return false;
    if (a.has_sticky() || scales_acc() || finish_is_scaled() || loses_or_errs()) return false;
    if (!adds_each_value_once() || makes_numbers() || !only_shrinks_before(a, result)) return false;
    return above_all_terms() <= f.greatest_exponent() - f.mantissa_bits - 1 && right_.acc_range.integer_bits == 1 &&
           narrow_c(f);
  }
  // Whether some sum is not what its items are, or is cut twice.
  bool loses_or_errs() const {
    const auto does = [](const AdderPlan& a) {
      return a.window.lost_at || a.errata.minus_one ||
             std::any_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return !i.words.again.empty(); });
    };
    return std::any_of(right_.adders.begin(), right_.adders.end(), does) ||
           std::any_of(right_.finish.begin(), right_.finish.end(), does);
  }
  static bool makes_number(const ResultPlan& r) {
    return r.words.infinity == OfInfinity::largest || r.words.nan == OfNan::largest;
  }
  // Whether an infinity or a NaN becomes the greatest number somewhere.
  bool makes_numbers() const {
    const auto any = [](const AdderPlan& a) { return std::any_of(a.results.begin(), a.results.end(), makes_number); };
    return (right_.product_round && makes_number(*right_.product_round)) ||
           std::any_of(right_.adders.begin(), right_.adders.end(), any) ||
           std::any_of(right_.finish.begin(), right_.finish.end(), any);
  }
  // Whether what is cut off on the way to a result of this adder makes nothing greater, but for a bit far below its
  // last.
  static bool only_shrinks_before(const AdderPlan& a, const ResultPlan& result) {
    const int last = result.format.mantissa_bits + a.window.step - 1;
    const bool inputs = std::all_of(a.inputs.begin(), a.inputs.end(), [&](const InputPlan& i) {
      // A number of c's format is kept whole; of others what is cut off lies far below.
      const int enough = i.kind == ValueKind::one ? last : last + 4 + ceil_log2(i.count);
      return i.words.loses_nothing() || i.words.cut == Cut::toward_zero || i.words.keep.value_or(INT_MAX) >= enough;
    });
    return inputs && std::all_of(a.results.data(), &result, [&](const ResultPlan& r) {
             const bool far = r.words.keep >= result.format.mantissa_bits + 4;
             return r.words.at == ResultAt::leading_one && (r.words.cut == Cut::toward_zero || far);
           });
  }
  bool c_enters_twice() const {
    return right_.datapath.start == Start::c && !right_.finish.empty() && takes_c(right_.finish.back());
  }
  bool adds_each_value_once() const {
    return !c_enters_twice() && each_once(right_.circuit.step) && each_once(right_.circuit.finish);
  }
  static bool each_once(const CircuitBlock& block) {
    std::vector<bool> taken(static_cast<std::size_t>(block.values()), false);
    for (const SumNode& node : block.sums) {
      for (const SumItem& i : node.items) {
        if (taken[static_cast<std::size_t>(i.value)]) return false;
        taken[static_cast<std::size_t>(i.value)] = true;
      }
    }
    return true;
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
    return least && !reads_window(*adder_) &&
           std::all_of(adder_->inputs.begin(), adder_->inputs.end(), [&](const InputPlan& i) {
             return !i.words.lost_below && (!i.words.keep || floor + adder_->window.step - 1 - *i.words.keep <= *least);
           });
  }
  // Where the adder takes products and acc only.
  std::optional<int> least_bit_of_inputs() const {
    const bool early = std::all_of(adder_->inputs.begin(), adder_->inputs.end(),
                                   [](const InputPlan& i) { return i.kind != ValueKind::sum; });
    if (spot_.finish || !early || right_.adders.size() != 1) return std::nullopt;
    return least_bit();
  }

  // acc alone is held whole; with other terms the window lies at their exponents or above.
  bool least_exponent_is_below_the_grid() const {
    if (!of_result(".least_exponent") || spot_.item != 0 || !ends_in_a_format()) return false;
    if (adder_->is_scaled() || adder_->has_sticky()) return false;
    const std::optional<int> now = result().words.least_exponent, then = changed_result().words.least_exponent;
    const int last = std::max(now.value_or(INT_MIN), then.value_or(INT_MIN)) - result().words.keep;
    return std::all_of(adder_->inputs.begin(), adder_->inputs.end(), [&](const InputPlan& i) {
      const int least = i.words.keep ? i.range.least_exponent - adder_->sum.fraction_bits : i.range.least_quantum();
      if (least >= last) return true;
      if (spot_.finish || i.kind != ValueKind::one) return false;
      const bool whole = !i.words.keep || i.range.significand_bits() <= *i.words.keep + 1;
      return whole && i.range.least_quantum() >= last && i.range.significand_bits() <= result().words.keep + 1;
    });
  }

  bool zero_counts_below_all() const {
    if (!of_adder("add.empty") || !ends_in_a_format() || adder_->is_scaled()) return false;
    const auto empty_of = [&](const AdderPlan* a) {
      return a->inputs[static_cast<std::size_t>(spot_.item)].words.empty.value_or(INT_MIN);
    };
    const int greatest = std::max(empty_of(adder_), empty_of(changed_adder_));
    for (std::size_t i = 0; i < adder_->inputs.size(); ++i) {
      const bool alone = static_cast<int>(i) == spot_.item && adder_->inputs[i].count == 1;
      if (alone || adder_->inputs[i].range.least_exponent >= greatest) continue;
      if (!cut_again_at(greatest, adder_->inputs[i].words)) return false;
    }
    return true;
  }

  // Whether the first result cuts down, at any exponent, where a window at `exponent` cut down already or above it.
  bool cut_again_at(int exponent, const Input& input) const {
    const Result& first = adder_->results.front().words;
    if (adder_->window.step != 1 || adder_->has_sticky()) return false;
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
    if (adder_->is_scaled() || adder_->has_sticky() || adder_->window.step != 1) return false;
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
};

}  // namespace

std::string_view equivalence(const Plan& right, const Plan& changed, const Spot& spot) {
  // The arguments know of a and b as they are decoded, or less of them, and of no rounding by chance. Of a mask they
  // need not know: what holds for all a and b holds where some of them are +0.
  const auto changes = [](const FactorPlan& f) { return f.zero_point || f.zero_points >= 0 || !f.scales.empty(); };
  if (changes(right.factor_a) || changes(right.factor_b) || right.random.operand >= 0 || changed.random.operand >= 0)
    return "";
  return Argument(right, changed, spot).found();
}

}  // namespace assay
