#include "tb/oracle/fused.hpp"

#include <algorithm>

namespace assay::exact {
namespace {

Terms with(Terms terms, const Datum& c) {
  terms.push_back(c);
  return terms;
}

// A term whose significand is zero takes no part.
std::optional<long> greatest_exponent(const Terms& terms) {
  std::optional<long> greatest;
  for (const Datum& term : terms) {
    if (!is_zero(term)) greatest = std::max(greatest.value_or(term.exponent), term.exponent);
  }
  return greatest;
}

// Each term cut toward zero to a multiple of 2^unit, and those added.
Dyadic cut_sum(const Terms& terms, long unit) {
  Dyadic total{0, unit};
  for (const Datum& term : terms) total.significand += units_in(term.value, unit, Rounding::toward_zero);
  return total;
}

Dyadic exact_sum(const Terms& terms) {
  Dyadic total;
  for (const Datum& term : terms) total = total + term.value;
  return total;
}

// f32 cuts; f16 rounds to nearest. There is no -0.
Datum fda_result(const Instruction& instruction, const Dyadic& total) {
  const Rounding rounding = instruction.d.name == "f16" ? Rounding::nearest_even : Rounding::toward_zero;
  const Datum result = rounded(instruction.d, instruction.output_fraction_bits.value(), rounding, finite(total));
  return is_zero(result) ? finite({}) : result;
}

// The exact sum of one group's products times its scales. Its exponent is the scales' own, for the sum is not
// normalised: a sum that cancels keeps it too. Only where there was nothing to add is it the floor.
Datum scaled_group(const Terms& products, const Datum& scale, long floor) {
  const bool nothing = !greatest_exponent(products) || is_zero(scale);
  Datum term = finite(exact_sum(products) * scale.value);
  term.exponent = nothing ? floor : scale.exponent;
  return term;
}

Terms every_other(const Terms& products, std::size_t first) {
  Terms chosen;
  for (std::size_t i = first; i < products.size(); i += 2) chosen.push_back(products[i]);
  return chosen;
}

AlignedDot even_odd_dot(const Terms& products, int fraction_bits) {
  const AlignedDot even = aligned_dot(every_other(products, 0), fraction_bits);
  const AlignedDot odd = aligned_dot(every_other(products, 1), fraction_bits);
  const std::optional<long> exponent = std::max(even.exponent, odd.exponent);  // none is less than any
  if (!exponent) return {};
  const long unit = *exponent - fraction_bits;
  return {rounded_to_unit(even.sum, unit, Rounding::down) + rounded_to_unit(odd.sum, unit, Rounding::down), exponent};
}

// What decides before any sum: special operands, c's too; failing those, products too large for an f32, c's not.
std::optional<Datum> special_or_overflow(const Terms& products, const Datum& c) {
  if (const auto decided = special(with(products, c))) return decided;
  Terms overflowed = products;
  for (Datum& product : overflowed) {
    if (reaches(product.value, 128)) product = infinity(product.negative);
  }
  return special(overflowed);
}

// The dot sum and c floored to their places below the larger exponent, added, floored again, rounded.
Datum accumulated(const Instruction& instruction, const AlignedDot& dot, const Datum& c, Revision revision) {
  const bool first = revision == Revision::first;
  const long c_exponent = is_zero(c) ? -126 : c.exponent;
  const long top = std::max(dot.exponent.value_or(c_exponent), c_exponent);
  const Dyadic total = rounded_to_unit(dot.sum, top - (first ? 31 : 32), Rounding::down) +
                       rounded_to_unit(c.value, top - instruction.fraction_bits.value(), Rounding::down);
  Datum result = finite(total);
  if (!first && !is_zero(result)) {
    result.value = rounded_to_unit(total, std::max(floor_log2(total), -126L) - 31, Rounding::down);
  }
  return nearest(instruction.d, result);
}

}  // namespace

std::optional<Datum> special(const Terms& terms) {
  bool positive = false;
  bool negative = false;
  for (const Datum& term : terms) {
    if (term.kind == Kind::nan) return nan();
    if (term.kind == Kind::infinity) (term.negative ? negative : positive) = true;
  }
  if (positive && negative) return nan();
  if (positive || negative) return infinity(negative);
  return std::nullopt;
}

AlignedDot aligned_dot(const Terms& products, int fraction_bits) {
  const std::optional<long> exponent = greatest_exponent(products);
  if (!exponent) return {};
  return {cut_sum(products, *exponent - fraction_bits), exponent};
}

Datum fda_step(const Instruction& instruction, const Terms& products, const Datum& c) {
  const Terms terms = with(products, c);
  if (const auto decided = special(terms)) return *decided;
  const long floor = instruction.exponent_floor.value();
  const long top = std::max(greatest_exponent(terms).value_or(floor), floor);
  return fda_result(instruction, cut_sum(terms, top - instruction.fraction_bits.value()));
}

Datum gdfs_step(const Instruction& instruction, const Terms& products, const Terms& scales, const Datum& c) {
  Terms operands = with(products, c);
  operands.insert(operands.end(), scales.begin(), scales.end());
  if (const auto decided = special(operands)) return *decided;

  const long floor = instruction.exponent_floor.value();
  Terms terms{c};
  if (is_zero(c)) terms.front().exponent = floor;
  for (std::size_t group = 0; group < scales.size(); ++group) {
    const auto from = products.begin() + static_cast<std::ptrdiff_t>(16 * group);
    terms.push_back(scaled_group(Terms(from, from + 16), scales[group], floor));
  }
  long top = floor;
  for (const Datum& term : terms) top = std::max(top, term.exponent);
  return fda_result(instruction, cut_sum(terms, top - instruction.fraction_bits.value()));
}

Datum fdrda_step(const Instruction& instruction, const Terms& products, const Datum& c, Revision revision) {
  if (const auto decided = special_or_overflow(products, c)) return *decided;
  return accumulated(instruction, aligned_dot(products, instruction.fraction_bits.value()), c, revision);
}

Datum gfdrda_step(const Instruction& instruction, const Terms& products, const Datum& c, Revision revision) {
  if (const auto decided = special_or_overflow(products, c)) return *decided;
  const AlignedDot dot = even_odd_dot(products, instruction.fraction_bits.value());
  const bool c_is_lost = dot.exponent && c.exponent < *dot.exponent - 25;
  return accumulated(instruction, dot, c_is_lost ? finite({}) : c, revision);
}

Datum exact_step(const Instruction& instruction, const Terms& products, const Datum& c) {
  const Terms terms = with(products, c);
  if (const auto decided = special(terms)) return *decided;
  return nearest(instruction.d, finite(exact_sum(terms)));
}

}  // namespace assay::exact
