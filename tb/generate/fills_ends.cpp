#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

// --- the lower end ---

namespace {

Code draw_subnormal(const Format& f, Draws& draws) {
  const bool negative = draws.coin();
  return subnormal_code(f, negative, draws.bits());
}

void subnormal_operands(Maker& m) {
  const Plan& p = m.plan();
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, {draws.coin(), m.facts().terms.greatest, Fill::any});
    const bool in_a = draws.coin();
    const int place = in_a ? m.place_of_a(i) : m.place_of_b(i);
    m.code_at(place) = draw_subnormal(in_a ? p.a : p.b, draws);
  });
  const int c = p.a.least_exponent() + p.b.greatest_exponent() - m.choice().between(0, p.a.mantissa_bits);
  m.put_c({m.choice().coin(), c, Fill::any});
}

void subnormal_results(Maker& m) {
  const Format& d = m.plan().d;
  const int deepest = d.mantissa_bits + 4;
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, {draws.coin(), d.least_exponent() - draws.between(-3, deepest), draw_fill(draws)});
  });
  if (m.choice().coin()) m.code_at(m.place_of_c()) = draw_subnormal(m.plan().c, m.choice());
}

// Terms and c around a floor; c stays out of the way where its format does not reach down to it.
void near_a_floor(Maker& m, bool with_zero) {
  const std::vector<int>& floors = m.facts().floors;
  const int floor = floors[m.choice().below(floors.size())];
  const int largest = floor + m.choice().between(-3, 3);
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, {draws.coin(), largest - draws.between(0, 4), draw_fill(draws)});
  });
  if (m.facts().c.least <= floor) {
    m.put_c({m.choice().coin(), largest - m.choice().between(0, 4), draw_fill(m.choice())});
  } else {
    put_zero_c(m);
  }
  if (!with_zero) return;
  const int at = m.choice().between(0, m.count());
  if (at == m.count()) return put_zero_c(m);
  const int zero = m.index(at);
  m.code_at(m.place_of_a(zero)) = zero_code(m.plan().a, m.choice().coin());
}

// One or half of d's least unit, and a bit about where a window at its floor ends: it decides how d is rounded.
void at_the_grid_of_a_floor(Maker& m) {
  const Format& d = m.plan().d;
  const std::vector<int>& grids = m.facts().grids;
  if (grids.empty() || m.count() < 2) return near_a_floor(m, false);
  const int unit = d.least_exponent() - d.mantissa_bits;
  const bool negative = m.choice().coin();
  const int grid = grids[m.choice().below(grids.size())];
  m.put_bit(m.index(0), negative, m.choice().coin() ? unit : unit - 1);
  const int last = grid - m.choice().between(-1, 2);
  m.put_bit(m.index(m.count() / 2), m.choice().coin(), last);
}

}  // namespace

void subnormals(Maker& m) {
  switch (m.counted(5)) {
    case 0: return subnormal_operands(m);
    case 1: return subnormal_results(m);
    case 2: return near_a_floor(m, false);
    case 3: return near_a_floor(m, true);
    case 4: return at_the_grid_of_a_floor(m);
  }
}

Code draw_tiny(const Format& f, Draws& draws) {
  const Code codes[] = {subnormal_code(f, false, 1), subnormal_code(f, false, ~Code{0}),
                        normal_code(f, false, f.least_exponent(), 0)};
  const Code code = codes[draws.below(3)];
  return f.has_sign && draws.coin() ? negated_code(f, code) : code;
}

// Everything, everything but c, or c alone.
void tiny(Maker& m) {
  const int kind = m.counted(3);
  const bool scales_too = m.choice().coin();
  for (int place = 0; place < m.places(); ++place) {
    const bool is_c = place == m.place_of_c(), is_scale = place > m.place_of_c();
    if (is_c ? kind == 1 : is_scale ? !scales_too : kind == 2) continue;
    Draws draws = m.draws_at(place);
    m.code_at(place) = draw_tiny(m.format_at(place), draws);
  }
}

// --- the upper end ---

namespace {

// c within two codes of the greatest, and a tail at its last bit.
void overflow_by_a_unit(Maker& m) {
  const Plan& p = m.plan();
  const bool negative = m.choice().coin();
  m.code_at(m.place_of_c()) = greatest_code(p.c, negative, m.choice().between(0, 2));
  const bool outward = m.choice().below(4) != 0;
  const int mantissa = p.d.mantissa_bits;
  put_tail(m, counted_tail(m, 4), p.d.greatest_exponent() - mantissa, draw_deep(m, mantissa), negative == outward);
}

// All terms of one sign, their sum about where d ends.
void overflow_by_many(Maker& m) {
  const int each = m.plan().d.greatest_exponent() - bit_length(static_cast<std::uint64_t>(m.count()));
  const bool negative = m.choice().coin();
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, {negative, each + draws.between(-1, 1), draws.coin() ? Fill::ones : Fill::any});
  });
  if (m.choice().coin()) m.put_c({m.choice().coin(), m.plan().d.greatest_exponent(), draw_fill(m.choice())});
}

// Products about where they, or d, become infinite; in pairs of opposite sign, next to each other or not, the sums on
// the way are too large and the total is not.
void overflow_by_products(Maker& m, bool in_pairs) {
  const int limit = m.plan().datapath.product.infinity_at.value_or(m.plan().d.greatest_exponent() + 1);
  const int few = std::min(m.count(), m.choice().between(1, 4));
  const int apart = in_pairs ? m.choice().between(1, 2) : few;
  for (int x = 0; x < few; ++x) {
    const int i = m.index(x);
    if (x / apart % 2 == 1) {
      m.put_negated(i, m.index(x - apart));
    } else {
      Draws draws = m.draws(Part::term, i);
      m.put_term(i, {draws.coin(), limit - draws.between(-1, 2), draws.coin() ? Fill::ones : Fill::any});
    }
  }
  m.put_c({m.choice().coin(), m.choice().coin() ? limit - 1 : 0, Fill::any});
}

}  // namespace

void overflow(Maker& m) {
  switch (m.counted(4)) {
    case 0: return overflow_by_a_unit(m);
    case 1: return overflow_by_many(m);
    case 2: return overflow_by_products(m, false);
    case 3: return overflow_by_products(m, true);
  }
}

}  // namespace assay::fills
