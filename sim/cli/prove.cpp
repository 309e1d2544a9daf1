// assay prove: whether RTL does what the model does, for all operands.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <ostream>

#include "sim/cli/device_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/threads_option.hpp"
#include "sim/cli/verdict.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/prove/report.hpp"

namespace assay {
namespace {

struct Options {
  std::string file;
  SubjectOptions subject;
  ProofOptions proof;
  ThreadsOption threads;
  bool anew = false;
  bool json = false;
};

int status_of(const Proof& proof) {
  switch (proof.unit) {
    case ProofAnswer::proved: return passed;
    case ProofAnswer::refuted: return mismatch;
    case ProofAnswer::open: return nothing_compared;
  }
  return nothing_compared;
}

// Of several claims: refuted, else open, else proved.
int worse(int x, int y) {
  if (x == mismatch || y == mismatch) return mismatch;
  return std::max(x, y);
}

// Most proofs end long before their time does.
Proof proved(const Dut& dut, const Claim& claim, const Plan& plan, ProofOptions options, const Console& console) {
  Progress progress(console, static_cast<std::uint64_t>(options.seconds), "seconds at most");
  std::mutex mutex;
  options.at = [&](double seconds) {
    const std::lock_guard<std::mutex> lock(mutex);
    progress.at(static_cast<std::uint64_t>(seconds));
  };
  return prove(dut, claim, plan, options, &console.err);
}

int run(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const std::string device = "rtl:" + options.file;
  const HeldDut held = held_dut(options.file, device);
  Dut dut = read_dut_file(held.file);
  ProofOptions proof_options = options.proof;
  proof_options.threads = options.threads.count();
  proof_options.keep = !options.anew;
  nlohmann::json all = nlohmann::json::array();
  int status = passed;
  for (const Subject& subject : subjects_for(options.subject, "rtl:" + held.file, catalogue, console)) {
    Claim claim = claim_of(dut, subject, catalogue);
    claim.constants.insert(claim.constants.end(), held.held.begin(), held.held.end());
    const Proof proof = proved(dut, claim, subject.plan, proof_options, console);
    const ProofTitle title{device, subject.name, subject.option, subject.header.datapath_sha256};
    if (options.json)
      all.push_back(proof_json(title, subject.plan, proof));
    else
      console.out << proof_text(title, subject.plan, proof) << std::flush;
    status = worse(status, status_of(proof));
  }
  if (options.json) show_json({{"proofs", all}, {"status", status}}, console);
  return status;
}

}  // namespace

void add_prove(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("prove", "Proves that RTL does what the model does, or shows operands where not.");
  command.footer(
      "Exit status: 0 proved for all operands; 1 refuted; 3 open.\n\n"
      "Example:  assay prove configs/dut/fused_f25_f16.yaml --seconds 60");
  command.add_option("DUT", options->file, "The DUT file; FILE#PORT=HEX holds a constant of it at another value")
      .required();
  options->subject.add(command);
  add_number(command, "--seconds", options->proof.seconds, {1, 1'000'000}, "How long engines may try, all together");
  options->threads.add(command);
  add_number(command, "--cases", options->proof.cases, {1, 1'000'000'000}, "Cases that are tried before");
  command.add_flag("--anew", options->anew, "Takes nothing from earlier runs and keeps nothing");
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console, &status] { status = run(*options, console); });
}

}  // namespace assay
