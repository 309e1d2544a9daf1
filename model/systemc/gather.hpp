// The wiring before a sum: its items, from wherever they come, side by side.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

// A number that is gathered: a line of an output, and how it enters a sum where it does.
struct Item {
  Out<Numbers>* from = nullptr;
  int line = 0;
  const Input* words = nullptr;
  bool negate = false;
};

// One line of one of the outputs that feed a gatherer.
struct Tap {
  int feeder = 0;  // in the order in which they were connected
  int line = 0;
  bool negate = false;
};

// The outputs from which they come, each once, and of each item its line in them.
std::vector<Out<Numbers>*> feeders(const std::vector<Item>& items);
std::vector<Tap> taps(const std::vector<Item>& items);

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
