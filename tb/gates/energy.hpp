// What a dot product costs in energy: how often each net of the synthesised cells changes, times what hangs on it.
//
// Charging and discharging the inputs of cells: C V^2 / 2 for each change from one settled state to the next. Nothing
// of what changes in between (glitches: how many there are hangs on delays and wires that nobody knows yet), of wires,
// of currents within cells, of leaking, of a clock.
#pragma once

#include <vector>

#include "model/core/plan.hpp"
#include "tb/gates/mapped.hpp"

namespace assay {

// What the unit is given, and what the model says of it.
struct GateCase {
  std::vector<Code> a, b, scale_a, scale_b;
  Code c = 0, d = 0;
};

// Of a dot product on average, picojoules, the cases in turn. Throws Error where the cells give another d than the
// model, or there are fewer than two cases.
double energy_of(const Plan& plan, const MappedUnit& unit, double volts, const std::vector<GateCase>& cases);

// Throws Error where the unit gives another d than the model once so many edges of its clock have passed.
void check_results(const Plan& plan, const MappedUnit& unit, const std::vector<GateCase>& cases, int edges);

}  // namespace assay
