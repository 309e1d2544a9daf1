#include "tb/generate/families.hpp"

#include <array>
#include <numeric>

#include "tb/generate/codes.hpp"
#include "tb/generate/maker.hpp"

namespace assay {
namespace {

// --- what several families share ---

Fill draw_fill(Draws& draws) {
  constexpr std::array<Fill, 4> fills{Fill::one, Fill::last, Fill::ones, Fill::any};
  return fills[draws.below(fills.size())];
}

// Every chosen term with draws of its own.
template <class Put>
void each_term(Maker& m, Put put) {
  for (int x = 0; x < m.count(); ++x) {
    Draws draws = m.draws(Part::term, m.index(x));
    put(m.index(x), draws);
  }
}

// Where the largest exponent stands.
struct Peak {
  bool in_c;
  int exponent;
};

// A peak with room for terms `distance` below it: in a term or in c, drawn where both can be.
Peak draw_peak(Maker& m, int distance) {
  const Anatomy& f = m.facts();
  const Exponents room = f.terms.shifted(distance);
  const Exponents in_term = f.terms.meet(room), in_c = f.c.meet(room);
  const bool choose_c = in_term.empty() || m.count() == 1 || (!in_c.empty() && m.choice().coin());
  const Exponents& range = choose_c ? in_c : in_term;
  if (range.empty()) return {choose_c, choose_c ? f.c.greatest : f.terms.greatest};
  return {choose_c, m.choice().between(range.least, range.greatest)};
}

int draw_shared_exponent(Maker& m) {
  const Exponents& shared = m.facts().shared;
  return m.choice().between(shared.least, shared.greatest);
}

void put_zero_c(Maker& m) { m.code_at(m.place_of_c()) = zero_code(m.plan().c, m.choice().coin()); }

void put_near(Maker& m, int base, int spread) {
  each_term(
      m, [&](int i, Draws& draws) { m.put_term(i, draws.coin(), base + draws.between(-spread, spread), Fill::any); });
  m.put_c(m.choice().coin(), base + m.choice().between(-spread, spread), Fill::any);
}

Number whole_number(bool negative, std::uint64_t magnitude, int quantum = 0) {
  Number n;
  n.negative = negative;
  n.magnitude = magnitude;
  n.quantum = quantum;
  return n;
}

// --- any bits at all ---

void raw(Maker& m) {
  for (int place = 0; place < m.places(); ++place) {
    m.code_at(place) = m.draws_at(place).bits() & all_bits(m.format_at(place));
  }
}

// --- small integers, few and small enough that nothing is ever cut or rounded ---

int integer_bits(const Format& f) {
  return f.is_integer() ? f.stored_bits - 1 : std::min(f.significand_bits(), f.greatest_exponent() + 1);
}

Code draw_integer(const Format& f, int bits, Draws& draws) {
  const std::uint64_t magnitude = draws.below(std::uint64_t{1} << std::min(bits, integer_bits(f)));
  return rounded_code(f, whole_number(draws.coin(), magnitude), Cut::toward_zero);
}

//   n products below 2^2m each    n 2^2m <= 2^(exact - 1)
//   c                                |c| <  2^(exact - 1)
void small_integers(Maker& m) {
  const Plan& p = m.plan();
  const int budget = m.facts().exact_bits - 1;
  const int widest = std::max({1, std::min(integer_bits(p.a), budget / 2), std::min(integer_bits(p.b), budget / 2)});
  const int bits = 1 + m.counted(widest);
  const int terms =
      static_cast<int>(std::min(u128{static_cast<unsigned>(p.k)}, shift_left(1, std::max(0, budget - 2 * bits))));
  const int first = m.choice().between(0, p.k - 1);
  for (int x = 0; x < terms; ++x) {
    const int i = (first + x * (p.k / terms)) % p.k;
    Draws a = m.draws(Part::a, i), b = m.draws(Part::b, i);
    m.code_at(m.place_of_a(i)) = draw_integer(p.a, bits, a);
    m.code_at(m.place_of_b(i)) = draw_integer(p.b, bits, b);
  }
  Draws c = m.draws(Part::c, 0);
  m.code_at(m.place_of_c()) = draw_integer(p.c, budget, c);
}

// --- exponents ---

void near_exponents(Maker& m) { put_near(m, draw_shared_exponent(m), 2); }

// The peak, a term exactly `distance` below it (half the list away, so in another scale block where there are several),
// and the others there too or anywhere in between.
void alignment(Maker& m) {
  const int distance = m.counted(m.facts().reach + 4);
  const Peak peak = draw_peak(m, distance);
  const int holder = m.choice().between(0, m.count() - 1);
  const int first = m.index(holder), far = m.index(holder + m.count() / 2);
  if (!peak.in_c) m.put_term(first, m.choice().coin(), peak.exponent, draw_fill(m.choice()));
  m.put_term(far, m.choice().coin(), peak.exponent - distance, draw_fill(m.choice()));
  each_term(m, [&](int i, Draws& draws) {
    if (i == far || (i == first && !peak.in_c)) return;
    const int below = draws.coin() ? distance : draws.between(0, distance);
    m.put_term(i, draws.coin(), peak.exponent - below, draw_fill(draws));
  });
  if (peak.in_c || m.choice().coin()) {
    m.put_c(m.choice().coin(), peak.in_c ? peak.exponent : peak.exponent - distance, draw_fill(m.choice()));
  } else {
    put_zero_c(m);
  }
}

// Each term in turn, then c, then two at once. What is below has all ones, so that its value may be the larger one: the
// nominal exponent decides.
void largest(Maker& m) {
  const int holder = m.counted(m.count() + 2);
  const bool in_c = holder == m.count(), tie = holder == m.count() + 1;
  const int peak = draw_shared_exponent(m);
  const int first = tie ? m.choice().between(0, m.count() - 1) : holder;
  if (!in_c) m.put_term(m.index(first), m.choice().coin(), peak, Fill::one);
  each_term(m, [&](int i, Draws& draws) {
    if (!in_c && i == m.index(first)) return;
    const bool ties = tie && i == m.index(first + 1);
    const int below = ties ? 0 : draws.coin() ? 1 : draws.between(1, m.facts().reach + 3);
    m.put_term(i, draws.coin(), peak - below, ties ? Fill::one : Fill::ones);
  });
  const bool c_ties = tie && (m.count() == 1 || m.choice().coin());
  const int c_below = in_c || c_ties ? 0 : m.choice().between(1, 3);
  m.put_c(m.choice().coin(), peak - c_below, in_c ? Fill::one : Fill::ones);
}

// --- cancellation ---

// Pairs x and -x, the last of them maybe one unit in a's last place apart. Returns the index in k of a term left over.
int put_pairs(Maker& m, int exponent, bool one_unit) {
  const int pairs = m.choice().between(1, std::max(1, (m.count() - 1) / 2));
  const int first = m.choice().between(0, m.count() - 1);
  const bool neighbours = m.choice().coin();
  int second = 0;
  for (int j = 0; j < pairs; ++j) {
    const int x = m.index(first + (neighbours ? 2 * j : j));
    second = m.index(first + (neighbours ? 2 * j + 1 : j + pairs));
    m.put_term(x, m.choice().coin(), exponent, draw_fill(m.choice()));
    m.put_negated(second, x);
  }
  if (one_unit && m.plan().a.mantissa_bits > 0) m.code_at(m.place_of_a(second)) ^= m.plan().a.stored(1);
  return m.index(first + 2 * pairs);
}

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
    m.put_term(m.index(x), draws.coin(), base + draws.between(-1, 1), draw_fill(draws));
  }
  m.code_at(m.place_of_c()) = cancelling_c(m, products);
}

