// assay check: recorded d against a device.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

#include "sim/cli/case_option.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/explanation.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/chain.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::size_t batch = 1024;

struct Options {
  std::vector<std::string> files;
  std::string device = "model";
  std::optional<std::uint64_t> one;
  std::vector<int> element;
  VerdictOptions verdict;
};

std::vector<Answer> recorded(const std::vector<Case>& cases) {
  std::vector<Answer> answers(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) answers[i].d = *cases[i].d;
  return answers;
}

// Cases as a file holds them, less those that are not to be compared.
struct Taken {
  std::uint64_t read = 0, asked_for = 0, unrecorded = 0;

  std::vector<Case> of(std::vector<Case> cases, const Options& options) {
    const auto left_out = [&](const Case& c) {
      return (options.one && c.number != *options.one) || !is_element(c, options.element);
    };
    read += cases.size();
    cases.erase(std::remove_if(cases.begin(), cases.end(), left_out), cases.end());
    const std::size_t asked = cases.size();
    asked_for += asked;
    cases.erase(std::remove_if(cases.begin(), cases.end(), [](const Case& c) { return !c.d; }), cases.end());
    unrecorded += asked - cases.size();
    return cases;
  }

  std::string why_nothing(const Options& options, const std::string& file) const {
    if (read == 0) return file + " holds no case";
    if (asked_for == 0) return fmt::format("{} holds no {}", file, asked(options));
    const std::string cases = unrecorded == 1 ? "the one case" : fmt::format("none of the {} cases", unrecorded);
    return fmt::format("{} of {} has {} recorded d; `assay run` fills in d", cases, file, unrecorded == 1 ? "no" : "a");
  }

 private:
  static std::string asked(const Options& options) {
    const std::string one = options.one ? fmt::format("case {}", *options.one) : "case";
    if (options.element.empty()) return one;
    return fmt::format("{} with an element [{},{}]", one, options.element[0], options.element[1]);
  }
};

// Which datapath would give what was recorded is a question to the model alone, and about single dot products.
void note(const Options& options, const std::vector<Case>& cases, const std::vector<Verdict>& verdicts,
          Nearest& nearest) {
  if (options.device != "model") return;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const bool right = verdicts[i] == Verdict::equal;
    if (!cases[i].element && (right || verdicts[i] == Verdict::differs)) nearest.see(cases[i], *cases[i].d, right);
  }
}

Finding check_file(const Options& options, const std::string& file, const Catalogue& catalogue,
                   const Console& console) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(catalogue, reader.header(), file);
  warn(subject.warning, console);
  const std::unique_ptr<Device> device = open_device(options.device, subject, catalogue, console);
  Scoreboard scoreboard = options.verdict.scoreboard(subject);
  Nearest nearest(subject.plan, [&](Code x, Code y) { return scoreboard.same_d(x, y); });
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  Progress progress(console, reader.header().cases.value_or(0));
  Taken taken;
  std::uint64_t done = 0;

  for (std::vector<Case> cases; reader.next(shape, batch, cases);) {
    cases = taken.of(std::move(cases), options);
    progress.at(taken.read);
    const std::vector<Answer> given = run_chained(*device, subject.plan, cases);
    note(options, cases, scoreboard.check_all(cases, recorded(cases), given), nearest);
    done += cases.size();
  }
  scoreboard.leave_out_unrecorded(taken.unrecorded);
  scoreboard.complain(device->close());
  const auto repro = [&](const Case& failed) {
    const std::string other = options.device == "model" ? "" : " --device " + shell_word(options.device);
    return fmt::format("assay check {}{} {}", shell_word(file), other, case_options(failed));
  };
  return show_finding(
      {subject.name, fmt::format("{} held to {}", device->name(), reader.file()), done, progress.seconds(), repro,
       explanation_lines(nearest), taken.why_nothing(options, reader.file())},
      scoreboard, options.verdict, console);
}

// The other files are checked all the same.
Finding check_any(const Options& options, const std::string& file, const Catalogue& catalogue, const Console& console) {
  try {
    return check_file(options, file, catalogue, console);
  } catch (const Error& e) {
    return not_compared(file, e.message, exit_status(e.ending), console);
  }
}

int check(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<Finding> findings;
  for (const std::string& file : options.files) findings.push_back(check_any(options, file, catalogue, console));
  const int status = worst(findings);
  if (options.verdict.json) {
    nlohmann::json files = nlohmann::json::array();
    for (std::size_t i = 0; i < findings.size(); ++i) {
      files.push_back(findings[i].json);
      files.back()["file"] = options.files[i];
    }
    show_json({{"files", files}, {"status", status}}, console);
  } else if (findings.size() > 1) {
    console.out << findings_table("file", options.files, findings);
  }
  write_junit(options.verdict, "check", findings);
  return status;
}

}  // namespace

void add_check(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Holds the recorded d of vector files against a device.");
  command->footer("Example:  assay check vectors.jsonl --device rtl:configs/dut/fused_f25_f16.yaml");
  command->add_option("FILE", options->files, "Vector files; - is standard input")->required();
  command->add_option("--device", options->device, device_help)->capture_default_str();
  add_number(*command, "--case", options->one, {}, "Only this case of each file");
  add_element_option(*command, options->element);
  options->verdict.add(*command);
  command->callback([options, &console, &status] { status = check(*options, console); });
}

}  // namespace assay
