// One sum: the modules window, align, reduce(, scale)(, round) around one list of items.
#pragma once

#include <memory>
#include <optional>

#include "model/systemc/align.hpp"
#include "model/systemc/gather.hpp"
#include "model/systemc/reduce.hpp"
#include "model/systemc/round.hpp"
#include "model/systemc/scale.hpp"
#include "model/systemc/window.hpp"
#include "model/systemc/wires.hpp"

namespace assay::systemc {

// A number that a sum adds: a line of an output, and how it enters.
struct Item {
  Out<Numbers>* from = nullptr;
  int line = 0;
  const Input* words = nullptr;
};

class Sum : public sc_core::sc_module {
 public:
  // `place` is its first, the window's. `scales` and `block` are those of its terms, for an adder that takes scales.
  Sum(const sc_core::sc_module_name& name, const Context& context, int place, const AdderPlan& adder,
      const std::vector<Item>& items, Out<Scales>& scales, int block);

  Out<Numbers>& result() { return *result_; }

 private:
  void feed(const std::vector<Item>& items);

  Wires wires_;
  Gatherer gather_;
  MaxExponent window_;
  AlignmentShifter align_;
  AdderTree reduce_;
  std::unique_ptr<BlockScaler> scale_;
  std::unique_ptr<Normaliser> round_;
  Out<Numbers>* result_;
};

}  // namespace assay::systemc
