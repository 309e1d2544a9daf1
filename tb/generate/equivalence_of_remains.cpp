#include "tb/generate/equivalence_of_remains.hpp"

#include "model/base/text.hpp"

namespace assay {
namespace {

class Remains : MutatedPlace {
 public:
  explicit Remains(const MutatedPlace& place) : MutatedPlace(place) {}

  std::string_view found() const {
    if (never_nan()) return "This operand is never a NaN.";
    if (zero_has_no_exponent()) return "What the sum is rounded to leaves a zero without an exponent.";
    if (lost_changes_nothing()) return "Ones below all that this cut looks at change nothing.";
    return {};
  }

 private:
  bool never_nan() const {
    if (!starts_with(key_, "nans.")) return false;
    const Format& f = key_.back() == 'a' ? right_.a : key_.back() == 'b' ? right_.b : right_.c;
    const bool numbers = right_.datapath.specials == Specials::numbers && !f.is_list();
    return f.nan == NanCodes::none || numbers;
  }

  // Whatever stands before and after it.
  bool zero_has_no_exponent() const {
    return of_adder("cancelled") && std::any_of(adder_->results.begin(), adder_->results.end(),
                                                [](const ResultPlan& r) { return r.words.at == ResultAt::format; });
  }

  // A tie goes away from zero anyway, and what is less than one stays less.
  bool lost_changes_nothing() const {
    if (!of_adder("sticky") || !joins_or_is_not(*adder_) || !joins_or_is_not(*changed_adder_)) return false;
    const Cut cut = adder_->results.front().words.cut;
    return cut == Cut::toward_zero || cut == Cut::nearest_away;
  }
  static bool joins_or_is_not(const AdderPlan& a) { return !a.results.empty() && a.sticky != Sticky::below_sum; }
};

}  // namespace

std::string_view equivalence_of_remains(const MutatedPlace& place) { return Remains(place).found(); }

}  // namespace assay
