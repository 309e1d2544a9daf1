#include "model/core/special.hpp"

#include "model/core/factor.hpp"
#include "model/core/multiply.hpp"
#include "model/core/plan.hpp"
#include "model/core/round.hpp"

namespace assay {
namespace {

bool is_decided_by_steps(const Plan& plan) { return plan.datapath.specials == Specials::step; }

void see_scales(const Plan& plan, const StepOperands& step, Special& special) {
  for (int i = 0; i < plan.step_terms; ++i) {
    const int block = plan.element_of(step.order[i]) / plan.scale_block;
    special.see(step.scales_a[block]);
    special.see(step.scales_b[block]);
  }
}

void see_scale(const Plan& plan, const CaseOperand& scale, const StepOperands& step, Special& special) {
  for (int i = 0; i < plan.step_terms; ++i) special.see(number_of(scale, step.more, plan.element_of(step.order[i])));
}

Number term(const Plan& plan, const Number& product) {
  const std::optional<int>& infinity_at = plan.datapath.product.infinity_at;
  const bool infinite = infinity_at && reaches(product, *infinity_at);
  if (is_decided_by_steps(plan)) return product.is_finite() && !infinite ? product : Number::zero();
  if (!infinite) return product;
  Number made = Number::infinity(product.negative);
  made.raised = product.raised;
  return made;
}

}  // namespace

// Products too large to stay finite come last: they count only where nothing else decides.
Special step_special(const Plan& plan, const StepOperands& step) {
  Special special;
  if (!is_decided_by_steps(plan)) return special;
  for (int i = 0; i < plan.step_terms; ++i) special.see(step.products[step.order[i]]);
  special.see(step.acc);
  for (const AdderPlan& adder : plan.adders) {
    if (adder.times_scales) see_scales(plan, step, special);
    for (const int scale : adder.scales) see_scale(plan, plan.more[static_cast<std::size_t>(scale)], step, special);
  }
  const std::optional<int>& infinity_at = plan.datapath.product.infinity_at;
  if (special.decides() || !infinity_at) return special;
  for (int i = 0; i < plan.step_terms; ++i) {
    const Number& product = step.products[step.order[i]];
    if (reaches(product, *infinity_at)) special.see(Number::infinity(product.negative));
  }
  return special;
}

Number step_decision(const Plan& plan, const Number& decision) {
  Number n = decision;
  for (const ResultPlan& result : plan.adders.back().results) n = round(n, result);
  return n;
}

void step_values(const Plan& plan, const StepOperands& step, Number* values) {
  for (int i = 0; i < plan.step_terms; ++i) values[i] = term(plan, step.products[step.order[i]]);
  values[plan.step_terms] = is_decided_by_steps(plan) && !step.acc.is_finite() ? Number::zero() : step.acc;
}

}  // namespace assay
