#include "sim/cli/sign_off.hpp"

#include <fmt/format.h>

#include "tb/scoreboard/report.hpp"

namespace assay {
namespace {

std::string row(const std::string& name, const std::string& value) { return fmt::format("| {} | {} |\n", name, value); }

std::string waivers_table(const std::vector<WaiverUse>& waivers) {
  if (waivers.empty()) return "\nNothing is waived.\n";
  std::string text = "\n| waiver | cases | reason | owner |\n|---|---:|---|---|\n";
  for (const WaiverUse& use : waivers) {
    text += fmt::format("| {} | {} | {} | {} |\n", use.waiver.name, use.cases, use.waiver.reason, use.waiver.owner);
  }
  return text;
}

}  // namespace

std::string sign_off_text(const SignOff& sheet, const Summary& s) {
  std::string text = fmt::format("# {}: {}\n\n| | |\n|---|---|\n", sheet.title, conclusion(s));
  for (const auto& [name, value] : sheet.facts) text += row(name, value);
  text += row("compared", fmt::format("{} cases, {} places in {} of them", s.compared, s.places, s.traced));
  text += row("expected d", fmt::format("{} zero, {} NaN, {} infinity", s.zeros, s.nans, s.infinities));
  text += row("wrong d", std::to_string(s.differs));
  text += row("right d, wrong on the way", std::to_string(s.masked));
  text += row("errors, missing and surplus answers",
              std::to_string(s.errors() + s.leftovers + s.surplus + s.complaints.size()));
  text += row("waived", std::to_string(s.waived()));
  text += waivers_table(s.waivers);
  for (const std::string& line : sheet.explanation) text += "\n- " + line;
  if (!sheet.explanation.empty()) text += "\n";
  return text + "\nSigned: ______________________    Date: ______________\n";
}

}  // namespace assay
