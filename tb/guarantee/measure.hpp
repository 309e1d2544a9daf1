// What one case says of a claim: d less the exact sum, beside the quantities that claims are relative to. Found from
// the operands' codes alone.
#pragma once

#include <optional>

#include "tb/devices/device.hpp"
#include "tb/guarantee/chain.hpp"

namespace assay::guarantee {

struct Measured {
  bool terms_finite = true;      // else nothing below says anything
  bool finite = false;           // d is too; else it has no error
  Rational error;                // d - exact
  Rational sum;                  // S
  std::optional<long> greatest;  // E; none where all terms are zero
  bool positive = true;          // no term is below zero
  bool normal = true;            // no operand is subnormal
  long last_place = 0;           // that of every term weighs 2^this or more

  Rational reference(Reference r) const;
};

Measured measure(const Plan& plan, const Case& one, Code d);

// The chain whose every operation takes these a and b, and whose first takes c.
Measured measure(const Plan& plan, const Chain& chain, const Case& one, Registers& registers);

// Whether S is at most every limit.
bool within(const std::vector<Limit>& limits, const Measured& m);

// Whether a result that is too large becomes another number, so that a finite d does not tell.
bool overflows_unseen(const Plan& plan);

// Whether the operands are such that absolute shares are none.
bool relative_alone(const Promise& claim, const Measured& m);

// What the claim says |d - exact| is at most for this case, where d is below or above the exact sum.
Rational bound_of(const Promise& claim, const Measured& m, bool below);

// Whether what the claim says of this case is so.
bool holds(const Promise& claim, const Measured& m);

}  // namespace assay::guarantee
