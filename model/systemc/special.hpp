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

  // `instance`: the step, counting those of all lanes. `place` is not used where steps decide nothing.
  SpecialDetector(const sc_core::sc_module_name& name, const Context& context, int place, int instance);

 private:
  void work() override;
  const int place_;
  const int step_;          // of its lane
  const int* const order_;  // of the plan: the step's products, plan.step_terms of them
};

}  // namespace assay::systemc
