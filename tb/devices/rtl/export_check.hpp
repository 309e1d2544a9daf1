// What the blocks of rtl_ref can express.
#pragma once

#include <optional>
#include <string>

#include "model/core/plan.hpp"

namespace assay {

// Throws Error where the plan asks for more: a sentence that begins with the key.
void check_exportable(const Plan& plan);

// That sentence; nothing where the blocks can do it.
std::optional<std::string> why_not_exportable(const Plan& plan);

}  // namespace assay
