#include "tb/generate/nan_choice.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace assay {
namespace {

constexpr int most_terms = 4;
constexpr int most_nans = 4;  // at a time: one list differs from another in the order of two, beside what hides them

// Of a step of n terms: a[0] .. a[n - 1], b[0] .. b[n - 1], acc, and then what products and sums make of numbers.
struct Step {
  const Plan& plan;
  int terms = plan.step_terms;

  int a(int i) const { return i; }
  int b(int i) const { return terms + i; }
  int acc() const { return 2 * terms; }
  int made_by_product(int i) const { return 2 * terms + 1 + i; }
  int made_by_sum(std::size_t i) const { return 3 * terms + 1 + static_cast<int>(i); }
  int origins() const { return made_by_sum(plan.circuit.step.sums.size()); }
  bool is_operand(int origin) const { return origin <= acc(); }
  // Nothing, with which a single step may begin, is no NaN.
  bool may_be_nan(int origin) const { return origin != acc() || plan.datapath.start != Start::none || plan.steps > 1; }
};

enum class Held { number, quiet, signalling };

constexpr int number = -1;  // no NaN
constexpr int made = -2;    // one that an operation makes: all are written as one code

// Where the NaN comes from that the step leaves, if it leaves one.
class Choice {
 public:
  Choice(const Step& step, const std::vector<Held>& held) : step_(step), plan_(step.plan), held_(held) {}

  int of_step() {
    const CircuitBlock& block = plan_.circuit.step;
    for (int i = 0; i < step_.terms; ++i) values_.push_back(product(i));
    values_.push_back(operand(step_.acc()));
    for (std::size_t i = 0; i < block.sums.size(); ++i) values_.push_back(sum(block.sums[i], i));
    const int left = values_.back();
    return left == number || !plan_.take ? left : taken(left);
  }

 private:
  int operand(int origin) const { return held_[static_cast<std::size_t>(origin)] == Held::number ? number : origin; }
  int made_at(int origin) const { return operand(origin) == number ? number : made; }

  static int through(int nan, const std::optional<ResultPlan>& result) {
    return nan != number && result && result->words.nan == OfNan::positive ? made : nan;
  }

  int product(int i) const {
    int nan = operand(step_.a(i));
    if (nan == number) nan = operand(step_.b(i));
    if (nan == number) nan = made_at(step_.made_by_product(i));
    return through(nan, plan_.product_round);
  }

  int sum(const SumNode& node, std::size_t index) const {
    int nan = number;
    for (const SumItem& item : node.items) {
      if (nan == number) nan = values_[static_cast<std::size_t>(item.value)];
    }
    if (nan == number) nan = made_at(step_.made_by_sum(index));
    for (const ResultPlan& r : plan_.adders[static_cast<std::size_t>(node.adder)].results) nan = through(nan, r);
    return nan;
  }

  int at(const NanPlace& place) const {
    switch (place.of) {
      case NanPlace::Of::a: return operand(step_.a(place.index));
      case NanPlace::Of::b: return operand(step_.b(place.index));
      case NanPlace::Of::value: return values_[static_cast<std::size_t>(place.index)];
    }
    return number;
  }

  bool is_signalling(int nan) const {
    return nan >= 0 && step_.is_operand(nan) && held_[static_cast<std::size_t>(nan)] == Held::signalling;
  }

  int taken(int left) const {
    const std::vector<NanPlace>& places = plan_.take->places;
    int first = number;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (first != number && places[i].run != places[i - 1].run) break;
      const int nan = at(places[i]);
      if (nan == number) continue;
      if (plan_.take->signalling_first && is_signalling(nan)) return nan;
      if (first == number) first = nan;
    }
    return first == number ? left : first;
  }

  const Step& step_;
  const Plan& plan_;
  const std::vector<Held>& held_;
  std::vector<int> values_;
};

// Calls `see` with every choice of up to `left` origins from `first` on that hold or make NaNs; false once it says so.
template <class See>
bool each(const Step& step, std::vector<Held>& held, int first, int left, const See& see) {
  if (!see()) return false;
  if (left == 0) return true;
  for (int origin = first; origin < step.origins(); ++origin) {
    if (!step.may_be_nan(origin)) continue;
    Held& here = held[static_cast<std::size_t>(origin)];
    for (const Held nan : {Held::quiet, Held::signalling}) {
      if (nan == Held::signalling && !step.is_operand(origin)) continue;
      here = nan;
      if (!each(step, held, origin + 1, left - 1, see)) return false;
    }
    here = Held::number;
  }
  return true;
}

bool keeps_nans(const std::optional<ResultPlan>& result) {
  return !result || result->words.nan == OfNan::keep || result->words.nan == OfNan::positive;
}

bool can_be_told(const Plan& plan) {
  const bool keeps =
      keeps_nans(plan.product_round) && std::all_of(plan.adders.begin(), plan.adders.end(), [](const AdderPlan& a) {
        return std::all_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) { return keeps_nans(r); });
      });
  return keeps && !plan.in_pieces() && plan.datapath.specials == Specials::operation && plan.step_terms <= most_terms &&
         !plan.changes_numbers() && plan.scales == 0 && plan.finish.empty() && plan.lanes == 1;
}

}  // namespace

bool chooses_alike(const Plan& x, const Plan& y) {
  if (!can_be_told(x) || !can_be_told(y) || x.step_terms != y.step_terms) return false;
  if (x.circuit.step.sums.size() != y.circuit.step.sums.size() || x.nan.code != y.nan.code) return false;
  const Step of_x{x}, of_y{y};
  std::vector<Held> held(static_cast<std::size_t>(of_x.origins()), Held::number);
  return each(of_x, held, 0, most_nans, [&] { return Choice(of_x, held).of_step() == Choice(of_y, held).of_step(); });
}

}  // namespace assay
