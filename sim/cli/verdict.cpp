#include "sim/cli/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/config/digest.hpp"
#include "sim/cli/progress.hpp"
#include "tb/browser/verdict_page.hpp"
#include "tb/run/comparison_text.hpp"
#include "tb/run/waivers_file.hpp"
#include "tb/score/report.hpp"
#include "tb/scoreboard/junit.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay {
namespace {

constexpr int most_batches = 32;  // of cases with what stands at every place, in memory at once

JunitCase junit_case(const Finding& f) {
  const JunitOutcome outcome = f.status == passed     ? JunitOutcome::passed
                               : f.status == mismatch ? JunitOutcome::failed
                                                      : JunitOutcome::error;
  return {f.devices, f.subject, f.seconds, outcome, f.message, f.text};
}

}  // namespace

void NanOption::add(Command command) {
  command.add_option("--nan", rule, "bits: a NaN equals itself alone; any: every NaN equals every other")
      .one_of({"bits", "any"});
}

NanRule NanOption::rule_for(const Subject& subject) const {
  if (!rule.empty()) return rule == "bits" ? NanRule::bits : NanRule::any;
  return nan_rule_of(subject);
}

void VerdictOptions::add(Command command) {
  add_number(command, "--max-failures", max_failures, {0, 1'000'000},
             "How many failures to show whole, errors alike once; all are counted")
      .shows_default();
  nan.add(command);
  command.add_flag("--json", json, "The verdict as JSON");
  command.add_option("--junit", junit, "Writes the verdict as JUnit XML too, to this file");
  command.add_option("--html", html, "Writes the verdict as a page too, to this file (docs/browser.md)");
  command.add_flag("--score", quality.score,
                   "Says, too, which mutants of the datapath these cases kill (docs/score.md)");
  command.add_flag("--coverage", quality.coverage,
                   "Says, too, what these cases exercise of the datapath (docs/coverage.md)");
  command.add_option("--waivers", waivers, "A YAML file of mismatches that somebody has accepted (docs/rtl.md)");
  threads.add(command);
}

RunOptions VerdictOptions::run_options(const Subject& subject, Explained explained, const Catalogue& catalogue) const {
  RunOptions options;
  options.catalogue = &catalogue;
  options.nan = nan.rule_for(subject);
  options.max_failures = max_failures;
  options.explained = explained;
  options.threads = std::min(threads.count(), most_batches);
  if (!waivers.empty()) options.waivers = read_waivers(waivers);
  return options;
}

CaseQuality VerdictOptions::asked_quality(const Subject& subject) const {
  return {subject.plan, nan.rule_for(subject), quality, threads.count()};
}

Comparison watched(const CaseSource& cases, RunOptions options, CaseQuality& quality, const Console& console,
                   const std::function<Comparison(const RunOptions&)>& run) {
  Progress progress(console, cases.total());
  options.progress = [&](std::uint64_t read) { progress.at(read); };
  options.seen = [&](const std::vector<Case>& seen) { quality.see(seen); };
  Comparison found = run(options);
  if (quality.score() != nullptr) quality.score()->exhaust();
  return found;
}

std::vector<DeviceFact> sheet_facts(const std::vector<std::string>& devices, const Subject& subject,
                                    const std::string& vectors, const CaseQuality& quality, const Catalogue& catalogue,
                                    const Console& console, const std::string& wave) {
  std::vector<DeviceFact> facts;
  for (const std::string& device : devices) {
    const std::string own_wave = &device == &devices.front() ? wave : "";
    for (DeviceFact& fact : device_facts(device, subject, catalogue, console.err, own_wave))
      facts.push_back(std::move(fact));
  }
  facts.emplace_back("vectors", vectors);
  for (auto& fact : quality_facts(quality)) facts.push_back(std::move(fact));
  facts.emplace_back("assay", fmt::format("{}, catalogue {}", ASSAY_VERSION, catalogue_sha256(catalogue)));
  return facts;
}

Finding show_finding(const Comparison& found, const Subject& subject, const CaseQuality& quality,
                     const std::vector<DeviceFact>& facts, const VerdictOptions& options, const Console& console) {
  const Summary summary = found.scoreboard.summary();
  const ScoreTitle title{subject.name, subject.option, counted(found.cases, "case"), {}, {}, {}};
  const std::string qualities = quality_text(title, quality);
  if (!options.json) console.out << comparison_text(found, console.colour) << qualities;
  nlohmann::json json = comparison_json(found);
  add_quality(title, quality, json);
  json["summary"]["status"] = exit_status(summary.ending());
  return {found.subject,
          found.devices,
          found.seconds,
          exit_status(summary.ending()),
          summary.compared,
          summary.failures(),
          std::string(conclusion(summary)),
          why_not_passed(found),
          comparison_text(found) + qualities,
          options.html.empty() ? "" : browser::verdict_part(found, subject, quality, facts),
          json};
}

Finding not_compared(const std::string& subject, const std::string& message, int status, const Console& console) {
  console.err << "assay: " << message << "\n";
  Finding f;
  f.subject = f.devices = subject;
  f.status = status;
  f.conclusion = "not compared";
  f.message = message;
  f.html = browser::not_compared_part(subject, message);
  f.json = {{"error", message}, {"status", status}};
  return f;
}

int worst(const std::vector<Finding>& findings) {
  for (const int status : {cannot_here, wrong_use, mismatch, nothing_compared}) {
    const auto has_it = [&](const Finding& f) { return f.status == status; };
    if (std::any_of(findings.begin(), findings.end(), has_it)) return status;
  }
  return passed;
}

std::string findings_table(const std::string& what, const std::vector<std::string>& names,
                           const std::vector<Finding>& findings) {
  std::string text = fmt::format("\n{:>12}  {:>8}  {:16}  {}\n", "compared", "faults", "conclusion", what);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Finding& f = findings[i];
    text += fmt::format("{:>12}  {:>8}  {:16}  {}\n", f.compared, f.faults, f.conclusion, names[i]);
  }
  return text;
}

void write_junit(const VerdictOptions& options, const std::string& command, const std::vector<Finding>& findings) {
  if (options.junit.empty()) return;
  std::vector<JunitCase> cases;
  for (const Finding& f : findings) cases.push_back(junit_case(f));
  write_whole_file(options.junit, junit_text("assay " + command, cases));
}

void write_page(const VerdictOptions& options, const std::string& command, const std::vector<Finding>& findings) {
  if (options.html.empty()) return;
  std::vector<std::string> parts;
  for (const Finding& f : findings) parts.push_back(f.html);
  const std::string title = findings.size() == 1 ? findings.front().subject + ": " + findings.front().conclusion
                                                 : fmt::format("{} comparisons", findings.size());
  write_whole_file(options.html, browser::verdict_page(fmt::format("assay {}: {}", command, title), parts));
}

void show_json(const nlohmann::json& json, const Console& console) {
  console.out << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace assay
