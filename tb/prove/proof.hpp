// What a proof says of a unit, held to the model or to another unit: an answer for each place that it shows, and for d.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

enum class ProofAnswer { proved, refuted, open };
const char* proof_answer_name(ProofAnswer answer);

// One place, or d.
struct PlaceProof {
  std::string name;
  int place = -1;  // of the plan; -1: d
  ProofAnswer answer = ProofAnswer::open;
  int inputs = 0;                 // bits of operands that it depends on, on either side
  std::string engines;            // what the answer rests on
  double seconds = 0;             // of a processor, spent on gates that no place before it has
  bool was_kept = false;          // proved by an earlier run, of the same gates
  std::optional<Case> one;        // refuted: operands for which the two differ ..
  std::string expected, got;      // .. and the bits of both
  bool by_open = false;           // .. and only with some of the values that the RTL leaves open
  std::string tried;              // open: how far it came
  std::set<std::string> under;    // what is always true, proved before it, under which its stage was proved alone
  std::set<std::string> lacking;  // open: what was to be always true and is not proved
  std::size_t bounds = 0;         // values that its stage's inputs never have, proved too
};

struct Proof {
  bool is_of_model = true;         // else the unit is held to another one
  std::vector<PlaceProof> places;  // d last
  ProofAnswer unit = ProofAnswer::open;
  double seconds = 0;
  std::size_t reference_gates = 0, unit_gates = 0, merged_gates = 0;
  std::size_t undecided = 0;    // candidates of the last pass that no engine decided
  std::uint64_t cases = 0;      // that were tried; of the model: in which its gates and core agreed at every place
  std::size_t hidden = 0;       // places of the plan that the unit, or what it is held to, does not show
  std::size_t input_bits = 0;   // of a case
  std::size_t open_values = 0;  // bits that the RTL leaves open, and that may be anything
  std::string clocked;          // how registers were read; empty where there are none
  std::string tagged;           // whether each d has its case's tag; empty where there are none
  std::string simulated;        // how the unit's gates were held to a simulator
  std::string netlist_sha256;   // of the unit's gates, as yosys wrote them
};

}  // namespace assay
