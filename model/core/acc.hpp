// Stage acc: what a lane's first step adds to, and what the others read of the step before.
#pragma once

#include "model/core/number.hpp"
#include "model/core/plan.hpp"

namespace assay {

inline Number start_of(Start start, const Number& c) {
  switch (start) {
    case Start::c: return c;
    case Start::zero: return Number::zero();
    case Start::none: return Number::nothing();
  }
  return c;
}

// What step `step` of its lane reads of what the one before left: as it is, or as a zero where it is subnormal.
inline Number read_acc(const Plan& plan, int step, const Number& left) {
  const Subnormals words = plan.datapath.subnormals_acc;
  if (words == Subnormals::keep || step == 0 || !left.is_finite() || left.magnitude == 0) return left;
  if (leading_exponent(left) >= plan.adders.back().results.back().format.least_exponent()) return left;
  Number read = Number::zero(words == Subnormals::signed_zero && left.negative);
  read.raised = left.raised;
  return read;
}

}  // namespace assay