void cancellation(Maker& m) {
  enum { residue, total, one_unit, against_c, kinds };
  const int kind = m.count() < 3 ? against_c : m.counted(kinds);
  if (kind == against_c) return c_against_products(m);
  const int depth = m.counted(m.facts().reach + 4, kinds);
  const Exponents room = m.facts().terms.meet(m.facts().terms.shifted(depth));
  const int peak = room.empty() ? m.facts().terms.greatest : m.choice().between(room.least, room.greatest);
  m.level(peak);
  const int left_over = put_pairs(m, peak, kind == one_unit);
  put_zero_c(m);
  if (kind != residue) return;
  // A levelled block has no room below: with scales c is what remains.
  const bool in_term = m.plan().scales == 0 && m.choice().coin();
  if (in_term) {
    m.put_term(left_over, m.choice().coin(), peak - depth, draw_fill(m.choice()));
  } else {
    m.put_c(m.choice().coin(), peak - depth, draw_fill(m.choice()));
  }
}

// --- carries and rounding ---

void carry(Maker& m) {
  const int exponent = draw_shared_exponent(m);
  const bool negative = m.choice().coin();
  m.level(exponent, Fill::ones);
  each_term(m, [&](int i, Draws&) { m.put_term(i, negative, exponent, Fill::ones); });
  if (m.choice().coin()) m.put_c(negative, exponent, Fill::ones);
}

