#include "model/core/decode.hpp"
#include "model/core/round.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

// --- exponents ---

void near_exponents(Maker& m) { put_near(m, draw_shared_exponent(m), 2); }

namespace {

// The holder of the largest exponent, and what is exactly `distance` below it: alone, so that nothing hides what is cut
// off, and mostly of the opposite sign, so that one kept bit borrows from the whole sum. A far term is half the list
// away: in another scale block, where there are several.
void one_below(Maker& m, int distance, bool peak_in_c, bool far_in_c) {
  const Exponents room = m.facts().terms.shifted(distance);
  const Exponents range =
      (peak_in_c ? m.facts().c : m.facts().terms).meet(far_in_c ? m.facts().c.shifted(distance) : room);
  const Exponents& whole = peak_in_c ? m.facts().c : m.facts().terms;
  const int peak = range.empty() ? whole.greatest : m.choice().between(range.least, range.greatest);
  const int holder = m.choice().between(0, m.count() - 1);
  const bool negative = m.choice().coin(), far_negative = negative != (m.choice().below(4) != 0);
  const Fill held = draw_fill(m.choice()), below = draw_fill(m.choice());
  const int far = m.index(holder + (peak_in_c ? 0 : m.count() / 2));
  if (peak_in_c) {
    m.put_c({negative, peak, held});
  } else {
    m.put_term(m.index(holder), {negative, peak, held});
  }
  if (far_in_c) {
    m.put_c({far_negative, peak - distance, below});
  } else {
    m.put_term(far, {far_negative, peak - distance, below});
  }
}

// Each term a step further below the peak than the one before it, and after the deepest at the top again. Turn after
// turn all move down by one, so that each comes by at every distance. c is at the peak where no term is.
void staircase(Maker& m, int first, int times) {
  const int distances = m.facts().deepest + 1, step = 9 - 2 * m.counted(5, times * distances);
  const Exponents& shared = m.facts().shared;
  const Exponents room = shared.meet(m.facts().terms.shifted(distances - 1));
  const int peak = room.empty() ? shared.greatest : m.choice().between(room.least, room.greatest);
  bool led_by_term = false;
  for (int x = 0; x < m.plan().k; ++x) {
    Draws draws = m.draws(Part::term, m.ordered(x));
    const int below = (first + x * step) % distances;
    led_by_term = led_by_term || below == 0;
    m.put_term(m.ordered(x), {draws.coin(), peak - below, draw_fill(draws)});
  }
  const int c_below = led_by_term ? m.choice().between(0, distances - 1) : 0;
  m.put_c({m.choice().coin(), peak - c_below, draw_fill(m.choice())});
}

// Where terms do not reach so far down: c alone so far above all of them, which lie within a few exponents.
void all_below_c(Maker& m, int distance) {
  const Exponents terms = m.facts().terms;
  const int peak = m.facts().c.nearest(terms.greatest + distance);
  for (int x = 0; x < m.plan().k; ++x) {
    Draws draws = m.draws(Part::term, m.ordered(x));
    m.put_term(m.ordered(x), {draws.coin(), terms.greatest - draws.between(0, 3), draw_fill(draws)});
  }
  m.put_c({m.choice().coin(), peak, draw_fill(m.choice())});
}

}  // namespace

