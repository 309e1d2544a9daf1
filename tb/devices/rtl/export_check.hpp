// What the blocks of rtl_ref can express.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

// Throws ExportError where the plan asks for more.
void check_exportable(const Plan& plan);

}  // namespace assay
