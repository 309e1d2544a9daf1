// Stage factor: elements of a or b less their zero points, times their scales, rounded: what is multiplied.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class FactorMaker : public StageModule {
 public:
  In<Numbers> elements{"elements", *this};
  In<Scales> scales{"scales", *this};
  Out<Numbers> factors{"factors", *this};

  // `first_draw`: the random word of element 0.
  FactorMaker(const sc_core::sc_module_name& name, const Context& context, int place, const FactorPlan& words,
              int first_draw);

 private:
  void work() override;

  const int place_;
  const FactorPlan& words_;  // of the plan
  const int first_draw_;
};

}  // namespace assay::systemc
