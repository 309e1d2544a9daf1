// Energies, registers and FPGAs of a spec's points, by yosys itself; the dot products they are counted on held to how a
// study walks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tb/design/gate_costs.hpp"
#include "tb/tests/design/make.hpp"

namespace assay::design {
namespace {

const std::string one_term = R"(design: one_term
title: One term
datapath: fused_f25
operands: {a: e2m1, b: e2m1, c: f32, d: f32}
k: 1
vary: [{name: acc, set: [adders.sum.add.acc.keep, adders.sum.add.product.keep], values: [4, 8]}]
inputs: [normal, {uniform: {times_a: 0.001}}]
shapes: [{m: 3, n: 5, k: 40}, {m: 2, n: 2, k: 8}]
seeds: 2
want: [energy, area]
clock: 3
fpga: [xilinx, ice40]
)";

struct Ready {
  explicit Ready(const std::string& text)
      : spec(spec_of(text)),
        space(space_of(spec, test_catalogue())),
        trials(spec.study, space.machines, "test", scratch / "run", 1),
        gates(spec, trials, find_synthesis()) {}

  const Machine& machine(std::size_t i) const { return *space.machines[i]; }

  Scratch scratch;
  Spec spec;
  Space space;
  Trials trials;
  GateCosts gates;
};

// The last of each element's is what a study measures of it, and each one's c is the d before.
TEST(GateCases, AreThoseOfTheStudysWalk) {
  const Ready ready(one_term);
  for (std::size_t shape = 0; shape < 2; ++shape) {
    const Workload workload = ready.trials.workload(ready.machine(1), 0, shape, 1);
    const std::vector<GateCase> cases = gate_cases(ready.machine(1), workload, 1 << 20);
    const std::vector<Code> elements = walked(ready.machine(1), workload, 1);
    const std::size_t along_k = static_cast<std::size_t>(workload.shape.k);
    ASSERT_EQ(cases.size(), elements.size() * along_k);
    for (std::size_t e = 0; e < elements.size(); ++e) {
      EXPECT_EQ(cases[(e + 1) * along_k - 1].d, elements[e]) << e;
      for (std::size_t i = 1; i < along_k; ++i) EXPECT_EQ(cases[e * along_k + i].c, cases[e * along_k + i - 1].d);
    }
    EXPECT_EQ(gate_cases(ready.machine(1), workload, 3 * along_k + 1).size(), 3 * along_k) << "whole elements";
    EXPECT_EQ(gate_cases(ready.machine(1), workload, 1).size(), along_k) << "one at least";
  }
}

TEST(GateCosts, TheEnergyIsThatOfTheInputThatTakesMost) {
  const Ready both(one_term);
  const std::size_t from = one_term.find(", {uniform"), to = one_term.find("]\nshapes");
  std::string quiet = one_term, lively = one_term;
  lively.erase(from, to - from);
  quiet.erase(one_term.find("normal"), std::string("normal, ").size());
  const double most = both.gates.cost(both.machine(1)).cost->energy;
  const Ready one(lively), other(quiet);
  EXPECT_EQ(one.gates.cost(one.machine(1)).cost->energy, most);
  EXPECT_LT(other.gates.cost(other.machine(1)).cost->energy, 0.9 * most) << "operands that never change";
  EXPECT_LT(both.gates.cost(both.machine(0)).cost->energy, most) << "fewer bits";
  EXPECT_GT(most, 1);
}

TEST(GateCosts, RegistersAndTablesCanBeWhatIsWanted) {
  const std::string text = substituted(one_term, "[energy, area]", "[clocked_area, tables]");
  const Ready ready(text);
  const Cost cost = *ready.gates.cost(ready.machine(0)).cost;
  const Pipelined clocked = ready.gates.clocked(ready.machine(0));
  double least = HUGE_VAL;
  for (const auto& one : {clocked.at_stages, clocked.retimed}) {
    if (one->period <= 3) least = std::min(least, one->area);
  }
  EXPECT_EQ(cost.clocked_area, least);
  EXPECT_GT(cost.clocked_area, cost.area);
  EXPECT_EQ(cost.tables, ready.gates.fpga(ready.machine(0), fpga_families().back()).tables);  // xilinx is named first
  EXPECT_NE(cost.tables, ready.gates.fpga(ready.machine(0), fpga_families().front()).tables);

  const Ready hasty(substituted(text, "clock: 3", "clock: 0.2"));
  const CostAnswer none = hasty.gates.cost(hasty.machine(0));
  EXPECT_FALSE(none.cost);
  EXPECT_EQ(none.no_cost, "No registers were found with which it takes operands every 0.2 ns.");
}

TEST(GateCosts, AreThoseOfAsManyUnitsAsTheThroughputAsksFor) {
  const Ready one(one_term), four(one_term + "throughput: 4\n");
  const Cost single = *one.gates.cost(one.machine(0)).cost, side_by_side = *four.gates.cost(four.machine(0)).cost;
  EXPECT_DOUBLE_EQ(side_by_side.area, 4 * single.area);
  EXPECT_DOUBLE_EQ(side_by_side.energy, 4 * single.energy);
  EXPECT_EQ(side_by_side.cells, 4 * single.cells);
  EXPECT_EQ(side_by_side.delay, single.delay);
  EXPECT_EQ(four.gates.clocked(four.machine(0)).retimed->registers,
            4 * one.gates.clocked(one.machine(0)).retimed->registers);
  EXPECT_EQ(four.gates.fpga(four.machine(0), fpga_families()[0]).tables,
            4 * one.gates.fpga(one.machine(0), fpga_families()[0]).tables);
}

TEST(GateCosts, OfAnEnergyThatNobodyWantsThereIsNone) {
  std::string text = one_term;
  text.replace(text.find("[energy, area]"), 14, "area");
  const Ready ready(text);
  EXPECT_EQ(ready.gates.cost(ready.machine(0)).cost->energy, 0);
}

TEST(GateCosts, RegistersAndFpgasStandInTheAnswer) {
  const Ready ready(one_term);
  const Made made(one_term, exhausting(),
                  [&](const Machine& machine, const std::string&) { return ready.gates.cost(machine); });
  DesignAnswer answer = made.answer;
  ASSERT_FALSE(answer.chosen.empty());
  for (Chosen& chosen : answer.chosen) {
    const Machine& machine = *made.space.machines[static_cast<std::size_t>(chosen.point)];
    chosen.clocked = ready.gates.clocked(machine);
    for (const FpgaFamily& family : made.spec.fpga) chosen.fpga.push_back(ready.gates.fpga(machine, family));
  }
  const std::string text = answer_text(made.spec, made.space, made.found, answer);
  EXPECT_NE(text.find("Operands every 3 ns, registers between stages, or moved by ABC:"), std::string::npos) << text;
  EXPECT_NE(text.find("xilinx: tables"), std::string::npos) << text;
  EXPECT_LT(text.find("xilinx: tables"), text.find("ice40: tables")) << text;
  EXPECT_NE(text.find("ice40: SB_LUT4, SB_CARRY, SB_MAC16"), std::string::npos) << text;
  EXPECT_NE(text.find("MHz: nextpnr-ice40 cannot be started, so that nothing was placed: install the package"),
            std::string::npos)
      << text;
  const auto json = nlohmann::json::parse(answer_json(made.spec, made.space, made.found, answer, "1"));
  const auto& first = json["front"][0];
  EXPECT_GT(first["cost"]["energy"], 0);
  EXPECT_EQ(first["clocked"]["asked"], 3);
  EXPECT_EQ(first["clocked"]["at_stages"]["cycles"], first["clocked"]["at_stages"]["after"].size() + 1);
  EXPECT_LE(first["clocked"]["retimed"]["period"], 3);
  EXPECT_GT(first["fpga"]["ice40"]["tables"], 20);
  const std::string csv = points_csv(made.spec, made.space, made.found);
  EXPECT_NE(csv.find(",delay,energy,predicted"), std::string::npos) << csv;
}

// The second of the spec's families is the one that is placed.
TEST(GateCosts, ClocksOfPlacedUnitsStandInTheAnswer) {
  const Made made(one_term, exhausting());
  DesignAnswer answer = made.answer;
  ASSERT_GT(answer.chosen.size(), 1U);
  for (Chosen& chosen : answer.chosen) {
    chosen.clocked.emplace();
    chosen.fpga = {{300, 20, 1, {}}, {500, 60, 0, PlacedClock{0, "It is too large."}}};
  }
  answer.chosen[0].fpga[1].placed = PlacedClock{17.25, ""};
  const std::string text = answer_text(made.spec, made.space, made.found, answer);
  EXPECT_NE(
      text.find("multipliers    MHz\n  1             300       20            1            500       60            0  "
                "17.25\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("MHz: one unit between registers, placed and routed by nextpnr-ice40 --hx8k"), std::string::npos)
      << text;
  EXPECT_NE(text.find("- It was not placed: It is too large.\n"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(answer_json(made.spec, made.space, made.found, answer, "1"));
  EXPECT_EQ(json["front"][0]["fpga"]["ice40"]["megahertz"], 17.25);
  EXPECT_EQ(json["front"][1]["fpga"]["ice40"]["not_placed"], "It is too large.");
  EXPECT_FALSE(json["front"][0]["fpga"]["xilinx"].contains("megahertz"));
}

}  // namespace
}  // namespace assay::design
