// Stage gate: elements whose product is off are +0.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class ElementGate : public StageModule {
 public:
  In<Numbers> elements{"elements", *this};
  In<Scales> scales{"scales", *this};  // the mask among them
  Out<Numbers> gated{"gated", *this};

  using StageModule::StageModule;

 private:
  void work() override;
};

}  // namespace assay::systemc
