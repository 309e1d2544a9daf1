// Stage scale: numbers times the scales of the blocks that each belongs to.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

// Which scales: the pair of the block, and others by their place in Plan::more.
struct ActingScales {
  bool pair = false;
  std::vector<int> others;
};

class BlockScaler : public StageModule {
 public:
  In<Numbers> numbers{"numbers", *this};
  In<Scales> scales{"scales", *this};
  Out<Numbers> scaled{"scaled", *this};

  // `terms`: of each number, one of k in whose blocks it lies.
  BlockScaler(const sc_core::sc_module_name& name, const Context& context, int place, ActingScales by,
              std::vector<int> terms);

 private:
  void work() override;

  const int place_;
  const ActingScales by_;
  const std::vector<int> terms_;
};

}  // namespace assay::systemc
