// Why a changed datapath computes what the right one does.
#pragma once

#include <string_view>

#include "model/core/plan.hpp"
#include "tb/generate/mutations.hpp"

namespace assay {

// The argument why no operands tell `changed`, of which one word is another, from `right`; empty where none is known.
std::string_view equivalence(const Plan& right, const Plan& changed, const Spot& spot);

}  // namespace assay
