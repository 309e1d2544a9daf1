// Stages encode and flags: the result as its stored bits, and what stands beside it.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class Encoder : public StageModule {
 public:
  In<Numbers> number{"number", *this};
  Out<Code> d{"d", *this};

  Encoder(const sc_core::sc_module_name& name, const Context& context, int place);

 private:
  void work() override;
  void publish_flags(unsigned raised);

  const int place_;
};

}  // namespace assay::systemc
