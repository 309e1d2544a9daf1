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
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].d) {
      answers[i].d = *cases[i].d;
    } else {
      answers[i].error = "This case has no recorded d.";
    }
  }
  return answers;
}

// Which datapath would give what was recorded is a question to the model alone, and about single dot products.
void note(const Options& options, const std::vector<Case>& cases, const std::vector<Answer>& given,
          const Scoreboard& scoreboard, Nearest& nearest) {
  if (options.device != "model") return;
  for (std::size_t i = 0; i < std::min(cases.size(), given.size()); ++i) {
    const Case& c = cases[i];
    if (c.element || !c.d || !given[i].ok()) continue;
    nearest.see(c, *c.d, scoreboard.same_d(*c.d, given[i].d));
  }
}

Finding check_file(const Options& options, const std::string& file, const Catalogue& catalogue,
                   const Console& console) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(catalogue, reader.header(), file);
  warn(subject.warning, console);
  const std::unique_ptr<Device> device = open_device(options.device, subject, catalogue, console);
  Scoreboard scoreboard = options.verdict.scoreboard(subject);
  Nearest nearest(subject.plan);
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  Progress progress(console, reader.header().cases.value_or(0));
  std::uint64_t read = 0, done = 0;

  const auto left_out = [&](const Case& c) {
    return (options.one && c.number != *options.one) || !is_element(c, options.element);
  };
  for (std::vector<Case> cases; reader.next(shape, batch, cases);) {
    progress.at(read += cases.size());
    cases.erase(std::remove_if(cases.begin(), cases.end(), left_out), cases.end());
    const std::vector<Answer> given = run_chained(*device, subject.plan, cases);
    scoreboard.check_all(cases, recorded(cases), given);
    note(options, cases, given, scoreboard, nearest);
    done += cases.size();
  }
  scoreboard.complain(device->close());
  const auto repro = [&](const Case& failed) {
    const std::string other = options.device == "model" ? "" : " --device " + shell_word(options.device);
    return fmt::format("assay check {}{} {}", shell_word(file), other, case_options(failed));
  };
  return show_finding({subject.name, fmt::format("{} held to {}", device->name(), reader.file()), done,
                       progress.seconds(), repro, explanation_lines(nearest)},
                      scoreboard, options.verdict, console);
}

// A file that cannot be held to anything. The others are checked all the same.
Finding unreadable(const std::string& file, const std::string& message, int status, const Console& console) {
  console.err << "assay: " << message << "\n";
  Finding f;
  f.subject = f.devices = file;
  f.status = status;
  f.conclusion = "unreadable";
  f.message = message;
  f.json = {{"error", message}, {"status", status}};
  return f;
}

Finding check_any(const Options& options, const std::string& file, const Catalogue& catalogue, const Console& console) {
  try {
    return check_file(options, file, catalogue, console);
  } catch (const ConfigError& e) {
    return unreadable(file, e.message, wrong_use, console);
  } catch (const VectorError& e) {
    return unreadable(file, e.message, wrong_use, console);
  } catch (const DeviceError& e) {
    return unreadable(file, e.message, e.status, console);
  }
}

// The worst first: a file that could not be checked, a mismatch, nothing compared.
int worst(const std::vector<Finding>& findings) {
  for (const int status : {cannot_here, wrong_use, mismatch, nothing_compared}) {
    const auto has_it = [&](const Finding& f) { return f.status == status; };
    if (std::any_of(findings.begin(), findings.end(), has_it)) return status;
  }
  return passed;
}

std::string table(const std::vector<std::string>& files, const std::vector<Finding>& findings) {
  std::string text = fmt::format("\n{:>12}  {:>8}  {:16}  file\n", "compared", "faults", "conclusion");
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Finding& f = findings[i];
    text += fmt::format("{:>12}  {:>8}  {:16}  {}\n", f.compared, f.faults, f.conclusion, files[i]);
  }
  return text;
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
    console.out << table(options.files, findings);
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
