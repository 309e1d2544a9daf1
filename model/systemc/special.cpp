#include "model/systemc/special.hpp"

#include <algorithm>

#include "model/core/multiply.hpp"

namespace assay::systemc {
namespace {

bool any_takes_scales(const std::vector<AdderPlan>& adders) {
  return std::any_of(adders.begin(), adders.end(), [](const AdderPlan& adder) { return adder.times_scales; });
}

}  // namespace

SpecialDetector::SpecialDetector(const sc_core::sc_module_name& name, const Context& context, int place,
                                 const int* order)
    : StageModule(name, context),
      place_(place),
      order_(order, order + context.plan.step_terms),
      step_decides_(context.plan.datapath.specials == Specials::step),
      scales_decide_(any_takes_scales(context.plan.adders)) {}

void SpecialDetector::work() {
  const Numbers all = products.take();
  const Number start = acc.take()[0];
  const Scales factors = scales.take();
  Decision made;
  if (step_decides_) {
    const Special special = step_special(all, start, factors);
    if (special.decides()) made = {true, special.decision()};
    publish(place_, [bits = outcome(special)](TraceWriter& trace) { trace.put(u128{bits}); });
  }
  std::vector<Number> seen;
  seen.reserve(order_.size());
  for (const int i : order_) seen.push_back(term(all[static_cast<std::size_t>(i)]));
  terms.give(Numbers(std::move(seen)));
  addend.give(Numbers({!step_decides_ || start.is_finite() ? start : Number::zero()}));
  decision.give(made);
}

// Products too large to stay finite come last: they count only where nothing else decides.
Special SpecialDetector::step_special(const Numbers& all, const Number& start, const Scales& factors) const {
  Special special;
  for (const int i : order_) special.see(all[static_cast<std::size_t>(i)]);
  special.see(start);
  if (scales_decide_) see_scales(factors, special);
  const std::optional<int>& infinity_at = plan().datapath.product.infinity_at;
  if (special.decides() || !infinity_at) return special;
  for (const int i : order_) {
    const Number& product = all[static_cast<std::size_t>(i)];
    if (reaches(product, *infinity_at)) special.see(Number::infinity(product.negative));
  }
  return special;
}

void SpecialDetector::see_scales(const Scales& factors, Special& special) const {
  for (const int i : order_) {
    const auto block = static_cast<std::size_t>(i / plan().scale_block);
    special.see(factors.a[block]);
    special.see(factors.b[block]);
  }
}

// Special values that the step has decided on take no part in its sums.
Number SpecialDetector::term(const Number& product) const {
  const std::optional<int>& infinity_at = plan().datapath.product.infinity_at;
  const bool infinite = infinity_at && reaches(product, *infinity_at);
  if (step_decides_) return product.is_finite() && !infinite ? product : Number::zero();
  return infinite ? Number::infinity(product.negative) : product;
}

}  // namespace assay::systemc
