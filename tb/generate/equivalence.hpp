// Why a changed datapath computes what the right one does.
#pragma once

#include <string_view>

#include "model/core/plan.hpp"
#include "tb/generate/mutations.hpp"

namespace assay {

// The argument why no operands tell `changed` (the plan of m.changed) from `right`; empty where none is known.
std::string_view equivalence(const Plan& right, const Plan& changed, const Mutation& m);

}  // namespace assay