// Every distance in turn, held and met by terms and by c.
void alignment(Maker& m) {
  enum { c_below_term, term_below_c, term_below_term, stairs };
  const int kinds = m.plan().k == 1 ? 2 : 4;  // one term lies below no other
  const int kind = m.counted(kinds), distance = m.counted(m.facts().deepest + 1, kinds);
  switch (kind) {
    case term_below_term: return one_below(m, distance, m.count() == 1, false);
    case c_below_term: return one_below(m, distance, false, true);
    case term_below_c: return one_below(m, distance, true, false);
    default: break;
  }
  const Exponents& terms = m.facts().terms;
  const bool reach = terms.greatest - terms.least >= m.facts().deepest;
  const int pass = m.counted(2, kinds * (m.facts().deepest + 1));
  if (reach || (distance + pass) % 2 == 0) return staircase(m, distance, kinds);
  all_below_c(m, distance);
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

namespace {

// Another number, one unit of the last place away.
Code beside(const Format& format, Code code) {
  return format.is_list() ? nearer_to_zero(format, code, 1) : code ^ format.stored(1);
}

}  // namespace

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
  if (one_unit && m.plan().a.mantissa_bits > 0)
    m.code_at(m.place_of_a(second)) = beside(m.plan().a, m.code_at(m.place_of_a(second)));
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

// The number, and one bit more or less so far below its leading one.
Number with_bit_below(Number n, int depth, bool more) {
  const int place = bit_length(n.magnitude) - 1 - depth;
  if (place < 0) n.magnitude <<= -place, n.quantum += place;
  const u128 bit = u128{1} << std::max(0, place);
  n.magnitude = more ? n.magnitude + bit : n.magnitude - bit;
  return n;
}

// Minus the sum in c; or all but one bit of it, `depth` below the leading one, each in turn as far down as c has bits
// and one further.
void c_against_products(Maker& m, int turn) {
  const Format& c = m.plan().c;
  const int base = draw_shared_exponent(m);
  m.level(base);
  const int products = m.choice().between(1, std::min(m.count(), 8));  // their exact sum fits 128 bits
  for (int x = 0; x < products; ++x) {
    Draws draws = m.draws(Part::term, m.index(x));
    m.put_term(m.index(x), {draws.coin(), base + draws.between(-1, 1), draw_fill(draws)});
  }
  Number n = decode(cancelling_c(m, products), c, Subnormals::keep, Specials::step);
  const int depth = 1 + turn / 2 % c.significand_bits();
  if (turn % 2 == 1 && n.is_finite() && n.magnitude != 0) n = with_bit_below(n, depth, m.choice().coin());
  m.code_at(m.place_of_c()) = rounded_code(c, n, Cut::toward_zero);
}

// 2^exponent, or 1.5 x 1.5 times that.
void put_equal(Maker& m, int i, bool negative, int exponent, bool one_and_a_half) {
  m.put_bit(i, negative, exponent);
  if (!one_and_a_half) return;
  m.code_at(m.place_of_a(i)) |= half_code(m.plan().a);
  m.code_at(m.place_of_b(i)) |= half_code(m.plan().b);
}

// c against 2^few equal products, or 1.125 of it against products of 1.5 x 1.5, which reach as far up as c does. What
// is left is one term `depth` below c, far enough down for some cut to go through it.
void c_against_equals(Maker& m, int depth) {
  const Anatomy& f = m.facts();
  const Plan& p = m.plan();
  const int most = most_doublings(m);
  const bool can = std::min(p.a.mantissa_bits, p.b.mantissa_bits) > 0 && p.c.mantissa_bits > 2;
  const bool nines = can && (m.choice().coin() || f.products.greatest + most < f.c.greatest);
  const int reach = most + (nines ? 1 : 0);
  const Exponents room = f.c.meet({f.products.least + reach, f.products.greatest + reach});
  if (p.scales != 0 || room.empty()) return c_against_products(m, 0);
  const bool any = m.choice().below(4) == 0;
  const int exponent = any ? m.choice().between(room.least, room.greatest) : room.greatest;
  const bool negative = m.choice().coin();
  for (int x = 0; x < 1 << most; ++x) put_equal(m, m.index(x), negative, exponent - reach, nines);
  m.code_at(m.place_of_c()) = normal_code(p.c, !negative, exponent, nines ? Code{1} << (p.c.mantissa_bits - 3) : 0);
  m.put_term(m.index(1 << most), {m.choice().coin(), exponent - depth, draw_fill(m.choice())});
}

// Every depth in turn, and every other time one where the product's own bits reach across a cut, of windows if there
// are any.
int depth_at_a_cut(Maker& m, int times) {
  const Anatomy& f = m.facts();
  if (m.counted(2, times) == 0) return m.counted(f.deepest + 1, 2 * times);
  const auto first = std::upper_bound(f.edges.begin(), f.edges.end() - 1, m.plan().d.mantissa_bits);
  const int edge =
      first[static_cast<std::ptrdiff_t>(m.choice().below(static_cast<std::uint64_t>(f.edges.end() - first)))];
  return std::max(0, edge - m.choice().between(0, m.plan().a.mantissa_bits + m.plan().b.mantissa_bits + 1));
}

}  // namespace

