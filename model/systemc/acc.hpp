// Stage acc: what a step starts from, and what it leaves.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

// What the first step of every lane accumulates onto: c, zero or nothing.
class AccSelect : public StageModule {
 public:
  In<Numbers> c{"c", *this};
  Out<Numbers> start{"start", *this};

  using StageModule::StageModule;

 private:
  void work() override;
};

// The accumulator after a step: its sum, unless special values decided.
class Accumulator : public StageModule {
 public:
  In<Numbers> sum{"sum", *this};
  In<Decision> decision{"decision", *this};
  Out<Numbers> acc{"acc", *this};

  Accumulator(const sc_core::sc_module_name& name, const Context& context, int place);

 private:
  void work() override;

  const int place_;
};

}  // namespace assay::systemc
