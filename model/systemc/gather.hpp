// The wiring before a sum: its items, from wherever they come, side by side.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

// One line of one of the outputs that feed a gatherer.
struct Tap {
  int feeder = 0;  // in the order in which they were connected
  int line = 0;
};

class Gatherer : public StageModule {
 public:
  In<Numbers> numbers{"numbers", *this};
  Out<Numbers> items{"items", *this};

  Gatherer(const sc_core::sc_module_name& name, const Context& context, std::vector<Tap> taps);

 private:
  void work() override;

  const std::vector<Tap> taps_;
};

}  // namespace assay::systemc
