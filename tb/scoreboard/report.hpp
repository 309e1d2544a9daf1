// What a Scoreboard found, as text of 100 columns and as JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

struct ReportOptions {
  std::function<std::string(const Case&)> repro;  // the command that shows just this case again; none: no such line
  bool colour = false;
  std::string nothing = "give at least one case that both devices can answer";  // said where nothing was compared
  bool others_count = false;  // some case fails because of others, without which the command does not show it
};

// Each ends with a new line.
std::string failure_text(const Plan& plan, const Failure& failure, const ReportOptions& options = {});
std::string summary_text(const Plan& plan, const Summary& summary, const ReportOptions& options = {});
std::string report_text(const Scoreboard& scoreboard, const ReportOptions& options = {});

nlohmann::json failure_json(const Plan& plan, const Failure& failure, const ReportOptions& options = {});
nlohmann::json summary_json(const Plan& plan, const Summary& summary);
nlohmann::json report_json(const Scoreboard& scoreboard, const ReportOptions& options = {});

std::string_view verdict_name(Verdict verdict);       // "equal", "differs", .., "device error"
std::string_view conclusion(const Summary& summary);  // "passed", "failed", "nothing compared"

}  // namespace assay
