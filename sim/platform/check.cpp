#include "sim/platform/check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/platform/header_plan.hpp"
#include "sim/platform/platform.hpp"
#include "sim/program/ending.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/generate/generator.hpp"
#include "tb/scoreboard/report.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

// What the cases are of, and where they come from.
class Cases {
 public:
  explicit Cases(const CheckOptions& options) : options_(options) {
    const Catalogue catalogue = shipped_catalogue();
    if (!options.file.empty()) {
      reader_.emplace(options.file);
      const VectorHeader& header = reader_->header();
      name_ = options.file;
      plan_ = plan_of_header(header, options.file, catalogue);
      shape_ = case_shape(plan_, header.pad);
    } else if (!options.datapath.empty()) {
      name_ = options.datapath;
      plan_ = plan_of(read_datapath_file(options.datapath, catalogue));
    } else {
      const Instruction& instruction = catalogue.instruction(options.instruction);
      name_ = instruction.full_name();
      plan_ = catalogue.plan_of(instruction);
    }
    if (!reader_) generator_.emplace(plan_, options.seed);
  }
  Cases(const Cases&) = delete;  // the generator refers to the plan
  Cases& operator=(const Cases&) = delete;

  const Plan& plan() const { return plan_; }
  const std::string& name() const { return name_; }

  NanRule nan_rule() const {
    switch (reader_ ? reader_->header().nan : NanPolicy::unset) {
      case NanPolicy::bits: return NanRule::bits;
      case NanPolicy::any: return NanRule::any;
      case NanPolicy::unset: break;
    }
    return usual_nan_rule(plan_);
  }

  // The next few; none at the end.
  std::vector<Case> next() {
    std::vector<Case> some;
    for (Case one; some.size() < Platform::most_cases && next(one);) some.push_back(one);
    return some;
  }

  std::string repro(const Case& c) const {
    std::string command = "assay-systemc ";
    if (!options_.file.empty())
      command += options_.file;
    else if (!options_.datapath.empty())
      command += "--datapath " + options_.datapath;
    else
      command += "--instruction " + name_;
    if (options_.file.empty()) command += " --seed " + std::to_string(options_.seed);
    return command + " --case " + std::to_string(c.number);
  }

 private:
  bool next(Case& one) {
    if (reader_) {
      while (reader_->next(shape_, one)) {
        if (!options_.only || *options_.only == one.number) return true;
      }
      return false;
    }
    if (made_ == (options_.only ? 1 : options_.cases)) return false;
    one = generator_->make(options_.only.value_or(0) + made_++);
    return true;
  }

  const CheckOptions& options_;
  std::optional<VectorReader> reader_;
  std::string name_;
  Plan plan_;
  CaseShape shape_;
  std::optional<Generator> generator_;
  std::uint64_t made_ = 0;
};

// The core's answers, with traces where each case takes one instruction; where a file recorded d, that one counts.
std::vector<Answer> references(Device& core, const Plan& plan, const std::vector<Case>& cases) {
  const bool all_short = std::all_of(cases.begin(), cases.end(),
                                     [&](const Case& c) { return c.a.size() == static_cast<std::size_t>(plan.k); });
  std::vector<Answer> answers = all_short ? core.run(cases, true) : run_chained(core, plan, cases);
  for (std::size_t i = 0; i < cases.size(); ++i) answers[i].d = cases[i].d.value_or(answers[i].d);
  return answers;
}

void show(const CheckOptions& options, const Cases& cases, const Scoreboard& scoreboard) {
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const ReportOptions report{[&](const Case& c) { return cases.repro(c); }, colour};
  const char* engine = options.unit.engine == bus::Engine::core ? "core" : "modules";
  const std::string devices = fmt::format("the unit on a bus, over the {}, held to model", engine);
  if (options.json) {
    nlohmann::json j = report_json(scoreboard, report);
    j["summary"]["status"] = exit_status(scoreboard.summary().ending());
    j["subject"] = cases.name();
    j["devices"] = devices;
    std::cout << j.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return;
  }
  std::cout << cases.name() << ": " << devices << "\n" << report_text(scoreboard, report);
  std::cout << "simulated time: " << sc_core::sc_time_stamp() << "\n";
}

}  // namespace

int check(const CheckOptions& options) {
  Cases cases(options);
  if (const auto reason = bus::why_not_built({cases.plan()}, options.unit)) throw Error{*reason, Ending::not_here};
  std::optional<Waveform> waveform;
  if (!options.wave.empty()) waveform.emplace(options.wave, cases.plan());
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(options.quantum_ns, sc_core::SC_NS));
  Platform platform(cases.plan(), options.unit, waveform ? &*waveform : nullptr);
  const auto core = model_device(cases.plan());
  Scoreboard scoreboard(cases.plan(), cases.nan_rule(), 3);
  for (auto some = cases.next(); !some.empty(); some = cases.next()) {
    scoreboard.check_all(some, references(*core, cases.plan(), some), platform.run(some));
  }
  if (waveform && !waveform->close()) {
    throw Error{"The waveform " + options.wave + " could not be written in full; is the disk full?"};
  }
  show(options, cases, scoreboard);
  return exit_status(scoreboard.summary().ending());
}

}  // namespace assay
