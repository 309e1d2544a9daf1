// What a unit costs that takes operands at every edge of a clock: registers between stages.
//
// Without stalls, valid bits or reset. Operands come out of registers and d goes into some; these are not counted,
// their time is: a stage has the period less what a register of the library takes.
#pragma once

#include <optional>

#include "tb/gates/cost.hpp"
#include "tb/gates/energy.hpp"

namespace assay {

struct ClockedCost {
  std::vector<std::string> after;  // the places that its registers stood behind before any was moved
  int registers = 0;               // of one bit
  double area = 0;                 // with the registers, square micrometres
  double period = 0;               // the shortest that it runs at, nanoseconds

  int cycles() const { return static_cast<int>(after.size()) + 1; }  // from operands to d
};

struct Pipelined {
  std::optional<ClockedCost> at_stages;  // registers between the model's stages, as few as meet the period
  std::optional<ClockedCost> retimed;    // as few ranks as meet the period once ABC has moved them
  std::string why_not;                   // why one of them lacks
};

// The shortest period is kept where none meets `period`. Throws Error as `cost_of` does, and where the registered cells
// do not give the model's d of the cases.
Pipelined clocked_at(const Plan& plan, double period, const Synthesis& synthesis, const std::vector<GateCase>& cases);

}  // namespace assay
