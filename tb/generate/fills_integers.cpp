// Integers: the ends of their range, and sums that carry or borrow through many bits.
#include <algorithm>

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

// --- the ends ---

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

namespace {

Code small_integer(const Format& f, bool negative, Draws& draws) {
  return rounded_code(f, whole_number(negative, static_cast<std::uint64_t>(draws.between(1, 3))), Cut::toward_zero);
}

// Every product as far from zero as it can be on the upper side; c draws the sum back.
void farthest_products(Maker& m) {
  const bool negative = m.choice().coin();
  for (int place = 0; place < m.place_of_c(); ++place)
    m.code_at(place) = greatest_code(m.format_at(place), negative, 0);
  m.code_at(m.place_of_c()) = small_integer(m.plan().c, true, m.choice());
}

// c at an end; some products lead beyond it, others back.
void end_and_back(Maker& m) {
  const bool negative = m.choice().coin();
  m.code_at(m.place_of_c()) = greatest_code(m.plan().c, negative, m.choice().between(0, 2));
  const bool first_beyond = m.counted(2) == 0;
  for (int i = 0; i < m.plan().k; ++i) {
    Draws draws = m.draws(Part::term, i);
    const bool beyond = i == 0 ? first_beyond : draws.coin();
    m.code_at(m.place_of_a(i)) = small_integer(m.plan().a, beyond == negative, draws);
    m.code_at(m.place_of_b(i)) = small_integer(m.plan().b, false, draws);
  }
}

}  // namespace

// Sums that leave the range of d on the way and come back.
void saturation(Maker& m) {
  if (m.counted(3) == 0) return farthest_products(m);
  end_and_back(m);
}

// --- carries ---

namespace {

// Any products, one alone, or all nearly as far from zero as they can be on one side.
void put_products(Maker& m, int kind) {
  const bool negative = m.choice().coin();
  const int only = m.choice().between(0, m.plan().k - 1);
  for (int place = 0; place < m.place_of_c(); ++place) {
    if (kind == 1 && place % m.plan().k != only) continue;
    const Format& f = m.format_at(place);
    const bool in_a = place < m.place_of_b(0);
    Draws draws = m.draws_at(place);
    m.code_at(place) = kind == 2 ? greatest_code(f, in_a && negative, draws.between(0, 1)) : draws.bits() & all_bits(f);
  }
}

// In units of the last place of d.
i128 units_of_d(const Maker& m, Code d) {
  const Number n = decode(d, m.plan().d, Subnormals::keep, Specials::step);
  return n.negative ? -static_cast<i128>(n.magnitude) : static_cast<i128>(n.magnitude);
}

// The greatest number of c's with the leading one of a product: all of them carry as far up as they can.
void c_beside_products(Maker& m) {
  put_products(m, 2);
  const Number product = m.product(0);
  m.put_c({product.negative, leading_exponent(product), Fill::ones});
}

Code integer_code(const Format& f, bool negative, std::uint64_t magnitude) {
  return rounded_code(f, whole_number(negative, magnitude, f.last_place()), Cut::toward_zero);
}

// Of two products of x with so many bits all is taken away but 1, or but x; c stands near zero.
//
//   x x - (x + 1)(x - 1) = 1        x x - x (x - 1) = x
void products_against_each_other(Maker& m, int turn) {
  const Plan& p = m.plan();
  const int most = std::max(1, std::min(integer_bits(p.a), integer_bits(p.b))), bits = 1 + turn % most;
  const bool negative = m.choice().coin(), one = turn / most % 2 == 0;
  const std::uint64_t x = (std::uint64_t{1} << (bits - 1)) + m.choice().below(std::uint64_t{1} << (bits - 1));
  const int first = m.choice().between(0, m.count() - 1), i = m.index(first), j = m.index(first + 1);
  m.code_at(m.place_of_a(i)) = integer_code(p.a, negative, x);
  m.code_at(m.place_of_b(i)) = integer_code(p.b, false, x);
  m.code_at(m.place_of_a(j)) = integer_code(p.a, !negative, one ? x + 1 : x);
  m.code_at(m.place_of_b(j)) = integer_code(p.b, false, x - 1);
  const std::uint64_t near_zero = m.choice().below(3);
  m.code_at(m.place_of_c()) = integer_code(p.c, m.choice().coin(), near_zero);
}

// c such that d is 2^n of either sign, or one more or less, modulo its range. The sum of the products is what the model
// makes of them.
void hit_power(Maker& m, int turn) {
  const Plan& p = m.plan();
  const int bits = p.d.used_bits(), n = turn % bits, way = turn / bits;
  const int beside = way / 6 % 3 - 1;
  put_products(m, way / 2 % 3);
  const i128 power = i128{1} << n, range = i128{1} << bits;
  const i128 wanted = (way % 2 == 0 ? power : -power) + beside - units_of_d(m, m.d());
  const i128 wrapped = ((wanted % range) + range) % range;
  const bool negative = p.c.has_sign && wrapped >= range / 2;
  const auto magnitude = static_cast<std::uint64_t>(negative ? range - wrapped : wrapped);
  m.code_at(m.place_of_c()) = rounded_code(p.c, whole_number(negative, magnitude, p.d.last_place()), Cut::toward_zero);
}

// 2^n of either sign, or one more or less: where a magnitude is made of it, a carry goes through n bits.
Code beside_power(const Format& f, int turn) {
  const int n = turn % (integer_bits(f) + 1);
  const std::uint64_t power = std::uint64_t{1} << n;
  const int beside = turn / (integer_bits(f) + 1) / 2 % 3;
  return integer_code(f, turn / (integer_bits(f) + 1) % 2 == 0, power - 1 + static_cast<std::uint64_t>(beside));
}

// Of c each in turn, and any of a and b.
void operands_beside_powers(Maker& m, int turn) {
  for (int place = 0; place < m.place_of_c(); ++place) {
    Draws draws = m.draws_at(place);
    m.code_at(place) = beside_power(m.format_at(place), draws.between(0, 1023));
  }
  m.code_at(m.place_of_c()) = beside_power(m.plan().c, turn);
}

}  // namespace

// A carry or a borrow goes through all bits below one of an operand's or the sum's, or above; and of large terms a few
// bits are left.
void integer_carries(Maker& m) {
  constexpr int kinds = 12;
  if (m.plan().mask >= 0) m.put_mask(m.put_pattern());
  const int turn = static_cast<int>(m.turn() / kinds % 65536), kind = m.counted(kinds);
  if (kind < 5) return hit_power(m, 5 * turn + kind);
  if (kind < 7) return products_against_each_other(m, 2 * turn + kind - 5);
  if (kind < 11) return operands_beside_powers(m, 4 * turn + kind - 7);
  c_beside_products(m);
}

}  // namespace assay::fills
