// Stage scale: numbers times the two scales of the block that each belongs to.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class BlockScaler : public StageModule {
 public:
  In<Numbers> numbers{"numbers", *this};
  In<Scales> scales{"scales", *this};
  Out<Numbers> scaled{"scaled", *this};

  // `blocks`: of each number.
  BlockScaler(const sc_core::sc_module_name& name, const Context& context, int place, std::vector<int> blocks);

 private:
  void work() override;

  const int place_;
  const std::vector<int> blocks_;
};

}  // namespace assay::systemc
