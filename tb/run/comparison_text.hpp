// What a run found, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tb/run/comparison.hpp"

namespace assay {

std::string comparison_text(const Comparison& found, bool colour = false);
nlohmann::json comparison_json(const Comparison& found);

// Why it did not pass, as a sentence; empty where it did.
std::string why_not_passed(const Comparison& found);

}  // namespace assay
