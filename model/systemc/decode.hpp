// Stage decode: the stored bits of a case as numbers.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class OperandDecoder : public StageModule {
 public:
  In<Codes> codes{"codes", *this};
  Out<Numbers> a{"a", *this}, b{"b", *this};  // plan.k each
  Out<Numbers> c{"c", *this};                 // in the format that accumulates
  Out<Scales> scales{"scales", *this};        // plan.scales on each side

  using StageModule::StageModule;

 private:
  void work() override;
};

}  // namespace assay::systemc
