#include "tb/oracle/tree.hpp"

#include <algorithm>

#include "tb/oracle/sequential.hpp"

namespace assay::exact {
namespace {

const Format& f32() { return *find_format("f32"); }

Terms decoded(const Instruction& i, const Format& format, const std::vector<Code>& codes) {
  Terms terms;
  for (const Code code : codes) {
    const Datum x = decode(format, code);
    terms.push_back(i.has(Extra::tf32) ? nearest(*find_format("tf32"), x) : x);
  }
  return terms;
}

// The value stays; a number that is subnormal only in its own format gets the exponent of its leading one.
Terms widened(const Format& format, Terms terms) {
  for (Datum& x : terms) x = nearest(format, x);
  return terms;
}

Terms without_subnormals(Terms terms) {
  for (Datum& x : terms) x = subnormal_as_signed_zero(f32(), x);
  return terms;
}

int significand_bits(const Instruction& i, const Format& format) {
  return 1 + (i.has(Extra::tf32) ? find_format("tf32")->mantissa_bits : format.mantissa_bits);
}

// Ranges of x's significand from its low end; each has the exponent of all of x.
Terms pieces(const Datum& x, int significand_bits, int piece_bits) {
  const long unit = x.exponent - significand_bits + 1;
  mpz_class rest = abs(units_in(x.value, unit, Rounding::toward_zero));
  Terms result;
  for (int low = 0; low < significand_bits; low += piece_bits) {
    mpz_class piece;
    mpz_fdiv_r_2exp(piece.get_mpz_t(), rest.get_mpz_t(), static_cast<mp_bitcnt_t>(piece_bits));
    rest >>= static_cast<mp_bitcnt_t>(piece_bits);
    result.push_back({Kind::finite, x.negative, {x.negative ? mpz_class(-piece) : piece, unit + low}, x.exponent});
  }
  return result;
}

// One product, or the products of the pieces of both. What is not finite, or zero, has no pieces.
Terms products_of(const Instruction& i, const Datum& a, const Datum& b) {
  const Datum whole = product(a, b);
  if (!i.has(Extra::pieces) || whole.kind != Kind::finite || is_zero(whole)) return {whole};
  Terms products;
  for (const Datum& x : pieces(a, significand_bits(i, i.a), i.number(Extra::pieces))) {
    for (const Datum& y : pieces(b, significand_bits(i, i.b), i.number(Extra::pieces)))
      products.push_back(product(x, y));
  }
  return products;
}

Terms products_of_step(const Instruction& i, const Terms& a, const Terms& b, std::size_t first) {
  Terms products;
  for (std::size_t k = first; k < first + static_cast<std::size_t>(i.terms_per_step); ++k) {
    const Terms of_term = products_of(i, a[k], b[k]);
    products.insert(products.end(), of_term.begin(), of_term.end());
  }
  return products;
}

template <typename Step>
Datum chained(const Instruction& i, const Terms& a, const Terms& b, Datum d, Step step) {
  for (std::size_t k = 0; k < a.size(); k += static_cast<std::size_t>(i.terms_per_step)) {
    d = step(products_of_step(i, a, b, k), d);
  }
  return d;
}

Datum plus_zero(const Datum& x) { return is_zero(x) ? finite({}) : x; }

// Zeros alone: -0 where each of them is one. With the shortcut each is a number of its sign, too small for anything
// but the sign of a zero.
Datum sum_of_zeros(const Instruction& i, const Terms& zeros) {
  const long negative = std::count_if(zeros.begin(), zeros.end(), [](const Datum& x) { return x.negative; });
  const long positive = static_cast<long>(zeros.size()) - negative + i.number(Extra::idle);
  if (i.has(Extra::shortcut)) return finite({positive - negative, -1000});
  return {Kind::finite, positive == 0, {}, 0};
}

Terms normalised(Terms products) {
  for (Datum& x : products) {
    if (x.kind == Kind::finite && !is_zero(x)) x.exponent = floor_log2(x.value);
  }
  return products;
}

Datum dot_then_add_step(const Instruction& i, const Terms& products, const Datum& c) {
  Terms terms = products;
  terms.push_back(c);
  if (const auto decided = special(terms)) return *decided;
  const AlignedDot dot = aligned_dot(i.has(Extra::shortcut) ? normalised(products) : products, i.fraction_bits.value());
  const Datum exact = sum(dot.exponent ? finite(dot.sum) : sum_of_zeros(i, products), c);
  return i.has(Extra::tiny_after) ? flushed_where_tiny(i.d, exact) : flushed(i.d, exact);
}

// Numbers of 8 bits are held as f16, others as f32, whose subnormals are zeros.
Terms held(const Instruction& i, const Format& format, const std::vector<Code>& codes) {
  const Terms terms = decoded(i, format, codes);
  return format.stored_bits == 8 ? widened(*find_format("f16"), terms) : without_subnormals(widened(f32(), terms));
}

}  // namespace

Datum fda_plus_zero(const Instruction& i, const OracleOperands& operands) {
  const Terms a = widened(f32(), decoded(i, i.a, operands.a)), b = widened(f32(), decoded(i, i.b, operands.b));
  return chained(i, a, b, decode(i.c, operands.c),
                 [&](const Terms& products, const Datum& d) { return plus_zero(fda_step(i, products, d)); });
}

Datum dot_then_add(const Instruction& i, const OracleOperands& operands) {
  const Datum c = subnormal_as_signed_zero(f32(), decode(i.c, operands.c));
  return chained(i, held(i, i.a, operands.a), held(i, i.b, operands.b), c,
                 [&](const Terms& products, const Datum& d) { return dot_then_add_step(i, products, d); });
}

}  // namespace assay::exact
