#include "tb/generate/equivalence_of_roundings.hpp"

#include "model/core/cut.hpp"
#include "model/core/fields.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

// Of floating formats: the same numbers, infinities and NaNs of the same codes. One may have no -0.
bool same_but_for_zero(const Format& x, const Format& y) {
  const bool floats = x.kind == FormatKind::floating && y.kind == FormatKind::floating;
  return floats && !x.rounds_to_list() && !y.rounds_to_list() && x.exponent_bits == y.exponent_bits &&
         x.mantissa_bits == y.mantissa_bits && x.bias == y.bias && x.has_sign == y.has_sign &&
         x.has_zero == y.has_zero && x.has_infinity == y.has_infinity && x.infinity_codes == y.infinity_codes &&
         x.nan == y.nan;
}

class Roundings : MutatedPlace {
 public:
  Roundings(const MutatedPlace& place, bool no_minus_zero) : MutatedPlace(place), no_minus_zero_(no_minus_zero) {}

  std::string_view found() const {
    if (rounded_before() || rounded_next()) return "What arrives alone was rounded so before, or is rounded so next.";
    if (numbers_of_the_format_arrive()) return "What arrives was rounded to the same numbers before.";
    if (rounded_again()) return "The result after it does the same to every number here.";
    return {};
  }

 private:
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
  // Whether a result does not leave every number of its own format as it is.
  bool takes_back_the_least() const {
    return result().words.overflow == Overflow::symmetric || changed_result().words.overflow == Overflow::symmetric;
  }
  static bool alike(const ResultPlan& x, const ResultPlan& y) { return same(x.words, y.words) && x.format == y.format; }

  // Cut and overflow say nothing of a sum of one value that was rounded to this format.
  bool rounded_before() const {
    if (adder_ == nullptr || (!of_result(".cut") && !of_result(".overflow"))) return false;
    const Wired w = wired();
    return rounds_once(*adder_) && !takes_back_the_least() &&
           std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
             if (&w.adder_of(node) != adder_) return true;
             const int value = alone(w, node);
             if (value < 0 || w.block.kind(value) != ValueKind::sum) return false;
             const AdderPlan& before = w.adder_of(w.block.sum_of(value));
             return !before.results.empty() && before.results.back().words.at == ResultAt::format &&
                    before.results.back().format == result().format;
           });
  }

  // A rounding goes without saying where what it leaves is rounded alike, alone.
  bool rounded_next() const {
    const Wired w = wired();
    const ResultPlan* rounding = rounding_there_or_not(w);
    return rounding != nullptr && std::all_of(w.block.sums.begin(), w.block.sums.end(), [&](const SumNode& node) {
             if (!takes_what_is_rounded(w, node)) return true;
             const AdderPlan& taker = w.adder_of(node);
             return &taker != adder_ && taker.zero == ZeroSign::ieee && alone(w, node) >= 0 &&
                    !node.items.front().negate && rounds_once(taker) && alike(*rounding, taker.results.front());
           });
  }
  // That of an adder or of the products which one of the plans has and the other has not.
  const ResultPlan* rounding_there_or_not(const Wired& w) const {
    if (key_ == "result") {
      const bool only = rounds_once(*adder_) && adder_ != &w.adders.back();
      return only ? adder_->results.data() : nullptr;
    }
    // A step decides on rounded products.
    if (key_ != "product.round" || right_.datapath.specials == Specials::step) return nullptr;
    if (right_.product_round.has_value() == changed_.product_round.has_value()) return nullptr;
    return right_.product_round ? &*right_.product_round : &*changed_.product_round;
  }
  bool takes_what_is_rounded(const Wired& w, const SumNode& node) const {
    return std::any_of(node.items.begin(), node.items.end(), [&](const SumItem& i) {
      const ValueKind kind = w.block.kind(i.value);
      if (key_ == "product.round") return kind == ValueKind::term;
      return kind == ValueKind::sum && &w.adder_of(w.block.sum_of(i.value)) == adder_;
    });
  }

  // Rounded to numbers of a format that reaches no farther, nothing is too large; but for `top`, which takes numbers of
  // the top exponent for too large.
  bool numbers_of_the_format_arrive() const {
    if (!of_result(".overflow") || adder_ == nullptr || spot_.item == 0) return false;
    if (result().words.overflow == Overflow::top || changed_result().words.overflow == Overflow::top) return false;
    const ResultPlan& before = adder_->results[static_cast<std::size_t>(spot_.item - 1)];
    const Format &f = result().format, &made = before.format;
    if (before.words.at != ResultAt::format || result().words.at != ResultAt::format) return false;
    const bool floats = f.kind == FormatKind::floating && made.kind == FormatKind::floating;
    return floats && made.mantissa_bits == f.mantissa_bits && made.bias == f.bias &&
           made.greatest_finite() == f.greatest_finite();
  }

  // This result is left out, and what the next one does to a sum is what it does to this one's numbers.
  bool rounded_again() const {
    if (!of_result("") || adder_ == nullptr) return false;
    const auto next = static_cast<std::size_t>(spot_.item) + 1;
    if (next >= adder_->results.size()) return false;
    const ResultPlan &now = result(), &then = adder_->results[next];
    const Result &x = now.words, &y = then.words;
    if (x.at != ResultAt::format || y.at != ResultAt::format || !same_but_for_zero(now.format, then.format))
      return false;
    const bool alike = x.cut == y.cut && x.subnormals == y.subnormals && x.tiny == y.tiny && x.infinity == y.infinity &&
                       x.nan == y.nan && x.negative == y.negative;
    const bool one_zero = now.format.has_signed_zero == then.format.has_signed_zero;
    return alike && x.minus_zero == y.minus_zero && (x.overflow == y.overflow || !overflow_alike(now, then).empty()) &&
           (one_zero || no_minus_zero_);
  }
  bool no_minus_zero_;
};

}  // namespace

std::string_view overflow_alike(const ResultPlan& x, const ResultPlan& y) {
  const auto both = [&](Overflow overflow, const auto& rounds_so) {
    const auto one = [&](const ResultPlan& r) {
      const bool goes = r.words.overflow == overflow || r.words.overflow == Overflow::directed;
      return r.words.at == ResultAt::format && goes && rounds_so(r.words.cut);
    };
    return one(x) && one(y);
  };
  if (both(Overflow::infinity, is_nearest)) return "Rounding to nearest never goes back to the greatest number.";
  if (both(Overflow::largest, [](Cut cut) { return cut == Cut::toward_zero; }))
    return "Rounding toward zero always goes back to the greatest number.";
  return {};
}

std::string_view equivalence_of_roundings(const MutatedPlace& place, bool no_minus_zero) {
  return Roundings(place, no_minus_zero).found();
}

}  // namespace assay
