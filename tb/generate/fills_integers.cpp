// Integers: the ends of their range, and sums that carry or borrow through many bits.
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

// Any products, one alone, or all as far from zero as they can be on one side.
void put_products(Maker& m, int kind) {
  const bool negative = m.choice().coin();
  const int only = m.choice().between(0, m.plan().k - 1);
  for (int place = 0; place < m.place_of_c(); ++place) {
    if (kind == 1 && place % m.plan().k != only) continue;
    const Format& f = m.format_at(place);
    const bool greatest = kind == 2, in_a = place < m.place_of_b(0);
    m.code_at(place) = greatest ? greatest_code(f, in_a && negative) : m.draws_at(place).bits() & all_bits(f);
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
  const int leading = bit_length(product.magnitude) - 1 + product.quantum;
  m.put_c({product.negative, leading, Fill::ones});
}

}  // namespace

// c such that d is 2^n of either sign, or one more or less, modulo its range: a carry or a borrow goes through all bits
// below n, or above, and of large terms a few bits are left. The sum of the products is what the model makes of it.
void integer_carries(Maker& m) {
  const Format& c = m.plan().c;
  const int bits = m.plan().d.used_bits(), counted = m.counted(3 * 3 * 2 * bits + 1);
  if (counted == 3 * 3 * 2 * bits) return c_beside_products(m);
  const int n = counted / 18, beside = counted / 6 % 3 - 1;
  if (m.plan().mask >= 0) m.put_mask(m.put_pattern());
  put_products(m, counted / 2 % 3);
  const i128 power = i128{1} << n, range = i128{1} << bits;
  const i128 wanted = (counted % 2 == 0 ? power : -power) + beside - units_of_d(m, m.d());
  const i128 wrapped = ((wanted % range) + range) % range;
  const bool negative = c.has_sign && wrapped >= range / 2;
  const i128 magnitude = negative ? range - wrapped : wrapped;
  const int last = m.plan().d.last_place();
  m.code_at(m.place_of_c()) =
      rounded_code(c, whole_number(negative, static_cast<std::uint64_t>(magnitude), last), Cut::toward_zero);
}

}  // namespace assay::fills
