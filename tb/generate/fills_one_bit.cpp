// What differs in one bit from what a unit tells apart: from zero, from infinity and NaN, and from the least and the
// greatest exponent of d.
#include <algorithm>

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {
namespace {

Code of_either_sign(const Format& format, Code code, Draws& draws) {
  return draws.coin() ? code | format.stored(format.sign_bit()) : code;
}

// A number whose exponent is minus that of the code's, where it is a number, so that d can hold what the two make.
Code partner_of(Code code, const Format& format, const Format& of_partner, Draws& draws) {
  const Number n = decode(code, format, Subnormals::keep, Specials::step);
  const bool counts = n.is_finite() && n.magnitude != 0;
  const int exponent = counts ? -leading_exponent(n) : 0;
  const Code mantissa = draws.bits();
  const bool negative = of_partner.has_sign && draws.coin();
  return normal_code(of_partner, negative, exponent, mantissa);
}

// The code and its partner at two places.
void put_pair(Maker& m, Code code, int place, int other) {
  const Format& f = m.format_at(place);
  m.code_at(place) = of_either_sign(f, code, m.choice());
  m.code_at(other) = partner_of(code, f, m.format_at(other), m.choice());
}

// The code at a, times a number from 1 to 2, and minus the same at c.
void put_in_a_and_c(Maker& m, Code code, int i) {
  const Plan& p = m.plan();
  const Code signed_code = of_either_sign(p.a, code, m.choice());
  m.code_at(m.place_of_a(i)) = signed_code;
  m.code_at(m.place_of_b(i)) = normal_code(p.b, false, 0, m.choice().bits());
  m.code_at(m.place_of_c()) = negated_code(p.c, signed_code);
}

// One scale of a block of which one product is near 1, and its partner, the other one.
void put_scale(Maker& m, const OneBitApart& one, int i) {
  const Plan& p = m.plan();
  const int of_a = m.place_of_c() + 1 + i / p.scale_block, of_b = of_a + p.scales;
  m.code_at(m.place_of_a(i)) = normal_code(p.a, false, 0, m.choice().bits());
  const Code mantissa = m.choice().bits();
  const bool negative = m.choice().coin();
  m.code_at(m.place_of_b(i)) = normal_code(p.b, negative, 0, mantissa);
  one.at == OneBitApart::At::scale_a ? put_pair(m, one.code, of_a, of_b) : put_pair(m, one.code, of_b, of_a);
}

// The operands in turn, first alone and then among ordinary terms; of these every other as large as there are, where
// asked.
void put_one_bit(Maker& m, const std::vector<OneBitApart>& all, bool beside_large) {
  if (all.empty()) return put_near(m, draw_shared_exponent(m), 2);
  const std::uint64_t item = m.turn() % all.size(), round = m.turn() / all.size();
  const OneBitApart& one = all[item];
  const int i = m.ordered(static_cast<int>((5 * item + 3 * round) % static_cast<std::uint64_t>(m.plan().k)));
  const Exponents& shared = m.facts().shared;
  if (round % 2 == 1) put_near(m, beside_large && item % 2 == 1 ? shared.greatest : shared.nearest(0), 2);
  m.keep_on();
  if (one.in_c_too) return put_in_a_and_c(m, one.code, i);
  switch (one.at) {
    case OneBitApart::At::a: return put_pair(m, one.code, m.place_of_a(i), m.place_of_b(i));
    case OneBitApart::At::b: return put_pair(m, one.code, m.place_of_b(i), m.place_of_a(i));
    case OneBitApart::At::c: m.code_at(m.place_of_c()) = of_either_sign(m.plan().c, one.code, m.choice()); return;
    case OneBitApart::At::scale_a:
    case OneBitApart::At::scale_b: return put_scale(m, one, i);
  }
}

}  // namespace

void number_tests(Maker& m) { put_one_bit(m, m.facts().numbers_apart, false); }
// A NaN also beside what leaves d's range.
void nan_tests(Maker& m) { put_one_bit(m, m.facts().nans_apart, true); }

// A sum of one such exponent, of c or of a product, exact or with bits to be rounded off; every other time round any
// exponent instead.
void exponent_tests(Maker& m) {
  const std::vector<int>& exponents = m.facts().exponent_tests;
  if (exponents.empty()) return put_near(m, draw_shared_exponent(m), 2);
  const int size = static_cast<int>(exponents.size()), round = static_cast<int>(m.turn() / exponents.size() % 1024);
  const int exponent = round % 2 == 0 ? exponents[static_cast<std::size_t>(m.counted(size))]
                                      : m.choice().between(exponents.front(), exponents.back());
  const Fill fill = round == 0 ? Fill::one : draw_fill(m.choice());
  const Exponents products = reach_of_one_term(m.facts()), of_c = powers_of(m.plan().c);
  const bool in_term = products.nearest(exponent) == exponent, in_c = of_c.nearest(exponent) == exponent;
  const bool negative = m.choice().coin();
  if (in_term && !(in_c && m.choice().coin())) {
    const int i = m.index(m.choice().between(0, m.count() - 1));
    if (fill == Fill::one || exponent < m.facts().products.least) return m.put_bit(i, negative, exponent);
    return m.put_term(i, {negative, exponent, fill});
  }
  if (fill == Fill::one || exponent < m.facts().c.least) {
    m.code_at(m.place_of_c()) = power_code(m.plan().c, negative, exponent);
  } else {
    m.put_c({negative, exponent, fill});
  }
}

}  // namespace assay::fills
