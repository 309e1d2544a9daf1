// A budget and its forecasts as lines of a page.
#pragma once

#include <string>

#include "tb/explain/explanation.hpp"

namespace assay::explain {

// Empty where d is the exact sum, or where there is no budget: that is said where the error is.
std::string budget_text(const Explanation& e);

}  // namespace assay::explain
