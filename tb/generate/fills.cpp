#include "tb/generate/fills.hpp"

#include <array>

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"

namespace assay::fills {

Number whole_number(bool negative, std::uint64_t magnitude, int quantum) {
  Number n;
  n.negative = negative;
  n.magnitude = magnitude;
  n.quantum = quantum;
  return n;
}

namespace {

// The power of two that the code is, times what is left of `whole` where its leading one is one.
Code with_significand(const Format& f, Code power, std::uint64_t whole) {
  const Number n = decode(power, f, Subnormals::keep, Specials::numbers);
  if (n.magnitude == 0) return power;
  return rounded_code(f, whole_number(n.negative, whole, leading_exponent(n) - bit_length(u128{whole}) + 1),
                      Cut::toward_zero);
}

}  // namespace

void put_whole(Maker& m, int i, bool negative, std::uint64_t a, std::uint64_t b, int quantum) {
  m.put_bit(i, negative, quantum + bit_length(u128{a}) + bit_length(u128{b}) - 2);
  Code &x = m.code_at(m.place_of_a(i)), &y = m.code_at(m.place_of_b(i));
  x = with_significand(m.plan().a, x, a);
  y = with_significand(m.plan().b, y, b);
}

int integer_bits(const Format& f) {
  return f.is_integer() ? f.stored_bits - 1 : std::min(f.significand_bits(), f.greatest_exponent() + 1);
}

Fill draw_fill(Draws& draws) {
  constexpr std::array<Fill, 4> fills{Fill::one, Fill::last, Fill::ones, Fill::any};
  return fills[draws.below(fills.size())];
}

Peak draw_peak(Maker& m, int distance) {
  const bool rather_in_c = m.choice().coin();
  return draw_peak(m, distance, rather_in_c, distance);
}

Peak draw_peak(Maker& m, int distance, bool rather_in_c, int nearest) {
  const Anatomy& f = m.facts();
  const Exponents all = f.terms.shifted(distance), both = all.meet(f.terms.shifted(nearest));
  const Exponents& room = both.empty() ? all : both;
  const Exponents in_term = f.terms.meet(room), in_c = f.c.meet(room);
  const bool choose_c = in_term.empty() || m.count() == 1 || (!in_c.empty() && rather_in_c);
  const Exponents& range = choose_c ? in_c : in_term;
  if (range.empty()) return {choose_c, choose_c ? f.c.greatest : f.terms.greatest};
  return {choose_c, m.choice().between(range.least, range.greatest)};
}

int draw_shared_exponent(Maker& m) {
  const Exponents& shared = m.facts().shared;
  return m.choice().between(shared.least, shared.greatest);
}

int most_doublings(const Maker& m) { return bit_length(static_cast<std::uint64_t>(m.count() - 1)) - 1; }

void put_zero_c(Maker& m) { m.code_at(m.place_of_c()) = zero_code(m.plan().c, m.choice().coin()); }

void put_near(Maker& m, int base, int spread) {
  each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, {draws.coin(), base + draws.between(-spread, spread), Fill::any});
  });
  m.put_c({m.choice().coin(), base + m.choice().between(-spread, spread), Fill::any});
}

namespace {

constexpr int none = -1, deep = -2;  // deep: at least 3 below
constexpr std::array<Tail, tail_kinds> tails{{
    {1, none, false},     // 0.1000
    {1, deep, false},     // 0.1001
    {1, deep, true},      // 0.0111
    {2, none, false},     // 0.0100
    {1, 2, false},        // 0.1100
    {0, deep, true},      // 0.1111
    {deep, none, false},  // 0.0001
}};

}  // namespace

const Tail& counted_tail(Maker& m, int times) { return tails[static_cast<std::size_t>(m.counted(tail_kinds, times))]; }

int draw_deep(Maker& m, int edge) {
  if (m.choice().coin()) return m.choice().between(3, 12);
  return std::max(3, m.facts().reach - edge + m.choice().between(-1, 3));
}

void put_tail(Maker& m, const Tail& tail, int unit, int deep_below, bool negative) {
  const int apart = std::max(1, (m.count() - 1) / 2);
  const int bits[] = {tail.first, tail.second};
  for (int j = 0; j < 2; ++j) {
    if (bits[j] == none || (j == 1 && m.count() < 3)) continue;
    const bool minus = j == 1 && tail.minus;
    m.put_bit(m.index(1 + j * apart), negative != minus, unit - (bits[j] == deep ? deep_below : bits[j]));
  }
}

}  // namespace assay::fills