// What follows the last kept bit, as terms of one bit each, 2^-below of its unit; `second` is added or taken off.
struct Tail {
  int first;
  int second;
  bool minus;
};
constexpr int none = -1, deep = -2;  // deep: somewhere from 3 to 12 below
constexpr std::array<Tail, 7> tails{{
    {1, none, false},     // 0.1000
    {1, deep, false},     // 0.1001
    {1, deep, true},      // 0.0111
    {2, none, false},     // 0.0100
    {1, 2, false},        // 0.1100
    {0, deep, true},      // 0.1111
    {deep, none, false},  // 0.0001
}};

// In terms after index(0), as far as there are any.
void put_tail(Maker& m, const Tail& tail, int unit, bool negative) {
  const int below = m.choice().between(3, 12);
  const int apart = std::max(1, (m.count() - 1) / 2);
  const int bits[] = {tail.first, tail.second};
  for (int j = 0; j < 2; ++j) {
    if (bits[j] == none || (j == 1 && m.count() < 3)) continue;
    m.put_term(m.index(1 + j * apart), negative != (j == 1 && tail.minus), unit - (bits[j] == deep ? below : bits[j]),
               Fill::one);
  }
}

void rounding(Maker& m) {
  const std::vector<int>& edges = m.facts().edges;
  const Tail& tail = tails[static_cast<std::size_t>(m.counted(static_cast<int>(tails.size())))];
  const int edge = edges[static_cast<std::size_t>(m.counted(static_cast<int>(edges.size()), tails.size()))];
  const Peak peak = draw_peak(m, edge + 1);
  put_tail(m, tail, peak.exponent - edge, m.choice().coin());
  const bool negative = m.choice().coin();
  if (peak.in_c) {
    m.put_c(negative, peak.exponent, draw_fill(m.choice()));
  } else {
    m.put_term(m.index(0), negative, peak.exponent, draw_fill(m.choice()));
    put_zero_c(m);
  }
}

// --- the lower end ---

void subnormal_operands(Maker& m) {
  const Plan& p = m.plan();
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, draws.coin(), m.facts().terms.greatest, Fill::any);
    const bool in_a = draws.coin();
    const Format& f = in_a ? p.a : p.b;
    m.code_at(in_a ? m.place_of_a(i) : m.place_of_b(i)) = subnormal_code(f, draws.coin(), draws.bits());
  });
  const int c = p.a.least_exponent() + p.b.greatest_exponent() - m.choice().between(0, p.a.mantissa_bits);
  m.put_c(m.choice().coin(), c, Fill::any);
}

void subnormal_results(Maker& m) {
  const Format& d = m.plan().d;
  const int deepest = d.mantissa_bits + 4;
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, draws.coin(), d.least_exponent() - draws.between(-3, deepest), draw_fill(draws));
  });
  const Code c = subnormal_code(m.plan().c, m.choice().coin(), m.choice().bits());
  if (m.choice().coin()) m.code_at(m.place_of_c()) = c;
}

void near_a_floor(Maker& m, bool with_zero) {
  const std::vector<int>& floors = m.facts().floors;
  const int floor = floors[m.choice().below(floors.size())];
  each_term(m,
            [&](int i, Draws& draws) { m.put_term(i, draws.coin(), floor + draws.between(-4, 4), draw_fill(draws)); });
  m.put_c(m.choice().coin(), floor + m.choice().between(-4, 4), draw_fill(m.choice()));
  if (!with_zero) return;
  const int at = m.choice().between(0, m.count());
  if (at == m.count()) return put_zero_c(m);
  const int zero = m.index(at);
  m.code_at(m.place_of_a(zero)) = zero_code(m.plan().a, m.choice().coin());
}

