// Single instructions along K of one element of D.
#pragma once

#include <vector>

#include "model/core/dot.hpp"
#include "tb/explore/machine.hpp"

namespace assay {

class AlongK {
 public:
  // By `plan`: the machine's, or one of the same operands and k.
  AlongK(const Machine& machine, const Plan& plan, const Workload& w, int row, int column)
      : machine_(machine), plan_(plan), w_(w), row_(row), column_(column) {}

  int instructions() const { return w_.shape.k / plan_.k; }

  // Instruction `i`, onto what the ones before left; where the walk begins a piece there, onto zero.
  void run(int i, Trace* trace);

  // Of the one that was run last.
  Operand operand() const { return {a_.data(), b_.data(), c_, scale_a_.data(), scale_b_.data()}; }
  Code d() const { return d_; }

 private:
  Code start(int k) const;

  const Machine& machine_;
  const Plan& plan_;
  const Workload& w_;
  int row_, column_;
  Code c_ = 0, d_ = 0;
  Registers registers_;
  std::vector<Code> a_, b_, scale_a_, scale_b_;
};

}  // namespace assay
