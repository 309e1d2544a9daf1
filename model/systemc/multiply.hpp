// Stage multiply: the k exact products.
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
