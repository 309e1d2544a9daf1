// Which of several NaNs a step leaves, told apart by where they come from: two plans that choose alike write the same
// NaN for every case.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

// Whether both leave the same NaN whatever NaNs their operands hold and their operations make. For plans whose
// operations decide; false where a step has more than four terms or a word makes numbers of NaNs.
bool chooses_alike(const Plan& x, const Plan& y);

}  // namespace assay
