#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

// --- exponents ---

void near_exponents(Maker& m) { put_near(m, draw_shared_exponent(m), 2); }

namespace {

// Every distance in turn, and every other time one about where something is cut.
int draw_distance(Maker& m) {
  const Anatomy& f = m.facts();
  if (m.counted(2) == 0) return m.counted(f.deepest + 1, 2);
  const int edge = f.edges[m.choice().below(f.edges.size())];
  return std::max(0, edge + m.choice().between(-1, f.deepest - f.reach));
}

}  // namespace

// The peak, and a term or c exactly `distance` below it. A far term is half the list away: in another scale block,
// where there are several. The others stand there too, or anywhere in between. Or they are zero, so that nothing hides
// what is cut off, and of the opposite sign, so that one kept bit borrows from the whole sum.
void alignment(Maker& m) {
  const int distance = draw_distance(m);
  const Peak peak = draw_peak(m, distance);
  const int holder = m.choice().between(0, m.count() - 1);
  const int first = m.index(holder), far = m.index(holder + m.count() / 2);
  const bool far_c = !peak.in_c && (far == first || m.choice().coin()), bare = m.choice().coin();
  const bool negative = m.choice().coin(), far_negative = bare ? !negative : m.choice().coin();
  if (!peak.in_c) m.put_term(first, {negative, peak.exponent, draw_fill(m.choice())});
  if (!far_c) m.put_term(far, {far_negative, peak.exponent - distance, draw_fill(m.choice())});
  if (peak.in_c) m.put_c({negative, peak.exponent, draw_fill(m.choice())});
  if (far_c) m.put_c({far_negative, peak.exponent - distance, draw_fill(m.choice())});
  each_term(m, [&](int i, Draws& draws) {
    if ((i == far && !far_c) || (i == first && !peak.in_c)) return;
    const bool same = draws.coin();
    if (bare && (far_c || !same)) return;
    const int below = same ? distance : draws.between(0, distance);
    m.put_term(i, {draws.coin(), peak.exponent - below, draw_fill(draws)});
  });
}

// Each term in turn, then c, then two at once. What is below has all ones, so that where the holder has one bit only
// its value is not the largest: the nominal exponent decides.
void largest(Maker& m) {
  const int holder = m.counted(m.count() + 2);
  const bool in_c = holder == m.count(), tie = holder == m.count() + 1;
  const int peak = draw_shared_exponent(m);
  const int first = tie ? m.choice().between(0, m.count() - 1) : holder;
  const Fill held = m.choice().coin() ? Fill::one : Fill::ones;
  if (!in_c) m.put_term(m.index(first), {m.choice().coin(), peak, held});
  each_term(m, [&](int i, Draws& draws) {
    if (!in_c && i == m.index(first)) return;
    const bool ties = tie && i == m.index(first + 1);
    const int below = ties ? 0 : draws.coin() ? 1 : draws.between(1, m.facts().deepest);
    m.put_term(i, {draws.coin(), peak - below, ties ? held : Fill::ones});
  });
  const bool c_ties = tie && (m.count() == 1 || m.choice().coin());
  const int c_below = in_c || c_ties ? 0 : m.choice().between(1, 3);
  m.put_c({m.choice().coin(), peak - c_below, in_c ? held : Fill::ones});
}

// --- cancellation ---

int put_pairs(Maker& m, int exponent, bool one_unit) {
  const int pairs = m.choice().between(1, std::max(1, (m.count() - 1) / 2));
  const int first = m.choice().between(0, m.count() - 1);
  const bool neighbours = m.choice().coin();
  int second = 0;
  for (int j = 0; j < pairs; ++j) {
    const int x = m.index(first + (neighbours ? 2 * j : j));
    second = m.index(first + (neighbours ? 2 * j + 1 : j + pairs));
    m.put_term(x, {m.choice().coin(), exponent, draw_fill(m.choice())});
    m.put_negated(second, x);
  }
  if (one_unit && m.plan().a.mantissa_bits > 0) m.code_at(m.place_of_a(second)) ^= m.plan().a.stored(1);
  return m.index(first + 2 * pairs);
}

namespace {

// Minus the sum of the first products, cut to what c holds.
Code cancelling_c(const Maker& m, int products) {
  int grid = INT_MAX;
  for (int x = 0; x < products; ++x) grid = std::min(grid, m.product(m.index(x)).quantum);
  u128 sum = 0;  // two's complement
  for (int x = 0; x < products; ++x) {
    const Number p = m.product(m.index(x));
    const u128 value = shift_left(p.magnitude, p.quantum - grid);
    sum += p.negative ? -value : value;
  }
  Number n;
  n.negative = sum >> 127 == 0;
  n.magnitude = n.negative ? sum : -sum;
  n.quantum = grid;
  return rounded_code(m.plan().c, n, Cut::toward_zero);
}

void c_against_products(Maker& m) {
  const int base = draw_shared_exponent(m);
  m.level(base);
  const int products = m.choice().between(1, std::min(m.count(), 8));  // their exact sum fits 128 bits
  for (int x = 0; x < products; ++x) {
    Draws draws = m.draws(Part::term, m.index(x));
    m.put_term(m.index(x), {draws.coin(), base + draws.between(-1, 1), draw_fill(draws)});
  }
  m.code_at(m.place_of_c()) = cancelling_c(m, products);
}

}  // namespace

void cancellation(Maker& m) {
  enum { residue, total, one_unit, against_c, kinds };
  const int kind = m.count() < 3 ? against_c : m.counted(kinds);
  if (kind == against_c) return c_against_products(m);
  const int depth = m.counted(m.facts().deepest + 1, kinds);
  const Exponents room = m.facts().terms.meet(m.facts().terms.shifted(depth));
  const int peak = room.empty() ? m.facts().terms.greatest : m.choice().between(room.least, room.greatest);
  m.level(peak);
  const int left_over = put_pairs(m, peak, kind == one_unit);
  put_zero_c(m);
  if (kind != residue) return;
  // A levelled block has no room below: with scales c is what remains.
  const bool in_term = m.plan().scales == 0 && m.choice().coin();
  if (in_term) {
    m.put_term(left_over, {m.choice().coin(), peak - depth, draw_fill(m.choice())});
  } else {
    m.put_c({m.choice().coin(), peak - depth, draw_fill(m.choice())});
  }
}

// --- carries and rounding ---

void carry(Maker& m) {
  const int exponent = draw_shared_exponent(m);
  const bool negative = m.choice().coin();
  m.level(exponent, Fill::ones);
  each_term(m, [&](int i, Draws&) { m.put_term(i, {negative, exponent, Fill::ones}); });
  if (m.choice().coin()) m.put_c({negative, exponent, Fill::ones});
}

void rounding(Maker& m) {
  const std::vector<int>& edges = m.facts().edges;
  const int edge = edges[static_cast<std::size_t>(m.counted(static_cast<int>(edges.size()), tail_kinds))];
  const int deep_below = draw_deep(m, edge);
  const Peak peak = draw_peak(m, edge + deep_below);
  put_tail(m, counted_tail(m), peak.exponent - edge, deep_below, m.choice().coin());
  const bool negative = m.choice().coin();
  if (peak.in_c) {
    m.put_c({negative, peak.exponent, draw_fill(m.choice())});
  } else {
    m.put_term(m.index(0), {negative, peak.exponent, draw_fill(m.choice())});
    put_zero_c(m);
  }
}

}  // namespace assay::fills
