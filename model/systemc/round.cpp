#include "model/systemc/round.hpp"

#include <algorithm>

#include "model/core/factor.hpp"
#include "model/core/multiply.hpp"

namespace assay::systemc {

Normaliser::Normaliser(const sc_core::sc_module_name& name, const Context& context, int place,
                       const std::vector<ResultPlan>& results, int first_draw, bool normalise)
    : StageModule(name, context), place_(place), results_(results), first_draw_(first_draw), normalise_(normalise) {
  const bool draws =
      std::any_of(results.begin(), results.end(), [](const ResultPlan& r) { return is_stochastic(r.words.cut); });
  if (draws) random_ = std::make_unique<In<Scales>>("random", *this);
}

void Normaliser::work() {
  std::vector<Number> left;
  std::vector<Number> stages;  // what each result left of each number
  const Scales words = random_ ? random_->take() : Scales{};
  int draw = first_draw_;
  for (Number number : exact.take()) {
    if (normalise_) number = normalise_exponent(number);
    for (const ResultPlan& result : results_) {
      number = round_with(plan(), result, number, words.more.begin(), draw);
      draw += is_stochastic(result.words.cut) ? 1 : 0;
      stages.push_back(number);
    }
    left.push_back(number);
  }
  publish(place_, Numbers(std::move(stages)));
  rounded.give(Numbers(std::move(left)));
}

}  // namespace assay::systemc
