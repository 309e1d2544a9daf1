// What machines of a spec cost as gates, with energies on the spec's own operands: of so many units as give its
// throughput.
#pragma once

#include "tb/design/spec.hpp"
#include "tb/design/trials.hpp"
#include "tb/gates/clocked.hpp"

namespace assay::design {

class GateCosts {
 public:
  // Throws Error where the library cannot be read and an energy is wanted.
  GateCosts(const Spec& spec, const Trials& trials, Synthesis synthesis);

  // Throw Error as those of tb/gates do.
  CostAnswer cost(const Machine& machine) const;        // all that is wanted
  CostAnswer plain_cost(const Machine& machine) const;  // what every synthesis says
  Pipelined clocked(const Machine& machine) const;
  FpgaCost fpga(const Machine& machine, const FpgaFamily& family) const;
  FpgaCost placed(const Machine& machine, const FpgaFamily& family) const;  // with the clock, where it can be placed

 private:
  CostAnswer cost_of_one(const Machine& machine) const;
  double energy(const Machine& machine, const std::string& netlist) const;
  Pipelined clocked_one(const Machine& machine) const;

  const Spec& spec_;
  const Trials& trials_;
  Synthesis synthesis_;
  CellLibrary library_;
};

// Dot products of the machine's unit as a product of that input and shape does them: element after element, each along
// K with the sum so far as c, of whole elements as far as `most` go and one at least.
std::vector<GateCase> gate_cases(const Machine& machine, const Workload& workload, std::size_t most);

}  // namespace assay::design
