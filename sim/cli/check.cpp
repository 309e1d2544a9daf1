// assay check: recorded d against a device.

#include <ostream>

#include "sim/cli/case_option.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/run/recorded_run.hpp"

namespace assay {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string device = "model";
  std::optional<std::uint64_t> one;
  std::vector<int> element;
  VerdictOptions verdict;
};

// Which datapath would give what was recorded is a question to the model alone.
Finding check_file(const Options& options, const std::string& file, const Catalogue& catalogue,
                   const Console& console) {
  RecordedRun recording(catalogue, file, {options.one, options.element});
  const Subject& subject = recording.subject();
  warn(subject.warning, console);
  auto device = open_device(options.device, subject, catalogue, console.err);
  const Explained explained = options.device == "model" ? Explained::reference : Explained::nobody;
  CaseQuality quality = options.verdict.asked_quality(subject);
  const Comparison found =
      watched(recording.cases(), options.verdict.run_options(subject, explained, catalogue), quality, console,
              [&](const RunOptions& run) { return recording.held_to(options.device, std::move(device), run); });
  std::vector<DeviceFact> facts;
  if (!options.verdict.html.empty()) facts = sheet_facts({options.device}, subject, file, quality, catalogue, console);
  return show_finding(found, subject, quality, facts, options.verdict, console);
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
  write_page(options.verdict, "check", findings);
  return status;
}

}  // namespace

void add_check(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("check", "Holds the recorded d of vector files against a device.");
  command.footer("Example:  assay check vectors.jsonl --device rtl:configs/dut/fused_f25_f16.yaml");
  command.add_option("FILE", options->files, "Vector files; - is standard input").required();
  command.add_option("--device", options->device, device_forms()).shows_default();
  add_number(command, "--case", options->one, {}, "Only this case of each file");
  add_element_option(command, options->element);
  options->verdict.add(command);
  command.callback([options, &console, &status] { status = check(*options, console); });
}

}  // namespace assay
