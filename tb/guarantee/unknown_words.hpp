// The words of a datapath of which no rule here knows.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay::guarantee {

// As a file says them, each once: "`slices`", "`sticky: at_result` of sum".
std::vector<std::string> unknown_words(const Plan& plan);

}  // namespace assay::guarantee
