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

class Sum : public sc_core::sc_module {
 public:
  // What one sum of an adder has of its own: its first place, the window's; a term of k that it sums, for an adder
  // that takes scales; and the first random word of its results.
  struct Own {
    int place = 0;
    int term = 0;
    int first_draw = 0;
  };

  Sum(const sc_core::sc_module_name& name, const Context& context, const Own& own, const AdderPlan& adder,
      const std::vector<Item>& items, Out<Scales>& scales);

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
