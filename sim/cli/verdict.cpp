#include "sim/cli/verdict.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "tb/scoreboard/report.hpp"

namespace assay {

void VerdictOptions::add(CLI::App& command) {
  command.add_option("--max-failures", max_failures, "How many failures to show whole")->capture_default_str();
  command.add_option("--nan", nan, "bits: a NaN equals itself alone; any: every NaN equals every other")
      ->check(CLI::IsMember({"bits", "any"}));
  command.add_flag("--json", json, "The verdict as JSON");
}

NanRule VerdictOptions::nan_rule(const Subject& subject) const {
  if (!nan.empty()) return nan == "bits" ? NanRule::bits : NanRule::any;
  switch (subject.header.nan) {
    case NanPolicy::bits: return NanRule::bits;
    case NanPolicy::any: return NanRule::any;
    case NanPolicy::unset: break;
  }
  return subject.plan.nan.propagate ? NanRule::any : NanRule::bits;
}

int show_verdict(const VerdictTitle& title, const Scoreboard& scoreboard, const Console& console) {
  const ReportOptions report{title.repro, console.colour};
  if (title.options.json) {
    nlohmann::json j = report_json(scoreboard, report);
    j["subject"] = title.subject;
    j["devices"] = title.devices;
    console.out << j.dump(1) << "\n";
  } else {
    console.out << title.subject << ": " << title.devices << "\n" << report_text(scoreboard, report);
    console.out << fmt::format("{:.0f} cases a second\n", title.rate);
  }
  return scoreboard.summary().status();
}

}  // namespace assay
