// One dot product, stage by stage, as text of 100 columns that a person can check by hand.
#pragma once

#include <string>

#include "sim/cli/explain_exact.hpp"
#include "sim/cli/explain_sums.hpp"

namespace assay {

// Operands, every stage, d.
std::string explain_text(const Plan& plan, const Case& one, const Explanation& explanation);

// The exact sum and what it rounds to, as lines; how far a d lies from it, as a sentence.
std::string exact_text(const Plan& plan, const ExactSum& exact);
std::string error_text(const Plan& plan, const ExactSum& exact, Code d);

}  // namespace assay
