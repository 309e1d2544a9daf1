// What stands at a place of a Trace, in the numbers of the second judge.
#pragma once

#include "model/core/trace.hpp"
#include "tb/oracle/vocabulary/value.hpp"

namespace assay {

// Whether the bits at `place` say what the judge saw there. A zero in a register has no sign.
bool holds(const Trace& trace, int place, const vocabulary::Value& seen);

}  // namespace assay
