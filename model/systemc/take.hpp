// Stage take: of several NaNs in a step, the one that it leaves.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class NanTaker : public StageModule {
 public:
  In<Numbers> places{"places", *this};  // of Plan::take, in order
  In<Numbers> sum{"sum", *this};
  Out<Numbers> taken{"taken", *this};

  using StageModule::StageModule;

 private:
  void work() override;
};

}  // namespace assay::systemc
