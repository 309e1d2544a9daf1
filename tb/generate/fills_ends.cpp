#include <array>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"
#include "tb/generate/meetings.hpp"

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
    const int place = in_a ? m.place_of_a(i) : m.place_of_b(i), other = in_a ? m.place_of_b(i) : m.place_of_a(i);
    m.code_at(place) = draw_subnormal(in_a ? p.a : p.b, draws);
    if (draws.below(8) == 0) m.code_at(other) = zero_code(in_a ? p.b : p.a, draws.coin());
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

// Terms and c around a floor; c is zero where its format does not reach down to it.
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
// how d is rounded. Where a cut goes down, that shows for one sign only. Now and then c is d's least number, so that a
// tie goes the other way. Where one pair of scales serves all products, it puts their last bit there.
void at_the_grid_of_a_floor(Maker& m, int turn) {
  const Plan& p = m.plan();
  const std::vector<int>& grids = m.facts().grids;
  const int terms = p.element_terms() > 1 ? p.element_terms() : p.k;  // all in one step
  const int most = bit_length(static_cast<std::uint64_t>(terms - 1)) - 1;
  if (grids.empty() || most < 0) return near_a_floor(m, false);
  const auto counted = [&](int choices) {
    const int taken = turn % choices;
    turn /= choices;
    return taken;
  };
  const int past = counted(4) - 1;
  const int grid = grids[static_cast<std::size_t>(counted(static_cast<int>(grids.size())))];
  const bool negative = counted(2) == 0;
  const int unit = p.d.least_exponent() - p.d.mantissa_bits - counted(2), last = grid - past;
  const bool outward = counted(2) == 0, odd = counted(4) == 3;
  const Exponents powers = m.facts().powers;
  const int shift = p.scales == 1 ? last - powers.least : 0;
  const int least = p.scales > 1 ? 0 : std::min(m.choice().between(0, 1), most);
  const int few = std::clamp(unit - shift - powers.greatest, least, most);
  if (p.scales == 1) m.shift_all(shift);
  for (int x = 0; x < 1 << few; ++x) m.put_bit(m.index(x), negative, unit - few);
  m.put_bit(m.index(std::max(1 << few, terms / 2)), negative != outward, last);
  if (odd) m.code_at(m.place_of_c()) = subnormal_code(p.c, negative, 1);
}

// The least normal number, held by a term or by c, less an amount that rounding restores, or one that it does not. The
// products follow one another in one step, or in one lane.
void below_the_least_normal(Maker& m, int turn) {
  const Plan& p = m.plan();
  const int together = p.element_terms() > 1 ? p.element_terms() : p.steps, exponent = p.d.least_exponent();
  const int from = together * m.choice().between(0, p.k / together - 1);
  const int first = from + m.choice().between(0, std::max(0, together - 2));
  const auto after = [&](int x) { return m.ordered(from + (first - from + x) % together); };
  const int below = turn % 4;
  const bool in_c = together == 1 || turn / 4 % 2 == 1, third = turn / 8 % 2 == 1, negative = turn / 16 % 2 == 0;
  if (in_c) {
    m.put_c({negative, exponent, Fill::one});
  } else {
    m.put_bit(after(0), negative, exponent);
    put_zero_c(m);
  }
  m.put_bit(after(1), !negative, exponent - p.d.mantissa_bits - below);
  if (together <= 2 || !third) return;
  const int further = m.choice().between(1, 4);
  m.put_bit(after(2), m.choice().coin(), exponent - p.d.mantissa_bits - further);
}

// Two products about the least normal number, whose difference is below it, and c above it: whether that difference is
// kept shows in d. They are neighbours, or half the products apart.
void small_difference(Maker& m, int turn) {
  const int k = m.plan().k, least = m.plan().d.least_exponent(), apart = turn % 2 == 0 ? 1 : std::max(1, k / 2);
  const int first = turn / 8 % k / (2 * apart) * 2 * apart;
  const bool negative = turn / 2 % 2 == 0;
  m.put_bit(m.ordered(first), !negative, least);
  m.put_term(m.ordered(first + apart), {negative, least, Fill::last});
  m.put_c({turn / 4 % 2 == 0, least + 1, Fill::one});
}

}  // namespace

void subnormals(Maker& m) { m.counted(2) == 0 ? subnormal_operands(m) : subnormal_results(m); }

