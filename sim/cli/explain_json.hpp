// What explain shows, as data: docs/explain.md says what each member means.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/cli/explain_exact.hpp"
#include "sim/cli/explain_sides.hpp"

namespace assay {

nlohmann::ordered_json explain_json(const Plan& plan, const Case& one, const Explanation& explanation);

// The exact sum and the error of each d.
nlohmann::ordered_json exact_json(const Plan& plan, const ExactSum& exact);
nlohmann::ordered_json d_json(const Plan& plan, const ExactSum& exact, Code d);

nlohmann::ordered_json sides_json(const Side& reference, const Side& device, const ExactSum& exact);

}  // namespace assay
