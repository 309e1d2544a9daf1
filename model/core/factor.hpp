// What a case's further operands do: zero points and scales of an element before it is multiplied, scales of products
// and sums, random words of roundings. `more` are the numbers of all of them, one list after the other.
#pragma once

#include "model/core/align.hpp"
#include "model/core/round.hpp"
#include "model/core/scale.hpp"

namespace assay {

// What of an operand belongs to element `index` of k.
inline const Number& number_of(const CaseOperand& operand, const Number* more, int index) {
  return more[operand.first + index / operand.block];
}

// Times each scale of a list in turn.
inline Number scale_by(const Plan& plan, const std::vector<int>& scales, Number n, const Number* more, int index) {
  for (const int scale_of : scales) n = scale(n, number_of(plan.more[static_cast<std::size_t>(scale_of)], more, index));
  return n;
}

// Rounding number `which` of the dot product. One that is not stochastic takes no word.
inline Number round_with(const Plan& plan, const ResultPlan& result, const Number& n, const Number* more, int which) {
  if (!is_stochastic(result.words.cut)) return round(n, result);
  const int first = plan.more[static_cast<std::size_t>(plan.random.operand)].first;
  return round(n, result, static_cast<Code>(more[first + which].magnitude));
}

// The greatest multiple that is not above, counted from a place of its own: what an exponent's high part says. By the
// low part the significand is shifted beforehand, so that the value stays.
inline int stepped_down(int exponent, const FactorPlan& words) {
  return words.step_from - round_up_to_multiple(words.step_from - exponent, words.step);
}

// As many more bits before the point as an exponent may be lowered by.
inline Range stepped(Range r, const FactorPlan& words) {
  r.least_exponent = stepped_down(r.least_exponent, words);
  r.greatest_exponent = stepped_down(r.greatest_exponent, words);
  r.integer_bits += words.step - 1;
  return r;
}

// An element of a or b as it is multiplied. `first_draw`: the random word of element 0.
inline Number factor(const Plan& plan, const FactorPlan& words, Number n, const Number* more, int index,
                     int first_draw) {
  if (words.zero_point) n = minus_zero_point(n, *words.zero_point);
  if (words.zero_points >= 0)
    n = minus_zero_point(n, number_of(plan.more[static_cast<std::size_t>(words.zero_points)], more, index));
  n = scale_by(plan, words.scales, n, more, index);
  if (words.round) n = round_with(plan, *words.round, n, more, first_draw + index);
  if (words.step != 1 && n.is_finite() && n.has_exponent()) n.exponent = stepped_down(n.exponent, words);
  if (words.empty && n.is_zero() && !n.has_exponent()) n.exponent = *words.empty;
  return n;
}

}  // namespace assay
