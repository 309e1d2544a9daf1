#include "model/systemc/factor.hpp"

#include "model/core/factor.hpp"

namespace assay::systemc {

FactorMaker::FactorMaker(const sc_core::sc_module_name& name, const Context& context, int place,
                         const FactorPlan& words, int first_draw)
    : StageModule(name, context), place_(place), words_(words), first_draw_(first_draw) {}

void FactorMaker::work() {
  const Numbers bare = elements.take();
  const Scales by = scales.take();
  std::vector<Number> made;
  made.reserve(bare.size());
  for (std::size_t i = 0; i < bare.size(); ++i)
    made.push_back(factor(plan(), words_, bare[i], by.more.begin(), static_cast<int>(i), first_draw_));
  const Numbers all(std::move(made));
  publish(place_, all);
  factors.give(all);
}

}  // namespace assay::systemc
