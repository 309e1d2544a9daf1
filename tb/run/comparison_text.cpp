#include "tb/run/comparison_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/base/json_version.hpp"
#include "tb/devices/host/finding.hpp"
#include "tb/guarantee/summary.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay {
namespace {

ReportOptions report_of(const Comparison& found, bool colour) {
  return {found.repro, colour, found.nothing, found.others_count};
}

std::string counted(std::uint64_t count, const char* one, const char* more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

}  // namespace

std::string comparison_text(const Comparison& found, bool colour) {
  std::string text =
      fmt::format("{}: {}\n{}", found.subject, found.devices, report_text(found.scoreboard, report_of(found, colour)));
  for (const std::string& line : found.explanation) text += line + "\n";
  return text + fmt::format("{} a second\n",
                            counted(static_cast<std::uint64_t>(found.cases_a_second() + 0.5), "case", "cases"));
}

nlohmann::json comparison_json(const Comparison& found) {
  nlohmann::json json = report_json(found.scoreboard, report_of(found, false));
  json["json_version"] = json_version;
  if (const auto known = guarantee::summary(found.scoreboard.plan())) json["guarantee"] = summary_json(*known);
  json["subject"] = found.subject;
  json["devices"] = found.devices;
  json["cases_per_second"] = found.cases_a_second();
  if (const std::string why = why_not_passed(found); !why.empty()) json["message"] = why;
  if (!found.explanation.empty()) json["explanation"] = found.explanation;
  return json;
}

void add_host_units(nlohmann::json& report, const std::vector<std::string>& devices) {
  const auto units = host_units_json(devices);
  if (!units.empty()) report["host_units"] = units;
}

std::string why_not_passed(const Comparison& found) {
  const Summary s = found.scoreboard.summary();
  if (s.failures() != 0) {
    return fmt::format("{} in {}.", counted(s.failures(), "fault", "faults"),
                       counted(s.compared, "compared case", "compared cases"));
  }
  return s.compared == 0 ? "Nothing was compared: " + found.nothing + "." : "";
}

}  // namespace assay
