// Whether a unit does what the model does, or another unit, for all operands: at every place that it shows, and at d.
//
// Both are circuits over the same inputs, the bits of a case. Cases come first, and find most faults. Then what is
// equal in both is merged from the inputs up, until the bits of a place are the same gates on both sides. A stage is
// tried alone first, over a cut whose nodes are free but for what is proved of them: whatever is equal then is equal
// for all operands. Nothing is assumed of what stands before a place.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <vector>

#include "tb/prove/proof.hpp"
#include "tb/prove/unit_gates.hpp"

namespace assay {

struct ProofOptions {
  int seconds = 300;
  int threads = 2;
  std::uint64_t cases = 20000;                  // tried before anything is proved
  bool keep = true;                             // proofs by their content, for the next run
  std::function<void(double seconds)> at = {};  // hears how long it has lasted, now and then, from any thread
};

// d of cases as a simulator has them, to which a unit's gates are held first.
using Simulated = std::function<std::vector<Answer>(const std::vector<Case>&)>;

struct UnitToProve {
  const Dut& dut;
  const Claim& claim;
  Simulated simulated = {};  // may be empty
};
// Throws Error, also where the model's gates are not core's at some place of some case, or the unit's d is another one
// than the simulator's.
Proof prove(const UnitToProve& unit, const Plan& plan, const ProofOptions& options, std::ostream* progress);

// The same of a netlist that is there.
Proof prove(const UnitToProve& unit, const Plan& plan, const Netlist& netlist, const ProofOptions& options);

// A unit held to another one, at d and at the places that both show: the plan says what operands are, and no more.
Proof prove_same(const UnitToProve& unit, const UnitToProve& reference, const Plan& plan, const ProofOptions& options,
                 std::ostream* progress);

}  // namespace assay
