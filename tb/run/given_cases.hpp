// Cases that the caller of a run has at hand, as a run takes them.
#pragma once

#include <memory>
#include <vector>

#include "tb/run/case_source.hpp"

namespace assay {

// `plan` outlives it.
std::unique_ptr<CaseSource> given_cases(const Plan& plan, std::vector<Case> cases);

}  // namespace assay
