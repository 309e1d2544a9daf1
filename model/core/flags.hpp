// Stage flags: what stands beside d.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"
#include "model/core/trace.hpp"

namespace assay {

//   inexact underflow overflow invalid     a bit each, invalid lowest
inline unsigned flags_of(const Number& d, const Flags& words) {
  const bool is_nan = words.invalid == Invalid::nan && d.cls == Class::nan;
  return d.raised | (is_nan ? raises::invalid : 0);
}

// Into the places of flags, from the first one on.
inline void put_flags(TraceWriter& trace, unsigned raised) {
  for (std::size_t i = 0; i < flag_names.size(); ++i) trace.put(u128{raised >> i & 1});
}

}  // namespace assay
