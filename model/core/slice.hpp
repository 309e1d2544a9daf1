// Stage multiply, where operands are multiplied in pieces: the product of a slice of a and one of b.
#pragma once

#include <algorithm>

#include "model/core/multiply.hpp"
#include "model/core/plan.hpp"
#include "model/core/rows.hpp"

namespace assay {

// Bits of a significand, which keep their weight; the others are zero. `before_point`: how many bits stand there.
//
//   1 . m m m m m m      from 2, bits 3:   0 . 0 m m m 0 0
inline Number sliced(Number n, int before_point, int from, const std::optional<int>& bits) {
  const int above = n.exponent + before_point - from;  // the weight of the first bit, and one more
  n.magnitude &= low_mask(std::max(0, above - n.quantum));
  if (bits) n.magnitude &= ~low_mask(std::max(0, above - *bits - n.quantum));
  return n;
}

// Of numbers that are not zero: has its exponent even where all bits of a slice are zero.
inline Number multiply_slices(const Plan& plan, const Number& a, const Number& b, int piece) {
  const SlicePair& pair = plan.datapath.slices.pairs[static_cast<std::size_t>(piece)];
  const Number x = sliced(a, plan.factor_a.range.integer_bits, pair.a_from, pair.a_bits);
  const Number y = sliced(b, plan.factor_b.range.integer_bits, pair.b_from, pair.b_bits);
  Number p = multiply(x, y);
  p.exponent = a.exponent + b.exponent - plan.lowered(piece);
  p.quantum = a.quantum + b.quantum;
  return p;
}

// Product number `product` of the dot product, of the elements that belong to it.
inline Number product_of(const Plan& plan, const Number& a, const Number& b, int product) {
  const int piece = product % plan.pieces;
  const bool is_zero = a.is_zero() || b.is_zero();
  if (plan.in_pieces() && a.is_finite() && b.is_finite() && !is_zero)
    return plan.rows ? multiply_rows(plan, a, b, piece) : multiply_slices(plan, a, b, piece);
  Number p = multiply(a, b);
  if (!p.is_zero()) return p;
  const std::optional<int> exponent = plan.counts_zeros() && a.has_exponent() && b.has_exponent()
                                          ? std::optional(a.exponent + b.exponent)
                                          : plan.datapath.product.empty;
  if (exponent) p.exponent = *exponent - plan.lowered(piece);
  return p;
}

}  // namespace assay