void subnormals(Maker& m) {
  switch (m.counted(4)) {
    case 0: return subnormal_operands(m);
    case 1: return subnormal_results(m);
    case 2: return near_a_floor(m, false);
    case 3: return near_a_floor(m, true);
  }
}

void tiny(Maker& m) {
  const bool least_scales = m.choice().coin();
  const bool zero_c = m.choice().coin();
  for (int place = 0; place < m.places(); ++place) {
    const Format& f = m.format_at(place);
    Draws draws = m.draws_at(place);
    if (place > m.place_of_c() && !least_scales) continue;
    const Code codes[] = {subnormal_code(f, false, 1), subnormal_code(f, false, ~Code{0}),
                          normal_code(f, false, f.least_exponent(), 0)};
    const Code code = codes[draws.below(3)];
    m.code_at(place) = f.has_sign && draws.coin() ? negated_code(f, code) : code;
  }
  if (zero_c) put_zero_c(m);
}

// --- the upper end ---

// c within two codes of the greatest, and a tail at its last bit.
void overflow_by_a_unit(Maker& m) {
  const Plan& p = m.plan();
  const bool negative = m.choice().coin();
  m.code_at(m.place_of_c()) = greatest_code(p.c, negative, m.choice().between(0, 2));
  const Tail& tail = tails[static_cast<std::size_t>(m.counted(static_cast<int>(tails.size()), 4))];
  put_tail(m, tail, p.d.greatest_exponent() - p.d.mantissa_bits, m.choice().below(4) == 0 ? !negative : negative);
}

// All terms of one sign, their sum about where d ends.
void overflow_by_many(Maker& m) {
  const int each = m.plan().d.greatest_exponent() - bit_length(static_cast<std::uint64_t>(m.count()));
  const bool negative = m.choice().coin();
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, negative, each + draws.between(-1, 1), draws.coin() ? Fill::ones : Fill::any);
  });
  if (m.choice().coin()) m.put_c(m.choice().coin(), m.plan().d.greatest_exponent(), draw_fill(m.choice()));
}

// Products about where they, or d, become infinite; in pairs the sums on the way are too large and the total is not.
void overflow_by_products(Maker& m, bool in_pairs) {
  const int limit = m.plan().datapath.product.infinity_at.value_or(m.plan().d.greatest_exponent() + 1);
  const int few = std::min(m.count(), m.choice().between(1, 4));
  for (int x = 0; x < few; ++x) {
    const int i = m.index(x);
    if (in_pairs && x % 2 == 1) {
      m.put_negated(i, m.index(x - 1));
    } else {
      Draws draws = m.draws(Part::term, i);
      m.put_term(i, draws.coin(), limit - draws.between(-1, 2), draws.coin() ? Fill::ones : Fill::any);
    }
  }
  m.put_c(m.choice().coin(), m.choice().coin() ? limit - 1 : 0, Fill::any);
}

void overflow(Maker& m) {
  switch (m.counted(4)) {
    case 0: return overflow_by_a_unit(m);
    case 1: return overflow_by_many(m);
    case 2: return overflow_by_products(m, false);
    case 3: return overflow_by_products(m, true);
  }
}

// --- special values and zeros ---

constexpr int special_kinds = 6;

Code special_code(const Format& f, int kind, Draws& draws) {
  switch (kind) {
    case 0: return nan_code(f, draws.coin(), draws.bits());
    case 1: return infinity_code(f, false);
    case 2: return infinity_code(f, true);
    case 3: return zero_code(f, false);
    case 4: return zero_code(f, true);
    case 5: return greatest_code(f, draws.coin());
  }
  return 0;
}

// 0..total-1 in an order that comes by everywhere soon: turn x stride mod total, the stride near the golden section.
std::uint64_t scattered(std::uint64_t turn, std::uint64_t total) {
  std::uint64_t stride = total * 618 / 1000 + 1;
  while (std::gcd(stride, total) != 1) ++stride;
  return static_cast<std::uint64_t>(u128{turn} * stride % total);
}

