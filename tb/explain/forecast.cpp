#include "tb/explain/forecast.hpp"

#include <variant>

#include "model/core/dot.hpp"
#include "model/core/operand_codes.hpp"
#include "model/core/plain_sums.hpp"

namespace assay::explain {

EasedPlan eased_plan(const Easement& easement, int k) {
  std::variant<Plan, std::vector<Problem>> made = plan(easement.datapath, k);
  if (auto* good = std::get_if<Plan>(&made)) return {std::move(*good), ""};
  return {std::nullopt, std::get<std::vector<Problem>>(made).front().message};
}

std::vector<Forecast> forecasts_of(const ErrorSources& sources, const Case& one, const Budget& budget) {
  std::vector<Forecast> forecasts;
  if (!budget.none.empty()) return forecasts;
  const ExactSum exact = exact_sum(sources.plan(), one);
  for (std::size_t i = 0; i < sources.easements().size(); ++i) {
    if (sign(budget.parts.relieved[i]) == 0) continue;
    Forecast forecast{static_cast<int>(i), budget.error + budget.parts.relieved[i], std::nullopt, ""};
    EasedPlan eased = eased_plan(sources.easements()[i], sources.plan().k);
    forecast.refused = std::move(eased.refused);
    if (eased.plan) {
      Registers registers;
      forecast.measured = error_of(*eased.plan, exact, dot(*eased.plan, one.operand(), registers));
    }
    forecasts.push_back(std::move(forecast));
  }
  return forecasts;
}

Attribution attributed(std::shared_ptr<const Plan> plan, const Case& one, const Trace& trace) {
  if (!plan->more.empty() || !keeps_values(*plan)) {
    Attribution none;
    none.budget.none =
        "errors are not told apart where elements are scaled, rounded or less a zero point before they are "
        "multiplied, with scales of one side, a mask, or by chance";
    return none;
  }
  if (!adds_whole_products(*plan)) {
    Attribution none;
    none.budget.none =
        "errors are not told apart where products are made of slices or go on as rows, zero products have an exponent, "
        "NaNs are read as zeros, items are cut again, a window is raised or loses its sum, lost bits join a result, "
        "registers are full, or sums have errata";
    return none;
  }
  const ErrorSources sources(std::move(plan));
  Budget budget = budget_of(sources, one, trace);
  std::vector<Forecast> forecasts = forecasts_of(sources, one, budget);
  return {sources.all(), sources.easements(), std::move(budget), std::move(forecasts)};
}

}  // namespace assay::explain
