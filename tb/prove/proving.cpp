#include "tb/prove/proving.hpp"

#include "model/base/text.hpp"

namespace assay {

bool is_proofs_reference(const std::string& name) { return name == "model" || starts_with(name, "rtl:"); }

ProvedUnit unit_to_prove(const std::string& device, const std::string& reference) {
  if (!is_proofs_reference(reference)) throw Error{reference + ": " + what_a_proofs_reference_is};
  ProvedUnit named{named_unit(device), std::nullopt};
  if (reference != "model") named.reference = named_unit(reference);
  return named;
}

Proof prove(const ProvedUnit& unit, const Subject& subject, const Catalogue& catalogue, const ProofOptions& options,
            std::ostream* progress) {
  const Claim claim = claim_of(unit.unit, subject, catalogue);
  if (!unit.reference) return prove(unit.unit.dut, claim, subject.plan, options, progress);
  const Claim expected = claim_of(*unit.reference, subject, catalogue);
  return prove_same({unit.unit.dut, claim}, {unit.reference->dut, expected}, subject.plan, options, progress);
}

}  // namespace assay
