// Whether a unit does what the model does, for all operands: at every place that it shows, and at d.
//
// Both are circuits over the same inputs, the bits of a case. Cases come first, and find most faults. Then what is
// equal in both is merged from the inputs up, until the bits of a place are the same gates on both sides. A stage is
// tried alone first, over a cut whose nodes are free but for what is proved of them: whatever is equal then is equal
// for all operands. Nothing is assumed of what stands before a place.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/prove/unit_gates.hpp"

namespace assay {

enum class ProofAnswer { proved, refuted, open };
const char* proof_answer_name(ProofAnswer answer);

struct ProofOptions {
  int seconds = 300;
  int threads = 2;
  std::uint64_t cases = 20000;                  // tried before anything is proved
  bool keep = true;                             // proofs by their content, for the next run
  std::function<void(double seconds)> at = {};  // hears how long it has lasted, now and then, from any thread
};

// One place, or d.
struct PlaceProof {
  std::string name;
  int place = -1;  // of the plan; -1: d
  ProofAnswer answer = ProofAnswer::open;
  int inputs = 0;                 // bits of operands that it depends on, in the unit or in the model
  std::string engines;            // what the answer rests on
  double seconds = 0;             // spent on gates that no place before it has
  bool was_kept = false;          // proved by an earlier run, of the same gates
  std::optional<Case> one;        // refuted: operands for which the two differ ..
  std::string expected, got;      // .. and the bits of both
  std::string tried;              // open: how far it came
  std::set<std::string> under;    // what is always true, proved before it, under which its stage was proved alone
  std::set<std::string> lacking;  // open: what was to be always true and is not proved
  std::size_t bounds = 0;         // values that its stage's inputs never have, proved too
};

struct Proof {
  std::vector<PlaceProof> places;  // d last
  ProofAnswer unit = ProofAnswer::open;
  double seconds = 0;
  std::size_t model_gates = 0, unit_gates = 0, merged_gates = 0;
  std::size_t undecided = 0;   // candidates of the last pass that no engine decided
  std::uint64_t cases = 0;     // that were tried, in which the model's gates and core agreed at every place
  std::size_t hidden = 0;      // places of the plan that the unit does not show
  std::size_t input_bits = 0;  // of a case
  std::string clocked;         // how registers were read; empty where there are none
  std::string netlist_sha256;  // of the unit's gates, as yosys wrote them
};

// Throws Error, also where the model's gates are not core's at some place of some case.
Proof prove(const Dut& dut, const Claim& claim, const Plan& plan, const ProofOptions& options, std::ostream* progress);

// The same of a netlist that is there.
Proof prove(const Dut& dut, const Claim& claim, const Plan& plan, const Netlist& netlist, const ProofOptions& options);

}  // namespace assay
