// assay guarantee: what holds of a unit for all operands.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "tb/guarantee/property_report.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  std::vector<std::string> property_files;
  guarantee::SearchEffort effort;
  bool json = false;
};

std::vector<guarantee::Property> asked(const Options& options) {
  if (options.property_files.empty()) return guarantee::properties();
  std::vector<guarantee::Property> list;
  for (const std::string& file : options.property_files) {
    for (guarantee::Property& property : guarantee::read_properties_file(file)) list.push_back(std::move(property));
  }
  return list;
}

// Of the built-in properties, to fail is an answer; of the user's own it is a mismatch.
int guaranteed(const Options& options, const Console& console) {
  const Subject subject = options.subject.open(shipped_catalogue());
  warn(subject.warning, console);
  const std::vector<guarantee::Property> properties = asked(options);
  Progress progress(console, options.effort.cases);
  const std::vector<guarantee::PropertyFinding> findings = guarantee::property_findings(
      subject.plan, properties, options.effort, [&](std::uint64_t done) { progress.at(done); });
  if (options.json) {
    console.out << properties_json(subject, findings).dump(1) << "\n";
  } else {
    console.out << properties_text(subject, findings);
  }
  const auto fails = [](const guarantee::PropertyFinding& f) { return f.state == guarantee::HoldState::fails; };
  return !options.property_files.empty() && std::any_of(findings.begin(), findings.end(), fails) ? mismatch : passed;
}

}  // namespace

void add_guarantee(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("guarantee", "Says what holds of a unit for all operands, and on what it fails.");
  command->footer(
      "Example:  assay guarantee --instruction hopper:wgmma.m64nNk16.f32.f16.f16\n"
      "Exit status 1: a property of --property fails.");
  options->subject.add(*command);
  command->add_option("--property", options->property_files,
                      "A property of your own instead of the built-in ones (docs/guarantees.md); may be given again");
  command->add_option("--cases", options->effort.cases, "Cases that are tried where no argument settles a property")
      ->capture_default_str();
  command->add_option("--seed", options->effort.seed, "Of these cases")->capture_default_str();
  command->add_flag("--json", options->json, "The same as JSON");
  command->callback([options, &console, &status] { status = guaranteed(*options, console); });
}

}  // namespace assay
