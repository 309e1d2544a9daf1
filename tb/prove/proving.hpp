// A proof by names: a unit as a device names it, and what it is held to.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "tb/devices/rtl/claims.hpp"
#include "tb/prove/prove.hpp"

namespace assay {

struct ProvedUnit {
  NamedUnit unit;
  std::optional<NamedUnit> reference;  // none: the model
};

// Whether a proof can hold a unit to it: "model", or another unit, "rtl:dut.yaml". What it has to be, as a sentence.
bool is_proofs_reference(const std::string& name);
constexpr const char* what_a_proofs_reference_is = "a proof holds a unit to model, or to another unit as rtl:DUT.yaml.";

// Throws Error where `device` names no RTL, or `reference` is none.
ProvedUnit unit_to_prove(const std::string& device, const std::string& reference);

// Throws Error where the unit, or the reference, does not claim the subject.
Proof prove(const ProvedUnit& unit, const Subject& subject, const Catalogue& catalogue, const ProofOptions& options,
            std::ostream* progress);

}  // namespace assay
