// Two units that take the same operands: how far their results may lie apart.
#pragma once

#include <string>

#include "tb/guarantee/witness.hpp"

namespace assay::guarantee {

// |x's d - y's d| <= relative x R + absolute, for all operands for which neither overflows.
struct Apart {
  Reference reference = Reference::sum;
  Amount any;       // whatever the signs
  Amount positive;  // where no term is below zero
};

// Two results of one case.
struct ApartWitness {
  Case one;
  Code x = 0, y = 0;
  Rational apart;  // |x - y|
  Rational sum;    // S
  std::string built;
};

struct Against {
  std::string name;           // of the other unit
  CircuitWalk::Places alike;  // places at which both lose the same, which is nothing between them
  Apart by_sum, by_greatest;
  std::optional<ApartWitness> witness;  // the greatest |x - y| / S found; none where no two results differ
};

// Why the two cannot be held against each other, as a sentence; else empty.
std::string against_problem(const Plan& x, const Plan& y);

// Without a witness, and with one. `name` is that of y.
Against apart(const Plan& x, const Plan& y, const Chain& chain);
Against against(const Plan& x, const std::string& name, const Plan& y, const Chain& chain);

}  // namespace assay::guarantee
