#include "model/systemc/round.hpp"

#include "model/core/multiply.hpp"
#include "model/core/round.hpp"

namespace assay::systemc {

Normaliser::Normaliser(const sc_core::sc_module_name& name, const Context& context, int place,
                       const std::vector<ResultPlan>& results, bool normalise)
    : StageModule(name, context), place_(place), results_(results), normalise_(normalise) {}

void Normaliser::work() {
  std::vector<Number> left;
  std::vector<Number> stages;  // what each result left of each number
  for (Number number : exact.take()) {
    if (normalise_) number = normalise_exponent(number);
    for (const ResultPlan& result : results_) {
      number = assay::round(number, result);
      stages.push_back(number);
    }
    left.push_back(number);
  }
  publish(place_, Numbers(std::move(stages)));
  rounded.give(Numbers(std::move(left)));
}

}  // namespace assay::systemc
