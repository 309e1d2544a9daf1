// A spec: what is fixed, what may vary, what must hold, and what is wanted small. docs/design.md explains each key.
#pragma once

#include "tb/design/condition.hpp"
#include "tb/design/limit.hpp"
#include "tb/explore/machine.hpp"
#include "tb/gates/fpga.hpp"

namespace assay::design {

// What a point costs: the unit as gates, by the names of tb/gates' Cost, and what software does beside it.
enum class CostKind { area, delay, depth, cells, energy, clocked_area, tables, additions };
const std::vector<std::string_view>& cost_names();
inline bool is_of_gates(CostKind kind) { return kind != CostKind::additions; }
// Another library of cells may say otherwise. What meets a period there is a question of its own.
inline bool is_of_library(CostKind kind) { return kind <= CostKind::energy; }
// Every synthesis says it.
inline bool is_always_said(CostKind kind) { return kind <= CostKind::cells; }

// Additions in f32 by software to one element of the longest sum, where it promotes or splits; 1 where there are none.
double software_additions(const Study& study, const Walk& walk);

struct Spec {
  Study study;  // its axes are what may vary
  std::vector<Condition> conditions;
  std::vector<DesignLimit> limits;
  std::string error;           // a measure or `bound`, traded against costs; empty: none, only limits count
  std::vector<CostKind> want;  // the first one decides which unit comes first
  int throughput = 0;          // terms an operation: so many units that they give them stand side by side; 0: one unit
  // Said of the units that are chosen, and of others where a cost of them is wanted.
  std::optional<double> clock;   // a period, nanoseconds
  std::vector<FpgaFamily> fpga;  // tables are those of the first

  bool needs_gates() const;
  bool wants(CostKind kind) const;
  bool trades_bounds() const { return error == "bound"; }
  // The first wanted cost on which libraries may disagree, as an index of `want`.
  std::optional<std::size_t> ranked() const;
  double units(const Plan& plan) const;
  double cost(const Machine& machine, const Cost& cost, CostKind kind) const;
};

inline constexpr std::size_t most_points = 20'000;
double combinations_of(const Study& study);

// Throws Error.
Spec read_spec(const std::string& path, const Catalogue& catalogue);

// The error of a row as a number that is small where it is good: 1 - correct, 10^(-dB/20), the size of a bias.
Estimate as_error(const std::string& measure, const Estimate& estimate);

}  // namespace assay::design
