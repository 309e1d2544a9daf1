#include "sim/cli/verdict.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

#include "sim/cli/waivers_file.hpp"
#include "sim/program/number_option.hpp"
#include "tb/scoreboard/junit.hpp"
#include "tb/scoreboard/report.hpp"
#include "tb/vectors/output_file.hpp"

namespace assay {
namespace {

std::string message_of(const Summary& s) {
  switch (s.status()) {
    case passed: return "";
    case mismatch:
      return fmt::format("{} {} in {} compared cases.", s.failures(), s.failures() == 1 ? "fault" : "faults",
                         s.compared);
    default: return "Nothing was compared.";
  }
}

JunitCase junit_case(const Finding& f) {
  const JunitOutcome outcome = f.status == passed     ? JunitOutcome::passed
                               : f.status == mismatch ? JunitOutcome::failed
                                                      : JunitOutcome::error;
  return {f.devices, f.subject, f.seconds, outcome, f.message, f.text};
}

}  // namespace

void NanOption::add(CLI::App& command) {
  command.add_option("--nan", rule, "bits: a NaN equals itself alone; any: every NaN equals every other")
      ->check(CLI::IsMember({"bits", "any"}));
}

NanRule NanOption::rule_for(const Subject& subject) const {
  if (!rule.empty()) return rule == "bits" ? NanRule::bits : NanRule::any;
  switch (subject.header.nan) {
    case NanPolicy::bits: return NanRule::bits;
    case NanPolicy::any: return NanRule::any;
    case NanPolicy::unset: break;
  }
  return usual_nan_rule(subject.plan);
}

void VerdictOptions::add(CLI::App& command) {
  add_number(command, "--max-failures", max_failures, {0, 1'000'000},
             "How many failures to show whole; all are counted")
      ->capture_default_str();
  nan.add(command);
  command.add_flag("--json", json, "The verdict as JSON");
  command.add_option("--junit", junit, "Writes the verdict as JUnit XML too, to this file");
  command.add_option("--waivers", waivers, "A YAML file of mismatches that somebody answers for (docs/rtl.md)");
}

Scoreboard VerdictOptions::scoreboard(const Subject& subject) const {
  Scoreboard scoreboard(subject.plan, nan.rule_for(subject), max_failures);
  if (!waivers.empty()) scoreboard.waive(read_waivers(waivers));
  return scoreboard;
}

Finding show_finding(const VerdictTitle& title, const Scoreboard& scoreboard, const VerdictOptions& options,
                     const Console& console) {
  const Summary summary = scoreboard.summary();
  const double rate = static_cast<double>(title.cases) / title.seconds;
  const auto text = [&](bool colour) {
    std::string lines;
    for (const std::string& line : title.explanation) lines += line + "\n";
    return fmt::format("{}: {}\n{}{}{:.0f} cases a second\n", title.subject, title.devices,
                       report_text(scoreboard, {title.repro, colour}), lines, rate);
  };
  Finding f{title.subject,
            title.devices,
            title.seconds,
            summary.status(),
            summary.compared,
            summary.failures(),
            std::string(conclusion(summary)),
            message_of(summary),
            text(false),
            report_json(scoreboard, {title.repro, false})};
  f.json["subject"] = title.subject;
  f.json["devices"] = title.devices;
  f.json["cases_per_second"] = rate;
  if (!title.explanation.empty()) f.json["explanation"] = title.explanation;
  if (!options.json) console.out << text(console.colour);
  return f;
}

void write_junit(const VerdictOptions& options, const std::string& command, const std::vector<Finding>& findings) {
  if (options.junit.empty()) return;
  std::vector<JunitCase> cases;
  for (const Finding& f : findings) cases.push_back(junit_case(f));
  write_whole_file(options.junit, junit_text("assay " + command, cases));
}

void show_json(const nlohmann::json& json, const Console& console) {
  console.out << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace assay
