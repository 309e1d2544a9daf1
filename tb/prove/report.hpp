// What a proof found, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tb/prove/prove.hpp"
#include "tb/subject/subject.hpp"

namespace assay {

struct ProofTitle {
  std::string unit;     // "rtl:dut.yaml"
  std::string subject;  // "hopper:wgmma..", or a datapath file
  std::string option;   // how a command line says so
  std::string datapath_sha256 = {};
  std::string reference = "model";  // or another unit
};

std::string proof_text(const ProofTitle& title, const Plan& plan, const Proof& proof);
nlohmann::json proof_json(const ProofTitle& title, const Plan& plan, const Proof& proof);
// "proved: for all 2^160 operands d is the model's, and so are the bits at the 12 places it shows".
std::string proof_line(const Proof& proof);

// The conclusion that a file of `assay prove --json` has of this unit, for a sheet to sign: of the same gates, datapath
// and constants. `device`: "rtl:dut.yaml#mode=1". Throws Error where it has none. `progress`: as netlist_of() has it.
std::string proof_in_file(const std::string& file, const std::string& device, const Subject& subject,
                          std::ostream* progress);

}  // namespace assay
