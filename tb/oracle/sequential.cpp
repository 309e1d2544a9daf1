#include "tb/oracle/sequential.hpp"

namespace assay::exact {
namespace {

Datum zero(bool negative) { return {Kind::finite, negative, {}, 0}; }

}  // namespace

Datum flushed(const Format& format, const Datum& exact) {
  return subnormal_as_signed_zero(format, nearest(format, exact));
}

Datum flushed_where_tiny(const Format& format, const Datum& exact) {
  if (exact.kind != Kind::finite || is_zero(exact)) return exact;
  const long unit = floor_log2(exact.value) - format.mantissa_bits;
  const bool tiny = !reaches(rounded_to_unit(exact.value, unit, Rounding::nearest_even), 1 - format.bias);
  return tiny ? zero(exact.negative) : nearest(format, exact);
}

Datum subnormal_as_plus_zero(const Format& format, const Datum& x) { return is_subnormal(format, x) ? zero(false) : x; }

Datum subnormal_as_signed_zero(const Format& format, const Datum& x) {
  return is_subnormal(format, x) ? zero(x.negative) : x;
}

Datum fma_chain(const Format& format, Direction direction, const Terms& products, Datum d) {
  for (const Datum& product : products) d = rounded(format, direction, directed_sum(direction, product, d));
  return d;
}

Datum flushing_fma_chain(const Format& format, const Terms& products, Datum d) {
  for (const Datum& product : products) d = flushed_where_tiny(format, sum(product, d));
  return d;
}

Datum grouped_pairwise_sum(const Instruction& instruction, const Terms& products, Datum d) {
  const Format& format = instruction.d;
  const auto group = static_cast<std::size_t>(instruction.terms_per_step);
  for (std::size_t first = 0; first < products.size(); first += group) {
    Terms level;
    for (std::size_t i = first; i < first + group; ++i) level.push_back(flushed(format, products[i]));
    for (; level.size() > 1; level.resize(level.size() / 2)) {
      for (std::size_t i = 0; i < level.size() / 2; ++i) {
        level[i] = flushed(format, sum(level[2 * i], level[2 * i + 1]));
      }
    }
    d = flushed(format, sum(d, level.front()));
  }
  return d;
}

Datum two_chains(const Format& format, const Terms& products, const Datum& c) {
  Datum even = zero(false);
  Datum odd = zero(false);
  for (std::size_t i = 0; i < products.size(); i += 2) {
    even = flushed_where_tiny(format, sum(products[i], even));
    odd = flushed_where_tiny(format, sum(products[i + 1], odd));
  }
  return flushed_where_tiny(format, sum(c, flushed_where_tiny(format, sum(even, odd))));
}

Datum odd_then_even(const Format& format, const Terms& products, const Datum& c) {
  const Datum first = flushed_where_tiny(format, sum(products[1], c));
  return flushed_where_tiny(format, sum(products[0], first));
}

}  // namespace assay::exact
