#include "tb/oracle/riscv.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "tb/oracle/sequential.hpp"

namespace assay::exact {
namespace {

using Terms = std::vector<Datum>;

Datum negative_of(Datum x) {
  x.negative = !x.negative;
  x.value = Dyadic{} - x.value;
  return x;
}

// A multiple of 2^unit: the next one toward zero, or the odd one of the two that lie around x.
Dyadic odd_multiple(const Dyadic& x, long unit) {
  mpz_class units = units_in(x, unit, Rounding::toward_zero);
  const bool exact = sign(x - Dyadic{units, unit}) == 0;
  if (!exact && mpz_even_p(units.get_mpz_t()) != 0) units += sign(x);
  return {units, unit};
}

// Beyond the greatest number an infinity; zero is +0.
Datum to_odd(const Format& format, const Datum& x) {
  if (x.kind != Kind::finite) return x;
  if (is_zero(x)) return finite({});
  if (reaches(x.value, format.bias + 1)) return infinity(x.negative);
  const long exponent = std::max<long>(floor_log2(x.value), 1 - format.bias);
  return finite(odd_multiple(x.value, exponent - format.mantissa_bits));
}

// Each product is brought to the largest sum of the factors' exponents, and rounded to odd there.
Datum bulk_sum(const Instruction& i, const Terms& products) {
  const Datum special = std::accumulate(products.begin(), products.end(), finite({}), sum);
  if (special.kind != Kind::finite) return special;
  std::optional<long> reference;
  for (const Datum& p : products) {
    if (!is_zero(p)) reference = std::max(reference.value_or(p.exponent), p.exponent);
  }
  if (!reference) return finite({});
  Dyadic total;
  for (const Datum& p : products) {
    if (!is_zero(p)) total = total + odd_multiple(p.value, *reference - *i.fraction_bits);
  }
  return to_odd(i.d, finite(total));
}

Datum bulk(const Instruction& i, const Terms& products, Datum c) {
  for (auto from = products.begin(); from != products.end(); from += i.terms_per_step)
    c = to_odd(i.d, sum(bulk_sum(i, Terms(from, from + i.terms_per_step)), c));
  return c;
}

Datum fma(const Instruction& i, const Datum& product, const Datum& c) {
  const bool minus_product = i.form == Form::minus || i.form == Form::nn;
  const bool minus_c = i.form == Form::pn || i.form == Form::nn;
  return nearest(i.d, sum(minus_product ? negative_of(product) : product, minus_c ? negative_of(c) : c));
}

}  // namespace

bool is_of_riscv(Algorithm algorithm) {
  return algorithm == Algorithm::riscv_fma || algorithm == Algorithm::riscv_bulk;
}

OracleResult riscv(const Instruction& i, const OracleOperands& operands) {
  Terms products;
  for (std::size_t k = 0; k < operands.a.size(); ++k)
    products.push_back(product(decode(i.a, operands.a[k]), decode(i.b, operands.b[k])));
  const Datum c = decode(i.c, operands.c);
  const Datum d = i.algorithm == Algorithm::riscv_bulk ? bulk(i, products, c) : fma(i, products.front(), c);
  if (d.kind == Kind::nan) return {true, i.d.quiet_nan()};
  return {false, encode(i.d, d)};
}

}  // namespace assay::exact
