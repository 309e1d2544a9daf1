#include "tb/generate/equivalence_of_pieces.hpp"

#include <climits>
#include <numeric>
#include <tuple>

#include "model/core/cut.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

bool starts_with(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }

// What a sum is made of, whatever the order: the same text for sums of the same products and sums.
class Contents {
 public:
  // `plan`: whose products the terms are; nullptr where they are what lanes left.
  Contents(const CircuitBlock& block, const std::vector<AdderPlan>& adders, const Plan* plan, const int* order)
      : block_(block), adders_(adders), plan_(plan), order_(order) {}

  std::string of_block() const { return of(block_.result()); }

 private:
  std::string of(int value) const {
    if (block_.kind(value) == ValueKind::one) return "one";
    if (block_.kind(value) == ValueKind::term) return plan_ == nullptr ? std::to_string(value) : product(order_[value]);
    const SumNode& node = block_.sum_of(value);
    const AdderPlan& adder = adders_[static_cast<std::size_t>(node.adder)];
    std::vector<std::string> items;
    for (const SumItem& item : node.items) {
      const Input& words = adder.inputs[static_cast<std::size_t>(item.input)].words;
      items.push_back(words.source + (item.negate ? "-" : "+") + of(item.value));
    }
    std::sort(items.begin(), items.end());
    return adder.name + "(" + std::accumulate(items.begin(), items.end(), std::string()) + ")";
  }

  // By its element and the bits that are taken of it.
  std::string product(int index) const {
    std::string text = "p" + std::to_string(plan_->element_of(index));
    if (!plan_->is_sliced()) return text;
    const int piece = index % plan_->pieces;
    const SlicePair& pair = plan_->datapath.slices.pairs[static_cast<std::size_t>(piece)];
    for (const int word :
         {pair.a_from, pair.a_bits.value_or(-1), pair.b_from, pair.b_bits.value_or(-1), plan_->lowered(piece)})
      text += "." + std::to_string(word);
    return text;
  }

  const CircuitBlock& block_;
  const std::vector<AdderPlan>& adders_;
  const Plan* plan_;
  const int* order_;
};

// Steps of this many terms at most are compared.
constexpr int most_terms = 128;

class Pieces : MutatedPlace {
 public:
  explicit Pieces(const MutatedPlace& place) : MutatedPlace(place) {}

  std::string_view found() const {
    if (no_nan()) return "Every code is a number: no NaN is written.";
    if (same_bits()) return "The slices take the same bits of every number, and have the same exponents.";
    if (pieces_meet_in_one_sum()) return "All slices of an element meet in one sum, whose window the first one sets.";
    if (cut_again_alike()) return "What the first cut leaves differs by less than the second one sees.";
    if (factor_keeps_all()) return "No element has so many bits: nothing is cut off.";
    if (no_window_so_low()) return "No window lies so low.";
    if (same_contents()) return "Every sum adds the same, in another order, and there is one NaN.";
    return {};
  }

 private:
  bool no_nan() const {
    return starts_with(key_, "nan") && right_.datapath.specials == Specials::numbers && gives_no_nan(right_);
  }
  // A list may have its NaN among numbers.
  static bool gives_no_nan(const Plan& p) {
    for (const Format* f : {&p.a, &p.b, &p.c, &p.d}) {
      if (f->nan != NanCodes::none || f->has_infinity) return false;
    }
    return !p.scale && p.more.empty();
  }

  // --- slices ---

  // First and last bit, of those that a number has.
  static std::pair<int, int> bits_taken(int from, const std::optional<int>& bits, const Range& r) {
    const int all = r.significand_bits();
    return {from, bits ? std::min(all, from + *bits) : all};
  }
  bool same_bits() const {
    if (!starts_with(key_, "slices.") || right_.pieces != changed_.pieces || right_.order != changed_.order ||
        right_.step_terms != changed_.step_terms)
      return false;
    for (int i = 0; i < right_.pieces; ++i) {
      if (!right_.is_sliced() || !changed_.is_sliced() || right_.lowered(i) != changed_.lowered(i)) return false;
      const SlicePair &x = right_.datapath.slices.pairs[static_cast<std::size_t>(i)],
                      &y = changed_.datapath.slices.pairs[static_cast<std::size_t>(i)];
      const Range &a = right_.factor_a.range, &b = right_.factor_b.range;
      if (bits_taken(x.a_from, x.a_bits, a) != bits_taken(y.a_from, y.a_bits, a)) return false;
      if (bits_taken(x.b_from, x.b_bits, b) != bits_taken(y.b_from, y.b_bits, b)) return false;
    }
    return true;
  }

