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

// One or half of d's least unit, as 2^few equal products, and a bit about where a window at its floor ends: it decides
// how d is rounded. Now and then c is d's least number, so that a tie goes the other way. Where one pair of scales
// serves all products, it puts their last bit there.
void at_the_grid_of_a_floor(Maker& m) {
  const Plan& p = m.plan();
  const std::vector<int>& grids = m.facts().grids;
  const int most = most_doublings(m);
  if (grids.empty() || most < 0) return near_a_floor(m, false);
  const int unit = p.d.least_exponent() - p.d.mantissa_bits - m.counted(2, 16);
  const int last = grids[m.choice().below(grids.size())] - (m.counted(4, 4) - 1);
  const Exponents powers = m.facts().powers;
  const int shift = p.scales == 1 ? last - powers.least : 0;
  const int few = std::clamp(unit - shift - powers.greatest, p.scales > 1 ? 0 : m.choice().between(0, 1), most);
  if (p.scales == 1) m.shift_all(shift);
  const bool negative = m.choice().coin(), outward = m.counted(2, 32) == 0, odd = m.choice().below(4) == 0;
  for (int x = 0; x < 1 << few; ++x) m.put_bit(m.index(x), negative, unit - few);
  m.put_bit(m.index(std::max(1 << few, m.count() / 2)), negative != outward, last);
  if (odd) m.code_at(m.place_of_c()) = subnormal_code(p.c, negative, 1);
}

// The least normal number, held by a term or by c, less what its rounding makes good, or does not.
void below_the_least_normal(Maker& m) {
  const Format& d = m.plan().d;
  const int first = m.choice().between(0, m.count() - 1);
  const bool negative = m.choice().coin(), in_c = m.count() == 1 || m.choice().coin();
  const int exponent = d.least_exponent();
  if (in_c) {
    m.put_c({negative, exponent, Fill::one});
  } else {
    m.put_bit(m.index(first), negative, exponent);
    put_zero_c(m);
  }
  m.put_bit(m.index(first + 1), !negative, exponent - d.mantissa_bits - m.choice().between(0, 3));
  if (m.count() > 2 && m.choice().coin())
    m.put_bit(m.index(first + 2), m.choice().coin(), exponent - d.mantissa_bits - m.choice().between(1, 4));
}

}  // namespace

void subnormals(Maker& m) { m.counted(2) == 0 ? subnormal_operands(m) : subnormal_results(m); }

void floors(Maker& m) {
  switch (m.counted(4)) {
    case 0: return near_a_floor(m, m.counted(2, 4) == 0);
    case 1:
    case 2: return at_the_grid_of_a_floor(m);
    default: return below_the_least_normal(m);
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
  put_tail(m, counted_tail(m, 6), p.d.greatest_exponent() - mantissa, draw_deep(m, mantissa), negative == outward);
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

// Each step about as large as d ends, of one sign or of the other: what one step makes too large, another takes back.
void overflow_by_steps(Maker& m) {
  const Plan& p = m.plan();
  const bool negative = m.choice().coin();
  for (int first = 0; first < p.k; first += p.step_terms) {
    Draws draws = m.draws(Part::term, m.ordered(first));
    const int terms = draws.between(1, std::min(2, p.step_terms));
    const bool back = draws.below(3) == 0;
    const int each = p.d.greatest_exponent() + 1 - terms - draws.between(0, 1);
    for (int x = 0; x < terms; ++x) {
      m.put_term(m.ordered(first + x), {negative != back, each, draws.coin() ? Fill::ones : Fill::any});
    }
  }
  if (m.choice().coin()) m.put_c({m.choice().coin(), p.d.greatest_exponent(), draw_fill(m.choice())});
}

// Terms of one sign whose sum leaves d's range, and one infinity of the other.
void overflow_against_infinity(Maker& m) {
  const bool negative = m.choice().coin();
  const int greatest = m.facts().terms.greatest;
  each_term(m, [&](int i, Draws& draws) {
    const bool there = draws.coin();
    if (there) m.put_term(i, {negative, greatest - draws.between(0, 2), draw_fill(draws)});
  });
  if (m.choice().coin()) {
    m.code_at(m.place_of_c()) = infinity_code(m.plan().c, !negative);
    return;
  }
  const int i = m.index(m.choice().between(0, m.count() - 1));
  m.code_at(m.place_of_a(i)) = infinity_code(m.plan().a, !negative);
  m.code_at(m.place_of_b(i)) = one_code(m.plan().b);
  if (m.choice().coin()) m.put_c({negative, m.plan().c.greatest_exponent(), Fill::ones});
}

}  // namespace

void overflow(Maker& m) {
  switch (m.counted(6)) {
    case 0: return overflow_by_a_unit(m);
    case 1: return overflow_by_many(m);
    case 2: return overflow_by_products(m, false);
    case 3: return overflow_by_products(m, true);
    case 4: return overflow_by_steps(m);
    default: return overflow_against_infinity(m);
  }
}

}  // namespace assay::fills
