#include "tb/design/gate_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/core/dot.hpp"
#include "tb/devices/rtl/cache.hpp"

namespace assay::design {
namespace {

constexpr std::size_t most_dots = 1024;    // of an input and a shape, whose changes are counted
constexpr std::size_t checked_dots = 256;  // that a unit with registers is held to

GateCase one_case(const Machine& machine, const Workload& w, int i, int j, int from) {
  const Plan& plan = machine.plan;
  GateCase one;
  for (int t = 0; t < plan.k; ++t) {
    one.a.push_back(w.a.view().get(i, from + t));
    one.b.push_back(w.b.view().get(j, from + t));
  }
  for (int t = 0; t < plan.scales; ++t) {
    one.scale_a.push_back(w.scale_a.view().get(i, block_of(plan, from, t)));
    one.scale_b.push_back(w.scale_b.view().get(j, block_of(plan, from, t)));
  }
  return one;
}

int times(int count, double units) { return static_cast<int>(std::lround(count * units)); }

// So many units side by side. Each is as deep and as slow as one.
Cost times(Cost cost, double units) {
  cost.cells = times(cost.cells, units);
  cost.tables = times(cost.tables, units);
  for (double* each : {&cost.area, &cost.energy, &cost.clocked_area}) *each *= units;
  return cost;
}

CostAnswer times(CostAnswer answer, double units) {
  if (answer.cost) answer.cost = times(*answer.cost, units);
  return answer;
}

// The smaller one of those that meet the period.
const ClockedCost* smallest_in_time(const Pipelined& clocked, double period) {
  const ClockedCost* smallest = nullptr;
  for (const auto* each : {&clocked.at_stages, &clocked.retimed}) {
    if (!*each || (*each)->period > period) continue;
    if (smallest == nullptr || (*each)->area < smallest->area) smallest = &**each;
  }
  return smallest;
}

}  // namespace

std::vector<GateCase> gate_cases(const Machine& machine, const Workload& workload, std::size_t most) {
  const Plan& plan = machine.plan;
  Registers registers;
  std::vector<GateCase> cases;
  const auto of_element = static_cast<std::size_t>(workload.shape.k / plan.k);
  for (int i = 0; i < workload.shape.m; ++i) {
    for (int j = 0; j < workload.shape.n; ++j) {
      if (!cases.empty() && cases.size() + of_element > most) return cases;
      Code acc = workload.c.view().get(i, j);
      for (int from = 0; from < workload.shape.k; from += plan.k) {
        GateCase one = one_case(machine, workload, i, j, from);
        one.c = acc;
        one.d = dot(plan, {one.a.data(), one.b.data(), one.c, one.scale_a.data(), one.scale_b.data()}, registers);
        acc = one.d;
        cases.push_back(std::move(one));
      }
    }
  }
  return cases;
}

GateCosts::GateCosts(const Spec& spec, const Trials& trials, Synthesis synthesis)
    : spec_(spec), trials_(trials), synthesis_(std::move(synthesis)) {
  if (spec.wants(CostKind::energy)) library_ = read_liberty(file_text(synthesis_.library), synthesis_.library);
}

CostAnswer GateCosts::cost(const Machine& machine) const {
  return times(cost_of_one(machine), spec_.units(machine.plan));
}

CostAnswer GateCosts::plain_cost(const Machine& machine) const {
  return times(cost_of(machine.plan, synthesis_), spec_.units(machine.plan));
}

CostAnswer GateCosts::cost_of_one(const Machine& machine) const {
  const bool needs_energy = spec_.wants(CostKind::energy);
  CostAnswer answer = cost_of(machine.plan, synthesis_, needs_energy ? NetlistFile::kept : NetlistFile::dropped);
  if (!answer.cost) return answer;
  if (needs_energy) answer.cost->energy = energy(machine, answer.netlist);
  if (spec_.wants(CostKind::tables))
    answer.cost->tables = fpga_cost(machine.plan, spec_.fpga.front(), synthesis_).tables;
  if (!spec_.wants(CostKind::clocked_area)) return answer;
  const Pipelined clocked = clocked_one(machine);
  const ClockedCost* smallest = smallest_in_time(clocked, *spec_.clock);
  if (smallest == nullptr)
    return {std::nullopt,
            fmt::format("No registers were found with which it takes operands every {:g} ns.", *spec_.clock)};
  answer.cost->clocked_area = smallest->area;
  return answer;
}

double GateCosts::energy(const Machine& machine, const std::string& netlist) const {
  const MappedUnit unit = read_mapped(file_text(netlist), library_);
  double greatest = 0;
  for (std::size_t input = 0; input < spec_.study.inputs.size(); ++input) {
    for (std::size_t shape = 0; shape < spec_.study.shapes.size(); ++shape) {
      const std::vector<GateCase> cases = gate_cases(machine, trials_.workload(machine, input, shape, 0), most_dots);
      greatest = std::max(greatest, energy_of(machine.plan, unit, library_.volts, cases));
    }
  }
  return greatest;
}

Pipelined GateCosts::clocked_one(const Machine& machine) const {
  return clocked_at(machine.plan, *spec_.clock, synthesis_,
                    gate_cases(machine, trials_.workload(machine, 0, 0, 0), checked_dots));
}

Pipelined GateCosts::clocked(const Machine& machine) const {
  const double units = spec_.units(machine.plan);
  Pipelined found = clocked_one(machine);
  for (auto* each : {&found.at_stages, &found.retimed}) {
    if (!*each) continue;
    (*each)->registers = times((*each)->registers, units);
    (*each)->area *= units;
  }
  return found;
}

FpgaCost GateCosts::fpga(const Machine& machine, const FpgaFamily& family) const {
  const double units = spec_.units(machine.plan);
  const FpgaCost one = fpga_cost(machine.plan, family, synthesis_);
  return {times(one.tables, units), times(one.carries, units), times(one.multipliers, units)};
}

FpgaCost GateCosts::placed(const Machine& machine, const FpgaFamily& family) const {
  FpgaCost cost = fpga(machine, family);
  if (const auto placer = placer_version(family)) cost.placed = placed_clock(machine.plan, family, *placer, synthesis_);
  return cost;
}

}  // namespace assay::design
