// Stage flags: what stands beside d.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"

namespace assay {

//   inexact underflow overflow invalid     a bit each, invalid lowest
inline unsigned flags_of(const Number& d, const Flags& words) {
  const bool is_nan = words.invalid == Invalid::nan && d.cls == Class::nan;
  return d.raised | (is_nan ? raises::invalid : 0);
}

}  // namespace assay
