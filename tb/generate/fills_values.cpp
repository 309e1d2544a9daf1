#include <numeric>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

Number whole_number(bool negative, std::uint64_t magnitude, int quantum = 0) {
  Number n;
  n.negative = negative;
  n.magnitude = magnitude;
  n.quantum = quantum;
  return n;
}

}  // namespace

// --- any bits at all ---

void raw(Maker& m) {
  for (int place = 0; place < m.places(); ++place) {
    m.code_at(place) = m.draws_at(place).bits() & all_bits(m.format_at(place));
  }
}

// --- integers, few and small enough that nothing is ever cut or rounded ---

namespace {

int integer_bits(const Format& f) {
  return f.is_integer() ? f.stored_bits - 1 : std::min(f.significand_bits(), f.greatest_exponent() + 1);
}

Code draw_integer(const Format& f, int bits, Draws& draws) {
  const int most = std::max(0, std::min(bits, integer_bits(f)));  // 0: the format holds no integer but zero
  const std::uint64_t magnitude = draws.below(std::uint64_t{1} << most);
  return rounded_code(f, whole_number(draws.coin(), magnitude), Cut::toward_zero);
}

}  // namespace

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

// --- special values and zeros ---

namespace {

constexpr int special_kinds = 6;

Code special_code(const Format& f, int kind, Draws& draws) {
  const bool negative = draws.coin();
  switch (kind) {
    case 0: return nan_code(f, negative, draws.bits());
    case 1: return infinity_code(f, false);
    case 2: return infinity_code(f, true);
    case 3: return zero_code(f, false);
    case 4: return zero_code(f, true);
    case 5: return greatest_code(f, negative);
  }
  return 0;
}

// 0..total-1 in an order that comes by everywhere soon: turn x stride mod total, the stride near the golden section.
std::uint64_t scattered(std::uint64_t turn, std::uint64_t total) {
  std::uint64_t stride = total * 618 / 1000 + 1;
  while (std::gcd(stride, total) != 1) ++stride;
  return static_cast<std::uint64_t>(u128{turn} * stride % total);
}

}  // namespace

// Ordinary terms, and two special values at two places: all kinds at all pairs of places, one after the other. The
// number of places is odd, so each pair is some (place, place + distance) with a distance below half of them.
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

namespace {

// A zero on one side, `other` on the other.
void put_zero_product(Maker& m, int i, bool negative, Code (*other)(const Format&, bool negative, Draws&)) {
  Draws draws = m.draws(Part::a, i);
  const bool zero_a = draws.coin(), negative_zero = draws.coin();
  const int zero = zero_a ? m.place_of_a(i) : m.place_of_b(i), beside = zero_a ? m.place_of_b(i) : m.place_of_a(i);
  m.code_at(zero) = zero_code(m.format_at(zero), negative_zero);
  m.code_at(beside) = other(m.format_at(beside), negative != negative_zero, draws);
}

Code zero_or_near_one(const Format& f, bool negative, Draws& draws) {
  return draws.coin() ? zero_code(f, negative) : normal_code(f, negative, 0, draws.bits());
}

Code huge(const Format& f, bool negative, Draws&) { return greatest_code(f, negative); }

// All terms, since a zero of the other sign anywhere makes the sum +0: all of one sign, or of any.
void only_zeros(Maker& m) {
  const bool alike = m.choice().coin(), negative = m.choice().coin();
  for (int i = 0; i < m.plan().k; ++i) {
    const bool any = m.draws(Part::term, i).coin();
    put_zero_product(m, i, alike ? negative : any, zero_or_near_one);
  }
}

}  // namespace

void signed_zeros(Maker& m) {
  const int kind = m.count() < 3 ? 0 : m.counted(3);
  if (kind == 0) {
    only_zeros(m);
  } else if (kind == 1) {
    const int exponent = draw_shared_exponent(m);
    m.level(exponent);
    put_pairs(m, exponent, false);
  } else {
    each_term(m, [&](int i, Draws& draws) {
      m.code_at(m.place_of_a(i)) = draw_tiny(m.plan().a, draws);
      m.code_at(m.place_of_b(i)) = draw_tiny(m.plan().b, draws);
    });
  }
  put_zero_c(m);
}

void zero_times_huge(Maker& m) {
  const int low = m.facts().terms.least;
  const int zero = m.choice().between(0, m.count() - 1);
  each_term(m, [&](int i, Draws& draws) {
    const bool is_zero = i == m.index(zero) || draws.coin(), negative = draws.coin();
    if (is_zero) return put_zero_product(m, i, negative, huge);
    m.put_term(i, {negative, low + draws.between(0, 3), Fill::any});
  });
  if (m.choice().coin()) m.put_c({m.choice().coin(), low + m.choice().between(0, 3), Fill::any});
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

namespace {

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

}  // namespace

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
    const bool negative = draws.coin();
    const int exponent = draws.between(range.least, range.greatest);
    m.code_at(place) = normal_code(f, negative, exponent, draws.bits());
  }
}

// --- integers ---

namespace {

Code draw_integer_edge(const Format& f, Draws& draws) {
  const bool negative = draws.coin();
  const int nearby = draws.between(0, 2);
  if (draws.coin()) return greatest_code(f, negative, nearby);
  return rounded_code(f, whole_number(negative, static_cast<std::uint64_t>(nearby)), Cut::toward_zero);
}

}  // namespace

// The ends of the range and zero, with a neighbour or two; in every other case all elements of a side are the same.
void integer_edges(Maker& m) {
  const bool alike = m.counted(2) == 0;
  for (int place = 0; place < m.places(); ++place) {
    const bool in_a = place < m.place_of_b(0), in_c = place == m.place_of_c();
    Draws draws = m.draws_at(!alike || in_c ? place : in_a ? m.place_of_a(0) : m.place_of_b(0));
    m.code_at(place) = draw_integer_edge(m.format_at(place), draws);
  }
}

}  // namespace assay::fills