// Ordinary terms, and two special values at two places: all kinds at all pairs of places, one after the other. The
// number of places is odd, so each pair is some (place, place + distance) with a distance of less than half of them.
void specials(Maker& m) {
  put_near(m, draw_shared_exponent(m), 2);
  const auto places = static_cast<std::uint64_t>(m.places());
  std::uint64_t left = scattered(m.turn(), places * (places / 2 + 1) * special_kinds * special_kinds);
  const auto take = [&](std::uint64_t choices) {
    const auto taken = static_cast<int>(left % choices);
    left /= choices;
    return taken;
  };
  const int kinds[] = {take(special_kinds), take(special_kinds)};
  const int first = take(places);
  const int second = (first + take(places / 2 + 1)) % m.places();
  m.code_at(first) = special_code(m.format_at(first), kinds[0], m.choice());
  m.code_at(second) = special_code(m.format_at(second), kinds[1], m.choice());
}

// A zero on one side, on the other anything finite.
void put_zero_product(Maker& m, int i, Draws& draws, bool huge) {
  const bool zero_a = draws.coin();
  const int zero = zero_a ? m.place_of_a(i) : m.place_of_b(i), other = zero_a ? m.place_of_b(i) : m.place_of_a(i);
  const Format& f = m.format_at(other);
  m.code_at(zero) = zero_code(m.format_at(zero), draws.coin());
  m.code_at(other) = huge           ? greatest_code(f, draws.coin())
                     : draws.coin() ? zero_code(f, draws.coin())
                                    : normal_code(f, draws.coin(), 0, draws.bits());
}

void signed_zeros(Maker& m) {
  const int kind = m.counted(3);
  if (kind == 0 || m.count() < 3) {
    each_term(m, [&](int i, Draws& draws) { put_zero_product(m, i, draws, false); });
  } else if (kind == 1) {
    const int exponent = draw_shared_exponent(m);
    m.level(exponent);
    put_pairs(m, exponent, false);
  } else {
    tiny(m);
  }
  put_zero_c(m);
}

void zero_times_huge(Maker& m) {
  const int low = m.facts().terms.least;
  const int zero = m.choice().between(0, m.count() - 1);
  each_term(m, [&](int i, Draws& draws) {
    const bool is_zero = i == m.index(zero) || draws.coin();
    if (is_zero) return put_zero_product(m, i, draws, true);
    m.put_term(i, draws.coin(), low + draws.between(0, 3), Fill::any);
  });
  if (m.choice().coin()) m.put_c(m.choice().coin(), low + m.choice().between(0, 3), Fill::any);
}

// --- scales ---

void scale_extremes(Maker& m) {
  const Format& f = *m.plan().scale;
  put_near(m, m.facts().products.greatest, 4);
  for (int place = m.place_of_c() + 1; place < m.places(); ++place) {
    Draws draws = m.draws_at(place);
    const Code codes[] = {normal_code(f, false, f.least_exponent(), 0), greatest_code(f, false), zero_code(f, false),
                          subnormal_code(f, false, 1), one_code(f)};
    m.code_at(place) = codes[draws.below(5)];
  }
  if (m.counted(4) != 0) return;
  const int nan = m.choice().between(m.place_of_c() + 1, m.places() - 1);
  m.code_at(nan) = nan_code(f, false, 0);
}

// --- what programs compute ---

// Twelve uniform values less their mean: about normal, with deviation 1; and finer bits below.
Number draw_gaussian(Draws& draws, int scaled_by) {
  std::int64_t sum = -6 * 0xffff;
  for (int word = 0; word < 3; ++word) {
    const std::uint64_t bits = draws.bits();
    for (int at = 0; at < 64; at += 16) sum += static_cast<std::int64_t>(bits >> at & 0xffff);
  }
  const bool negative = sum < 0;
  const auto coarse = static_cast<std::uint64_t>(negative ? -sum : sum);
  return whole_number(negative, coarse << 32 | draws.bits() >> 32, scaled_by - 48);
}

