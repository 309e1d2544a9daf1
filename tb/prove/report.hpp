// What a proof found, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tb/prove/prove.hpp"

namespace assay {

struct ProofTitle {
  std::string unit;     // "rtl:dut.yaml"
  std::string subject;  // "hopper:wgmma..", or a datapath file
  std::string option;   // how a command line says so
};

std::string proof_text(const ProofTitle& title, const Plan& plan, const Proof& proof);
nlohmann::json proof_json(const ProofTitle& title, const Plan& plan, const Proof& proof);
// "proved for all 2^160 operands at 12 places and d": a line for a sheet to sign.
std::string proof_line(const Proof& proof);

}  // namespace assay