void cancellation(Maker& m) {
  enum { residue, total, one_unit, against_c, against_equals, kinds };
  const bool few = m.count() < 3;
  const int kind = few ? against_c : m.counted(kinds), turn = static_cast<int>(m.turn() / (few ? 1 : kinds) % 65536);
  if (kind == against_c) return c_against_products(m, turn);
  if (kind == against_equals) return c_against_equals(m, depth_at_a_cut(m, kinds));
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

namespace {

// As large as a sum of terms of one exponent can be.
void carry_by_many(Maker& m) {
  const int exponent = draw_shared_exponent(m);
  const bool negative = m.choice().coin();
  m.level(exponent, Fill::ones);
  each_term(m, [&](int i, Draws&) { m.put_term(i, {negative, exponent, Fill::ones}); });
  if (m.choice().coin()) m.put_c({negative, exponent, Fill::ones});
}

// c is all ones, and a bit at its end, or where something is cut, carries through to the top.
void carry_through(Maker& m) {
  const std::vector<int>& edges = m.facts().edges;
  const int last = m.plan().c.mantissa_bits, edge = edges[m.choice().below(edges.size())];
  const int below = m.choice().coin() ? last : edge;
  const Exponents range = m.facts().c.meet(m.facts().terms.shifted(below));
  const int exponent = range.empty() ? m.facts().c.greatest : m.choice().between(range.least, range.greatest);
  const bool negative = m.choice().coin();
  m.put_c({negative, exponent, Fill::ones});
  m.put_bit(m.index(m.choice().between(0, m.count() - 1)), negative, exponent - below);
}

}  // namespace

void carry(Maker& m) { m.counted(3) == 2 ? carry_through(m) : carry_by_many(m); }

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

namespace {

// Where the leading bit of a sum lies, seen from the exponent of its window.
enum Lead { borrowed = -1, level = 0, carried = 1 };

// 2^exponent, in c or in a term, and once more where the sum shall carry; returns the number of terms used.
int put_peak(Maker& m, const Peak& peak, bool negative, Lead lead) {
  int used = 0;
  if (peak.in_c) {
    m.put_c({negative, peak.exponent, Fill::one});
  } else {
    m.put_bit(m.index(used++), negative, peak.exponent);
  }
  if (lead == carried) m.put_bit(m.index(used++), negative, peak.exponent);
  return used;
}

// How far below the largest exponent the bit may stand that decides a tie: next to the half, and on either side of
// wherever something else is cut.
std::vector<int> deciders(const Maker& m, int half) {
  std::vector<int> distances{half + 1, half + 2};
  for (const int edge : m.facts().edges) {
    for (const int distance : {edge, edge + 1}) {
      if (distance > distances.back()) distances.push_back(distance);
    }
  }
  return distances;
}

// The product of the greatest a and b, in units of 2^unit; 0 where it is no such multiple.
u128 greatest_product(const Plan& p, int unit) {
  if (p.a.is_list() || p.b.is_list() || p.a.is_integer() || p.b.is_integer()) return 0;
  const Number a = greatest(p.a, false), b = greatest(p.b, false);
  const int up = a.quantum + b.quantum - unit;
  return up < 0 || up > 64 ? 0 : (a.magnitude * b.magnitude) << up;
}

// Products whose sum is 2^lead: as many greatest ones as fit, and powers of two. Empty where `most` do not suffice.
struct Sum {
  int greatest = 0;         // of them
  std::vector<int> powers;  // exponents

  int count() const { return greatest + static_cast<int>(powers.size()); }
};
std::optional<Sum> sum_of_products(const Maker& m, int lead, int unit, int most) {
  const u128 large = greatest_product(m.plan(), unit);
  const int highest = m.facts().powers.greatest;
  if (highest < unit) return std::nullopt;
  Sum sum;
  for (u128 left = u128{1} << (lead - unit); left != 0 && sum.count() <= most;) {
    if (large != 0 && left >= large) {
      left -= large;
      ++sum.greatest;
    } else {
      const int power = std::min(bit_length(left) - 1 + unit, highest);
      left -= u128{1} << (power - unit);
      sum.powers.push_back(power);
    }
  }
  return sum.count() <= most ? std::optional(sum) : std::nullopt;
}

// Those of the first step whose products are on, in the order in which they are added; the case brings the mask.
std::vector<int> first_elements(Maker& m) {
  const std::vector<Code> on = m.put_pattern();
  std::vector<int> found;
  for (int i = 0; i < m.plan().element_terms(); ++i) {
    const int element = m.ordered(i);
    if (on[static_cast<std::size_t>(element)] != 0) found.push_back(element);
  }
  return found;
}

// A tie of many products and half of d's last bit in one more, and c below all that the window keeps: where no product
// is so small that c or another one cuts it off. All are of the first step, which adds c. One case in four; false where
// it is none.
bool tie_above_c(Maker& m) {
  const Plan& p = m.plan();
  const Exponents terms = m.facts().powers;
  const bool deep = terms.least < std::max(terms.greatest, p.c.greatest_exponent()) - m.facts().edges.back();
  if (deep || m.counted(4) != 3 || p.c.is_integer() || p.c.is_list() || p.d.is_integer() || p.scales > 0) return false;
  const int half = terms.least + m.choice().between(0, 2), lead = half + p.d.mantissa_bits + 1;
  const std::vector<int> elements = first_elements(m);
  const std::optional<Sum> sum = sum_of_products(m, lead, half, static_cast<int>(elements.size()) - 1);
  const int decider = std::min(lead, terms.greatest) - m.facts().edges.back() - 1;
  if (!sum || !(powers_of(p.c).least <= decider && decider <= p.c.greatest_exponent())) return false;
  const bool negative = p.a.has_sign && m.choice().coin();
  auto next = elements.begin();
  for (int i = 0; i < sum->greatest; ++i, ++next) {
    m.code_at(m.place_of_a(*next)) = p.a.stored(p.a.greatest_finite() | (negative ? p.a.sign_bit() : 0));
    m.code_at(m.place_of_b(*next)) = p.b.stored(p.b.greatest_finite());
  }
  for (const int power : sum->powers) m.put_bit(*next++, negative, power);
  m.put_bit(*next, negative, half);
  m.code_at(m.place_of_c()) = power_code(p.c, negative, decider);
  return true;
}

}  // namespace

// A power of two, half of d's last bit there, and a bit that decides the tie. The tie goes to the even number, so the
// decider, if it counts, goes to the odd one: outward where the last bit is 0, inward where it is 1.
//
//   1 0 0 .. 0 0 | 1 0 0 0 .. 0 +1
//   1 0 0 .. 0 1 | 1 0 0 0 .. 0 -1
void ties(Maker& m) {
  if (tie_above_c(m)) return;
  const int mantissa = m.plan().d.mantissa_bits;
  const auto lead = static_cast<Lead>(m.counted(3) - 1);
  const int half = mantissa + 1 - lead;
  const std::vector<int> distances = deciders(m, half);
  const int decider = distances[static_cast<std::size_t>(m.counted(static_cast<int>(distances.size()), 24))];
  const Peak peak = draw_peak(m, decider, m.counted(2, 3) == 0, half - 1);
  const bool odd = m.counted(2, 6) == 0, negative = m.counted(2, 12) == 0;
  const bool half_negative = negative != (lead == borrowed);
  const int used = put_peak(m, peak, negative, lead);
  const int apart = m.choice().coin() ? 1 : std::max(1, m.count() / 2 - 1);
  if (used + apart >= m.count()) return put_tail(m, counted_tail(m), peak.exponent - mantissa, 3, negative);
  m.put_bit(m.index(used), half_negative, peak.exponent - half);
  m.put_bit(m.index(used + apart), half_negative != odd, peak.exponent - decider);
  const int unit = peak.exponent - half + 1;
  if (!odd) return;
  if (used + apart + 1 < m.count()) return m.put_bit(m.index(used + apart + 1), half_negative, unit);
  if (!peak.in_c) m.put_c({half_negative, unit, Fill::one});
}

}  // namespace assay::fills