  // An exponent is asked for to find a window, and where one is lost or dropped. The greatest of a term's pieces has
  // that of the operands.
  bool pieces_meet_in_one_sum() const {
    if (key_ != "slices.exponent" || right_.datapath.slices.run != SliceRun::together || right_.datapath.product.empty)
      return false;
    int least_lowered = INT_MAX;
    for (const Plan* p : {&right_, &changed_}) {
      for (int i = 0; i < p->pieces; ++i) {
        const SlicePair& pair = p->datapath.slices.pairs[static_cast<std::size_t>(i)];
        least_lowered = std::min(least_lowered, pair.a_from + pair.b_from);
      }
    }
    const AdderPlan& first = right_.adders.front();
    const InputPlan& products = first.inputs.front();
    const bool takes_all = products.kind == ValueKind::term && first.groups == 1 && one_sum(first);
    const bool alone = std::none_of(right_.adders.begin() + 1, right_.adders.end(), [](const AdderPlan& a) {
      return std::any_of(a.inputs.begin(), a.inputs.end(),
                         [](const InputPlan& i) { return i.kind == ValueKind::term; });
    });
    return least_lowered == 0 && takes_all && alone && !products.words.lost_below && !right_.product_round &&
           right_.datapath.product.exponent == ProductExponent::raw && !right_.datapath.product.infinity_at;
  }

  //   keep of the second cut
  //   2^W . . . . . . | h . . . . . . .        h, half of its unit. What reaches h has `bits` bits from there on, and
  //   the
  //                     x x x x x | . .        first cut none of them; what does not reach it is zero after the second.
  bool cut_again_alike() const {
    if (adder_ == nullptr || (key_ != "add.keep" && key_ != "add.cut")) return false;
    const auto item = static_cast<std::size_t>(spot_.item);
    const InputPlan &x = adder_->inputs[item], &y = changed_adder_->inputs[item];
    if (x.words.again.empty() || !(x.words.again == y.words.again) || !x.words.keep || !y.words.keep) return false;
    const Recut& second = x.words.again.front();
    const int needed = second.keep + x.range.significand_bits() + 1;
    return is_nearest(second.cut) && !adder_->sticky && !x.range.fixed_quantum &&
           std::min(*x.words.keep, *y.words.keep) >= needed;
  }

  // At the leading one, so that an exponent is all that changes.
  bool factor_keeps_all() const {
    for (const auto& [head, format, right, changed] :
         {std::tuple{"factors.a.round.", &right_.a, &right_.factor_a, &changed_.factor_a},
          std::tuple{"factors.b.round.", &right_.b, &right_.factor_b, &changed_.factor_b}}) {
      if (!starts_with(key_, head) || !only_rounds(*right) || !only_rounds(*changed)) continue;
      const auto keeps_all = [&, of = format](const FactorPlan& f) {
        const Result& words = f.round->words;
        return words.at == ResultAt::leading_one && !words.least_exponent && words.keep >= of->mantissa_bits &&
               !of->is_integer();
      };
      if (keeps_all(*right) && keeps_all(*changed)) return true;
    }
    return false;
  }
  static bool only_rounds(const FactorPlan& f) {
    return f.round && !f.zero_point && f.zero_points < 0 && f.scales.empty() && !is_stochastic(f.round->words.cut);
  }

  bool no_window_so_low() const {
    if (adder_ == nullptr || key_ != "window.lost_at") return false;
    for (const AdderPlan* a : {adder_, changed_adder_}) {
      const int lost = a->window.lost_at.value_or(INT_MIN);
      for (const InputPlan& i : a->inputs) {
        if (std::min(i.range.least_exponent, i.words.empty.value_or(INT_MAX)) <= lost) return false;
      }
    }
    return true;
  }

  // --- order ---

  bool same_contents() const {
    const bool of_order = starts_with(key_, "k_order.") || starts_with(key_, "slices.") || key_ == "add" ||
                          key_.find("group.") != std::string::npos;
    const bool one_nan =
        right_.datapath.specials == Specials::numbers || (!right_.nan.propagate && !right_.nan.with_sign);
    if (!of_order || !one_nan || right_.take || right_.random.operand >= 0 || scaled(right_) || scaled(changed_))
      return false;
    if (right_.pieces != changed_.pieces || right_.lanes != changed_.lanes || right_.steps != changed_.steps ||
        right_.step_terms != changed_.step_terms || right_.step_terms > most_terms)
      return false;
    if (errs(right_) || errs(changed_)) return false;
    for (int instance = 0; instance < right_.lanes * right_.steps; ++instance) {
      if (contents(right_, instance) != contents(changed_, instance)) return false;
    }
    return right_.finish.empty() || (contents_of_finish(right_) == contents_of_finish(changed_));
  }
  static std::string contents(const Plan& p, int instance) {
    return Contents(p.circuit.step, p.adders, &p, p.order_of(instance)).of_block();
  }
  static std::string contents_of_finish(const Plan& p) {
    return Contents(p.circuit.finish, p.finish, nullptr, nullptr).of_block();
  }
  static bool scaled(const Plan& p) {
    const auto is_scaled = [](const AdderPlan& a) { return a.is_scaled(); };
    return std::any_of(p.adders.begin(), p.adders.end(), is_scaled) ||
           std::any_of(p.finish.begin(), p.finish.end(), is_scaled);
  }
  // In units of the first input, which is another one then.
  bool errs(const Plan& p) const {
    const auto has = [](const AdderPlan& a) { return a.errata.minus_one.has_value(); };
    return key_ == "add" &&
           (std::any_of(p.adders.begin(), p.adders.end(), has) || std::any_of(p.finish.begin(), p.finish.end(), has));
  }
};

}  // namespace

std::string_view equivalence_of_pieces(const MutatedPlace& place) { return Pieces(place).found(); }

}  // namespace assay
