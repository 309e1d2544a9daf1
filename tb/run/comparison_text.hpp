// What a run found, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/run/comparison.hpp"

namespace assay {

std::string comparison_text(const Comparison& found, bool colour = false);
nlohmann::json comparison_json(const Comparison& found);
// What was found of this machine's own units among the devices of a report, as a member of it; none without any.
void add_host_units(nlohmann::json& report, const std::vector<std::string>& devices);

// Why it did not pass, as a sentence; empty where it did.
std::string why_not_passed(const Comparison& found);

}  // namespace assay
