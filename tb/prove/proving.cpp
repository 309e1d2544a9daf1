#include "tb/prove/proving.hpp"

#include <ostream>

#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "tb/devices/process.hpp"
#include "tb/devices/rtl/build.hpp"

namespace assay {

bool is_proofs_reference(const std::string& name) { return name == "model" || starts_with(name, "rtl:"); }

ProvedUnit unit_to_prove(const std::string& device, const std::string& reference) {
  if (!is_proofs_reference(reference)) throw Error{reference + ": " + what_a_proofs_reference_is};
  ProvedUnit named{named_unit(device), std::nullopt};
  if (reference != "model") named.reference = named_unit(reference);
  return named;
}

namespace {

// Verilator's program of the unit; nothing where there is no Verilator.
Simulated simulation_of(const NamedUnit& unit, const Claim& claim, const Subject& subject, std::ostream* progress) {
  try {
    std::vector<std::string> argv{build_rtl(unit.dut, claim, subject.plan, progress), "1"};
    for (const std::string& word : run_arguments(unit.dut, claim, argv.front())) argv.push_back(word);
    const std::shared_ptr<Device> device = process_device(subject.plan, subject.header, {argv, "rtl:" + unit.dut.file});
    return [device](const std::vector<Case>& cases) { return device->run(cases, false); };
  } catch (const Error& error) {
    if (said_by({"verilator", "--version"})) throw;
    if (progress != nullptr)
      *progress << unit.dut.file
                << ": what yosys reads is not held to a simulator, which cannot be had: " << error.message << std::endl;
    return {};
  }
}

}  // namespace

Proof prove(const ProvedUnit& unit, const Subject& subject, const Catalogue& catalogue, const ProofOptions& options,
            std::ostream* progress) {
  const Claim claim = claim_of(unit.unit, subject, catalogue);
  const auto simulated = [&](const NamedUnit& of, const Claim& its) {
    return simulation_of(of, its, subject, progress);
  };
  const UnitToProve proved{unit.unit.dut, claim, simulated(unit.unit, claim)};
  if (!unit.reference) return prove(proved, subject.plan, options, progress);
  const Claim expected = claim_of(*unit.reference, subject, catalogue);
  return prove_same(proved, {unit.reference->dut, expected, simulated(*unit.reference, expected)}, subject.plan,
                    options, progress);
}

}  // namespace assay
