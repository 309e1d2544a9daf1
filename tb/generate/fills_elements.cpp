// Elements that are rounded before they are multiplied: which exponent they have then.
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

// One bit at this exponent, in a product beside the pair or in c: what holds it.
void put_low_bit(Maker& m, int i, int exponent) {
  const Anatomy& f = m.facts();
  const bool term = f.powers.nearest(exponent) == exponent, c = f.c.nearest(exponent) == exponent;
  const bool negative = m.choice().coin();
  if (term && (!c || m.choice().coin())) return m.put_bit(i, negative, exponent);
  if (c) m.put_c({negative, exponent, Fill::one});
}

// Which subnormal elements of one side have the exponents of their leading ones: those that go on from there, or are
// widened to a format with lesser exponents.
bool is_normalised(const Format& f, const FactorPlan& factor) {
  if (!factor.round || f.is_integer() || f.is_list() || f.mantissa_bits == 0) return false;
  const ResultPlan& round = *factor.round;
  if (round.words.at == ResultAt::leading_one) return true;
  return round.words.at == ResultAt::format && !round.format.is_integer() && !round.format.is_list() &&
         round.format.least_exponent() + f.mantissa_bits <= f.least_exponent();
}

int draw_edge(Maker& m) {
  const std::vector<int> edges = input_edges(m.plan());
  return edges[m.choice().below(edges.size())];
}

// Three products of one step; the third is the second where there is no room for it.
struct Three {
  int first, second, third;
};
Three draw_three(Maker& m) {
  const int terms = m.plan().element_terms(), step = m.choice().between(0, m.plan().k / terms - 1);
  const int from = m.choice().between(0, terms - 1);
  const auto at = [&](int x) { return m.ordered(step * terms + (from + x) % terms); };
  return {at(0), at(1), at(2)};
}

// A pair of products of a subnormal, as large as can be. A bit below it is cut where the subnormal's exponent is not
// that of its leading one.
void pair_of_subnormals(Maker& m, bool in_a) {
  const Plan& p = m.plan();
  const Format &low = in_a ? p.a : p.b, &high = in_a ? p.b : p.a;
  const Three at = draw_three(m);
  const int depth = m.choice().between(1, low.mantissa_bits);
  const int exponent = range_of(high).greatest - m.choice().between(0, 2);
  const bool negative = m.choice().coin();
  const auto place = [&](bool of_low) { return of_low == in_a ? m.place_of_a(at.first) : m.place_of_b(at.first); };
  m.code_at(place(true)) = power_code(low, negative && low.has_sign, low.least_exponent() - depth);
  m.code_at(place(false)) = power_code(high, false, exponent);
  m.put_negated(at.second, at.first);
  put_low_bit(m, at.third, low.least_exponent() + exponent - draw_edge(m) - m.choice().between(1, depth));
}

// 1.5 x 1.5 twice, and the last bit kept below its nominal exponent, which is not that of its leading one. Both factors
// are short enough to be whole after any rounding.
void pair_above_two(Maker& m) {
  const Plan& p = m.plan();
  const Anatomy& f = m.facts();
  const Three at = draw_three(m);
  const int edge = draw_edge(m);
  const Exponents room = f.products.meet({f.powers.least + edge, f.products.greatest - 2});
  const int exponent = room.empty() ? f.products.greatest - 2 : m.choice().between(room.least, room.greatest);
  m.put_bit(at.first, m.choice().coin(), exponent);
  m.code_at(m.place_of_a(at.first)) |= half_code(p.a);
  m.code_at(m.place_of_b(at.first)) |= half_code(p.b);
  m.put_negated(at.second, at.first);
  put_low_bit(m, at.third, exponent - edge);
}

}  // namespace

void rounded_elements(Maker& m) {
  const Plan& p = m.plan();
  const bool a = is_normalised(p.a, p.factor_a), b = is_normalised(p.b, p.factor_b);
  if (p.element_terms() < 2) return near_exponents(m);
  switch (m.counted(3)) {
    case 0: return a ? pair_of_subnormals(m, true) : pair_above_two(m);
    case 1: return b ? pair_of_subnormals(m, false) : pair_above_two(m);
    default: return pair_above_two(m);
  }
}

}  // namespace assay::fills
