// What a datapath guarantees, in two lines: its bound, and the properties that arguments settle. No case is tried.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay::guarantee {

struct GuaranteeSummary {
  std::string bound;               // a sentence
  std::vector<std::string> holds;  // names of properties
};

// None of a plan of so many terms that the walk would keep people waiting.
std::optional<GuaranteeSummary> summary(const Plan& plan);

nlohmann::ordered_json summary_json(const GuaranteeSummary& summary);

}  // namespace assay::guarantee
