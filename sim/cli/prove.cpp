// assay prove: whether RTL does what the model does, or other RTL, for all operands.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <ostream>

#include "sim/cli/device_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/threads_option.hpp"
#include "sim/cli/verdict.hpp"
#include "tb/prove/proving.hpp"
#include "tb/prove/report.hpp"

namespace assay {
namespace {

struct Options {
  std::string file;
  std::string reference = "model";
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

class Proving {
 public:
  Proving(const Options& options, const Console& console)
      : options_(options), console_(console), unit_(unit_named(options)) {
    proof_options_ = options.proof;
    proof_options_.threads = options.threads.count();
    proof_options_.keep = !options.anew;
  }

  int run() {
    nlohmann::json all = nlohmann::json::array();
    int status = passed;
    for (const Subject& subject : subjects_for(options_.subject, "rtl:" + unit_.unit.dut.file, catalogue_, console_)) {
      const Proof proof = proved(subject);
      const ProofTitle title{"rtl:" + options_.file, subject.name, subject.option, subject.header.datapath_sha256,
                             options_.reference};
      if (options_.json)
        all.push_back(proof_json(title, subject.plan, proof));
      else
        console_.out << proof_text(title, subject.plan, proof) << std::flush;
      status = worse(status, status_of(proof));
    }
    if (options_.json) show_json({{"proofs", all}, {"status", status}}, console_);
    return status;
  }

 private:
  static ProvedUnit unit_named(const Options& options) {
    if (!is_proofs_reference(options.reference))
      throw Error{fmt::format("--reference {}: {}", options.reference, what_a_proofs_reference_is)};
    return unit_to_prove("rtl:" + options.file, options.reference);
  }

  // Most proofs end long before their time does.
  Proof proved(const Subject& subject) {
    Progress progress(console_, static_cast<std::uint64_t>(proof_options_.seconds), "seconds at most");
    std::mutex mutex;
    proof_options_.at = [&](double seconds) {
      const std::lock_guard<std::mutex> lock(mutex);
      progress.at(static_cast<std::uint64_t>(seconds));
    };
    return prove(unit_, subject, catalogue_, proof_options_, &console_.err);
  }

  const Options& options_;
  const Console& console_;
  const Catalogue catalogue_ = shipped_catalogue();
  ProvedUnit unit_;
  ProofOptions proof_options_;
};

}  // namespace

void add_prove(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand(
      "prove", "Proves that RTL does what the model does, or other RTL, or shows operands where not.");
  command.footer(
      "Exit status: 0 proved for all operands; 1 refuted; 2 wrong use; 3 open; 4 no proof takes such a unit.\n\n"
      "Example:  assay prove configs/dut/fused_f25_f16.yaml --seconds 60");
  command.add_option("DUT", options->file, "The DUT file; FILE#PORT=HEX holds a constant of it at another value")
      .required();
  command
      .add_option("--reference", options->reference, "What the unit is held to: model, or another unit as rtl:DUT.yaml")
      .shows_default();
  options->subject.add(command);
  add_number(command, "--seconds", options->proof.seconds, {1, 1'000'000}, "How long engines may try, all together");
  options->threads.add(command);
  add_number(command, "--cases", options->proof.cases, {1, 1'000'000'000}, "Cases that are tried before");
  command.add_flag("--anew", options->anew, "Takes nothing from earlier runs and keeps nothing");
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console, &status] { status = Proving(*options, console).run(); });
}

}  // namespace assay
