// What stands behind the claims of the catalogue: the recorded sets of each instruction, held to the model now.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/evidence/captured.hpp"

namespace assay {

struct InstructionEvidence {
  std::string instruction, claim;  // "captured", as the catalogue says
  std::vector<CapturedSet> sets;
};

struct Evidence {
  std::vector<InstructionEvidence> instructions;  // in the catalogue's order

  bool all_pass() const;  // every case of every set
  bool all_held() const;  // every set has a case with a recorded d
};

// Of the wanted instructions: the shipped sets, and as external ones those in `folders`.
Evidence evidence_of(const Catalogue& catalogue, const Wanted& wanted, const std::vector<std::string>& folders,
                     const SetsHeard& heard = {});

std::string evidence_text(const Evidence& evidence);
nlohmann::ordered_json evidence_json(const Evidence& evidence);

}  // namespace assay