void gaussian(Maker& m) {
  const int c_scale = bit_length(static_cast<std::uint64_t>(m.plan().k)) / 2;  // as large as the sum
  for (int place = 0; place <= m.place_of_c(); ++place) {
    Draws draws = m.draws_at(place);
    const Number n = draw_gaussian(draws, place == m.place_of_c() ? c_scale : 0);
    m.code_at(place) = rounded_code(m.format_at(place), n, Cut::nearest_even);
  }
}

void log_uniform(Maker& m) {
  for (int place = 0; place < m.places(); ++place) {
    const Format& f = m.format_at(place);
    Draws draws = m.draws_at(place);
    const Exponents range = range_of(f).meet({-12, 12});
    if (range.empty()) continue;
    m.code_at(place) = normal_code(f, draws.coin(), draws.between(range.least, range.greatest), draws.bits());
  }
}

// --- integers ---

Code draw_integer_edge(const Format& f, Draws& draws) {
  const bool negative = draws.coin();
  const int nearby = draws.between(0, 2);
  if (draws.coin()) return greatest_code(f, negative, nearby);
  return rounded_code(f, whole_number(negative, static_cast<std::uint64_t>(nearby)), Cut::toward_zero);
}

// The ends of the range and zero, with a neighbour or two; in every other case all elements of a side are the same.
void integer_edges(Maker& m) {
  const bool alike = m.counted(2) == 0;
  for (int place = 0; place < m.places(); ++place) {
    const bool in_a = place < m.place_of_b(0), in_c = place == m.place_of_c();
    Draws draws = m.draws_at(!alike || in_c ? place : in_a ? m.place_of_a(0) : m.place_of_b(0));
    m.code_at(place) = draw_integer_edge(m.format_at(place), draws);
  }
}

bool always(const Plan&) { return true; }
bool floating(const Plan& plan) { return !plan.d.is_integer(); }
bool integers(const Plan& plan) { return plan.d.is_integer(); }
bool scaled(const Plan& plan) { return plan.scales > 0; }

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> table{
      {"raw", "codes nobody thought of, and bits that should have been ignored", always, raw},
      {"small_integers", "operands in the wrong place: nothing rounds, so every difference is one of layout", always,
       small_integers},
      {"near_exponents", "wrong sums where every term is kept whole or nearly so", floating, near_exponents},
      {"alignment", "one bit too few or too many kept below the largest exponent, or a lost sticky bit", floating,
       alignment},
      {"largest", "a term, c or a tie left out of the search for the largest exponent", floating, largest},
      {"cancellation", "normalisation, and bits that a cancelled sum should still have, or no longer", floating,
       cancellation},
      {"carry", "a sum register one bit too narrow", floating, carry},
      {"rounding", "a wrong rounding mode, tie or sticky bit at any cut of the datapath", floating, rounding},
      {"subnormals", "subnormals flushed or kept by mistake, and a wrong floor of the window", floating, subnormals},
      {"overflow", "the step from the greatest number to infinity, one unit early or late", floating, overflow},
      {"specials", "a NaN or infinity overlooked at some place or next to some other", floating, specials},
      {"signed_zeros", "the sign of an exact zero", floating, signed_zeros},
      {"tiny", "underflow where everything is as small as it can be", floating, tiny},
      {"zero_times_huge", "a zero product whose exponent takes part in the search for the largest", floating,
       zero_times_huge},
      {"scale_extremes", "scales that are NaN, zero, the least or the greatest", scaled, scale_extremes},
      {"gaussian", "what a network's layers would notice", floating, gaussian},
      {"log_uniform", "what data of many magnitudes would notice", floating, log_uniform},
      {"integer_edges", "saturation in place of wrapping, a lost carry, a wrong sign extension", integers,
       integer_edges},
  };
  return table;
}

std::vector<const Family*> families_for(const Plan& plan) {
  std::vector<const Family*> suitable;
  for (const Family& family : families()) {
    if (family.suits(plan)) suitable.push_back(&family);
  }
  return suitable;
}

const Family* find_family(const Plan& plan, std::string_view name) {
  for (const Family* family : families_for(plan)) {
    if (family->name == name) return family;
  }
  return nullptr;
}

std::string family_names(const Plan& plan) {
  std::string names;
  for (const Family* family : families_for(plan)) names += (names.empty() ? "" : ", ") + std::string(family->name);
  return names;
}

}  // namespace assay