void floors(Maker& m) {
  const int turn = static_cast<int>(m.turn() / 4 % 4096);
  switch (m.counted(4)) {
    case 0: return near_a_floor(m, turn % 2 == 0);
    case 1: return at_the_grid_of_a_floor(m, 2 * turn);
    case 2: return at_the_grid_of_a_floor(m, 2 * turn + 1);
    default: return turn % 4 == 3 ? small_difference(m, turn / 4) : below_the_least_normal(m, turn - turn / 4);
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

constexpr int overflow_kinds = 7;

// c within two codes of the greatest, and a tail at its last bit.
void overflow_by_a_unit(Maker& m) {
  const Plan& p = m.plan();
  const bool negative = m.choice().coin();
  m.code_at(m.place_of_c()) = greatest_code(p.c, negative, m.choice().between(0, 2));
  const bool outward = m.choice().below(4) != 0;
  put_tail(m, counted_tail(m, overflow_kinds), last_bit_of_greatest(p.d), draw_deep(m, p.d.mantissa_bits),
           negative == outward);
}

// All terms of one sign, their sum about where d ends.
void overflow_by_many(Maker& m) {
  const int each = range_of(m.plan().d).greatest - bit_length(static_cast<std::uint64_t>(m.count()));
  const bool negative = m.choice().coin();
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, {negative, each + draws.between(-1, 1), draws.coin() ? Fill::ones : Fill::any});
  });
  if (m.choice().coin()) m.put_c({m.choice().coin(), range_of(m.plan().d).greatest, draw_fill(m.choice())});
}

// Products about where they, or d, become infinite; in pairs of opposite sign, next to each other or not, the sums on
// the way are too large and the total is not.
void overflow_by_products(Maker& m, bool in_pairs) {
  const int limit = m.plan().datapath.product.infinity_at.value_or(range_of(m.plan().d).greatest + 1);
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
  for (int first = 0; first < p.k; first += p.element_terms()) {
    Draws draws = m.draws(Part::term, m.ordered(first));
    const int terms = draws.between(1, std::min(2, p.element_terms()));
    const bool back = draws.below(3) == 0;
    const int each = range_of(p.d).greatest + 1 - terms - draws.between(0, 1);
    for (int x = 0; x < terms; ++x) {
      m.put_term(m.ordered(first + x), {negative != back, each, draws.coin() ? Fill::ones : Fill::any});
    }
  }
  if (m.choice().coin()) m.put_c({m.choice().coin(), range_of(p.d).greatest, draw_fill(m.choice())});
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
  if (m.choice().coin()) m.put_c({negative, range_of(m.plan().c).greatest, Fill::ones});
}

// Two halves of what is too large, in two products that meet in one sum, or come from two groups, steps or lanes: just
// there it overflows. c is zero, or takes back what overflowed.
void overflow_where_two_meet(Maker& m, int turn) {
  const Plan& p = m.plan();
  const Meetings meetings(p);
  const int first = m.choice().between(0, p.k - 1);
  std::array<std::vector<int>, assay::meetings> others;
  for (int j = 0; j < p.k; ++j) {
    if (j != first) others[static_cast<std::size_t>(meetings.of(first, j))].push_back(j);
  }
  const auto end = std::remove_if(others.begin(), others.end(), [](const auto& some) { return some.empty(); });
  if (end == others.begin()) return overflow_by_many(m);
  const std::vector<int>& some =
      others[static_cast<std::size_t>(turn / 4) % static_cast<std::size_t>(end - others.begin())];
  const bool negative = turn % 2 == 0, taken_back = turn / 2 % 2 == 1;
  m.put_bit(first, negative, range_of(p.d).greatest);
  m.put_bit(some[m.choice().below(some.size())], negative, range_of(p.d).greatest);
  if (taken_back) m.put_c({!negative, range_of(p.d).greatest, Fill::any});
}

}  // namespace

void overflow(Maker& m) {
  switch (m.counted(overflow_kinds)) {
    case 0: return overflow_by_a_unit(m);
    case 1: return overflow_by_many(m);
    case 2: return overflow_by_products(m, false);
    case 3: return overflow_by_products(m, true);
    case 4: return overflow_by_steps(m);
    case 5: return overflow_where_two_meet(m, static_cast<int>(m.turn() / overflow_kinds % 4096));
    default: return overflow_against_infinity(m);
  }
}

}  // namespace assay::fills
