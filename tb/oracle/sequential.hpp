// The algorithms that round after every multiplication and addition: chains of IEEE operations on exact products.
#pragma once

#include "tb/oracle/fused.hpp"

namespace assay::exact {

// d = fma(a, b, d), one product after the other, in c's format.
Datum fma_chain(const Format& format, Direction direction, const Terms& products, Datum d);

// The same where a tiny result becomes zero.
Datum flushing_fma_chain(const Format& format, const Terms& products, Datum d);

// Products rounded, added as a tree within each group, the groups added to d; what is subnormal becomes zero.
Datum grouped_pairwise_sum(const Instruction& instruction, const Terms& products, Datum d);

// A subnormal becomes +0, or a zero of its own sign.
Datum subnormal_as_plus_zero(const Format& format, const Datum& x);
Datum subnormal_as_signed_zero(const Format& format, const Datum& x);

// A result to nearest even, a zero of its sign where it is subnormal then.
Datum flushed(const Format& format, const Datum& exact);

// The same where it is tiny after rounding as if the exponent were unbounded.
Datum flushed_where_tiny(const Format& format, const Datum& exact);

// Even products in one chain of fused multiply-adds, odd ones in another, and c last.
Datum two_chains(const Format& format, const Terms& products, const Datum& c);

// One pair of products: the odd one goes into c first.
Datum odd_then_even(const Format& format, const Terms& products, const Datum& c);

}  // namespace assay::exact
