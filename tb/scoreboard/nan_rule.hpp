// Which NaNs count as equal where results are those of a vector file.
#pragma once

#include "tb/scoreboard/scoreboard.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

// What the file's header says, else what is usual for the datapath.
inline NanRule nan_rule_of(const VectorHeader& header, const Plan& plan) {
  switch (header.nan) {
    case NanPolicy::bits: return NanRule::bits;
    case NanPolicy::any: return NanRule::any;
    case NanPolicy::unset: break;
  }
  return usual_nan_rule(plan);
}

}  // namespace assay
