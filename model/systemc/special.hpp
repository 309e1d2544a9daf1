// Stage special: what NaNs and infinities among the terms of a step decide, and the terms as its adders see them.
#pragma once

#include "model/core/special.hpp"
#include "model/systemc/stage.hpp"

namespace assay::systemc {

class SpecialDetector : public StageModule {
 public:
  In<Numbers> products{"products", *this};  // plan.products()
  In<Numbers> acc{"acc", *this};
  In<Scales> scales{"scales", *this};
  Out<Numbers> terms{"terms", *this};    // plan.step_terms, in the order of the step
  Out<Numbers> addend{"addend", *this};  // acc
  Out<Decision> decision{"decision", *this};

  // `order`: the step's products, plan.step_terms of them. `place` is not used where steps decide nothing.
  SpecialDetector(const sc_core::sc_module_name& name, const Context& context, int place, const int* order);

 private:
  void work() override;
  const int place_;
  const int* const order_;  // of the plan
};

}  // namespace assay::systemc
