#include "sim/platform/check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/platform/platform.hpp"
#include "sim/program/ending.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/generate/generator.hpp"
#include "tb/run/comparison.hpp"
#include "tb/scoreboard/report.hpp"
#include "tb/subject/command_line.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

// `reader` is of the file, where there is one.
Subject subject_of(const CheckOptions& options, const VectorReader* reader, const Catalogue& catalogue) {
  if (reader == nullptr) {
    return options.datapath.empty() ? subject_of(catalogue, catalogue.instruction(options.instruction))
                                    : subject_of_file(catalogue, options.datapath);
  }
  Subject subject = subject_of_header(catalogue, reader->header(), options.file);
  subject.name = options.file;
  return subject;
}

// From the reader's file, where there is one; else from a generator.
class Cases : public CaseSource {
 public:
  Cases(const CheckOptions& options, VectorReader* reader, const Subject& subject)
      : options_(options), subject_(subject), reader_(reader) {
    if (reader == nullptr) {
      generator_.emplace(subject.plan, options.seed);
    } else {
      shape_ = case_shape(subject.plan, reader->header().pad);
    }
  }

  bool next(std::vector<Case>& into) override {
    into.clear();
    for (Case one; into.size() < Platform::most_cases && next(one);) into.push_back(one);
    read_ += into.size();
    for (const Case& one : into) recorded_ += one.d ? 1 : 0;
    return !into.empty();
  }
  std::uint64_t total() const override { return 0; }
  std::uint64_t read() const override { return read_; }
  std::string why_nothing() const override {
    if (reader_ == nullptr || read_ > 0) return ReportOptions{}.nothing;
    return reader_->file() + (options_.only ? fmt::format(" holds no case {}", *options_.only) : " holds no case");
  }

  // What d of the cases so far is held to, for the report.
  std::string held_to() const {
    if (recorded_ == 0) return "model";
    return "the d of " + reader_->file() + (recorded_ < read_ ? ", and to model where a case has none" : "");
  }

  std::string command(const RunNames&, const Case& c) const override {
    const std::string from =
        reader_ == nullptr ? fmt::format("{} --seed {}", subject_.option, options_.seed) : shell_word(options_.file);
    return fmt::format("assay-systemc {} --case {}", from, c.number);
  }

 private:
  bool next(Case& one) {
    if (reader_ != nullptr) {
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
  const Subject& subject_;
  VectorReader* reader_;  // or nullptr
  CaseShape shape_;
  std::optional<Generator> generator_;
  std::uint64_t made_ = 0, read_ = 0, recorded_ = 0;
};

// The core, with traces where each case takes one instruction; where a file recorded d, that one counts.
class Reference : public Device {
 public:
  Reference(const Plan& plan, const Cases& cases) : plan_(plan), cases_(cases), core_(model_device(plan)) {}

  std::string name() const override { return cases_.held_to(); }
  bool offers_trace() const override { return true; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    const bool all_short = std::all_of(cases.begin(), cases.end(),
                                       [&](const Case& c) { return c.a.size() == static_cast<std::size_t>(plan_.k); });
    std::vector<Answer> answers = all_short ? core_->run(cases, trace) : run_chained(*core_, plan_, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) answers[i].d = cases[i].d.value_or(answers[i].d);
    return answers;
  }

 private:
  const Plan& plan_;
  const Cases& cases_;
  std::unique_ptr<Device> core_;
};

class UnitOnABus : public Device {
 public:
  UnitOnABus(const Plan& plan, const bus::UnitOptions& options, Waveform* waveform)
      : name_(std::string("the unit on a bus, over the ") + (options.engine == bus::Engine::core ? "core" : "modules") +
              ","),
        platform_(plan, options, waveform) {}

  std::string name() const override { return name_; }
  bool offers_trace() const override { return true; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override { return platform_.run(cases); }

 private:
  std::string name_;
  Platform platform_;
};

void show(const CheckOptions& options, const Comparison& found) {
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const ReportOptions report{found.repro, colour, found.nothing};
  if (options.json) {
    nlohmann::json j = report_json(found.scoreboard, report);
    j["summary"]["status"] = exit_status(found.scoreboard.summary().ending());
    j["subject"] = found.subject;
    j["devices"] = found.devices;
    std::cout << j.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return;
  }
  std::cout << found.subject << ": " << found.devices << "\n" << report_text(found.scoreboard, report);
  std::cout << "simulated time: " << sc_core::sc_time_stamp() << "\n";
}

}  // namespace

int check(const CheckOptions& options) {
  const Catalogue catalogue = shipped_catalogue();
  std::optional<VectorReader> file;
  if (!options.file.empty()) file.emplace(options.file);
  VectorReader* const reader = file ? &*file : nullptr;
  const Subject subject = subject_of(options, reader, catalogue);
  if (const auto reason = bus::why_not_built({subject.plan}, options.unit)) throw Error{*reason, Ending::not_here};
  std::optional<Waveform> waveform;
  if (!options.wave.empty()) waveform.emplace(options.wave, subject.plan);
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(options.quantum_ns, sc_core::SC_NS));
  UnitOnABus unit(subject.plan, options.unit, waveform ? &*waveform : nullptr);
  Cases cases(options, reader, subject);
  Reference core(subject.plan, cases);
  RunOptions run;
  run.nan = nan_rule_of(subject);
  const Comparison found = compare(subject, {"model", core}, {"systemc", unit}, cases, run);
  if (waveform && !waveform->close()) {
    throw Error{"The waveform " + options.wave + " could not be written in full; is the disk full?"};
  }
  show(options, found);
  return exit_status(found.scoreboard.summary().ending());
}

}  // namespace assay
