// One step of each fused algorithm: products and an accumulator go into one sum, and one result comes out.
#pragma once

#include <vector>

#include "tb/oracle/datum.hpp"
#include "tb/oracle/instruction.hpp"
#include "tb/oracle/oracle.hpp"

namespace assay::exact {

using Terms = std::vector<Datum>;

// What NaNs and infinities decide among the terms, if they do.
std::optional<Datum> special(const Terms& terms);

struct AlignedDot {
  Dyadic sum;
  std::optional<long> exponent;  // the largest of its products; none where all are zero
};

// Products aligned to the largest of them, cut toward zero, added.
AlignedDot aligned_dot(const Terms& products, int fraction_bits);

Datum fda_step(const Instruction& instruction, const Terms& products, const Datum& c);

// `scales`: the product of the two scales of each group of 16 products.
Datum gdfs_step(const Instruction& instruction, const Terms& products, const Terms& scales, const Datum& c);

Datum fdrda_step(const Instruction& instruction, const Terms& products, const Datum& c, Revision revision);
Datum gfdrda_step(const Instruction& instruction, const Terms& products, const Datum& c, Revision revision);

Datum exact_step(const Instruction& instruction, const Terms& products, const Datum& c);

}  // namespace assay::exact
