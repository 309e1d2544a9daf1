// Stage multiply: the exact products, one of each a and b or one of each pair of their slices.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class MultiplierArray : public StageModule {
 public:
  In<Numbers> a{"a", *this}, b{"b", *this};
  Out<Numbers> products{"products", *this};

  MultiplierArray(const sc_core::sc_module_name& name, const Context& context, int place);

 private:
  void work() override;

  const int place_;
};

}  // namespace assay::systemc
