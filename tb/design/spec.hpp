// A spec: what is fixed, what may vary, what must hold, and what is wanted small. docs/design.md explains each key.
#pragma once

#include "tb/design/condition.hpp"
#include "tb/design/limit.hpp"
#include "tb/explore/machine.hpp"
#include "tb/gates/fpga.hpp"

namespace assay::design {

// What a point costs: the unit as gates, by the names of tb/gates' Cost, and what software does beside it.
enum class CostKind { area, delay, depth, cells, energy, additions };
const std::vector<std::string_view>& cost_names();
inline bool is_of_gates(CostKind kind) { return kind != CostKind::additions; }

// Additions in f32 by software to one element of the longest sum, where it promotes or splits; 1 where there are none.
double software_additions(const Study& study, const Walk& walk);

struct Spec {
  Study study;  // its axes are what may vary
  std::vector<Condition> conditions;
  std::vector<DesignLimit> limits;
  std::string error;           // the measure that is traded against costs; empty: none, only limits count
  std::vector<CostKind> want;  // the first one decides which unit comes first
  // What is said besides of the units that are chosen.
  std::optional<double> clock;  // a period, nanoseconds
  std::vector<FpgaFamily> fpga;

  bool needs_gates() const;
  bool wants(CostKind kind) const;
  double cost(const Machine& machine, const Cost& cost, CostKind kind) const;
};

// Throws Error.
Spec read_spec(const std::string& path, const Catalogue& catalogue);

// The error of a row as a number that is small where it is good: 1 - correct, 10^(-dB/20), the size of a bias.
Estimate as_error(const std::string& measure, const Estimate& estimate);

}  // namespace assay::design
