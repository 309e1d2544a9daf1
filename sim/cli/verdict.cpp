#include "sim/cli/verdict.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

#include "model/base/output_file.hpp"
#include "sim/cli/waivers_file.hpp"
#include "sim/program/number_option.hpp"
#include "tb/scoreboard/junit.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay {
namespace {

std::string counted(std::uint64_t count, const char* one, const char* more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

std::string message_of(const Summary& s, const std::string& nothing) {
  if (s.ending() == Ending::passed) return "";
  if (s.ending() == Ending::nothing_compared) return "Nothing was compared: " + nothing + ".";
  return fmt::format("{} in {}.", counted(s.failures(), "fault", "faults"),
                     counted(s.compared, "compared case", "compared cases"));
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
  ReportOptions report{title.repro, false};
  if (!title.nothing.empty()) report.nothing = title.nothing;
  const double rate = static_cast<double>(title.cases) / title.seconds;
  const auto text = [&](bool colour) {
    report.colour = colour;
    std::string lines;
    for (const std::string& line : title.explanation) lines += line + "\n";
    return fmt::format("{}: {}\n{}{}{:.0f} cases a second\n", title.subject, title.devices,
                       report_text(scoreboard, report), lines, rate);
  };
  Finding f{title.subject,
            title.devices,
            title.seconds,
            exit_status(summary.ending()),
            summary.compared,
            summary.failures(),
            std::string(conclusion(summary)),
            message_of(summary, report.nothing),
            text(false),
            report_json(scoreboard, report)};
  f.json["summary"]["status"] = f.status;
  f.json["subject"] = title.subject;
  f.json["devices"] = title.devices;
  f.json["cases_per_second"] = rate;
  if (!f.message.empty()) f.json["message"] = f.message;
  if (!title.explanation.empty()) f.json["explanation"] = title.explanation;
  if (!options.json) console.out << text(console.colour);
  return f;
}

Finding not_compared(const std::string& subject, const std::string& message, int status, const Console& console) {
  console.err << "assay: " << message << "\n";
  Finding f;
  f.subject = f.devices = subject;
  f.status = status;
  f.conclusion = "not compared";
  f.message = message;
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

void show_json(const nlohmann::json& json, const Console& console) {
  console.out << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace assay
