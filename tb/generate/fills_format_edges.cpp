#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {
namespace {

// The number, and `sixteenths` of its last bit more.
Aim aim_at(const Number& n, int sixteenths) {
  constexpr int shift = 4, room = 120;
  if (bit_length(n.magnitude) + shift > room) sixteenths = 0;
  const int below = sixteenths == 0 ? 0 : shift;
  const auto whole = static_cast<i128>(n.magnitude << below);
  return {(n.negative ? -whole : whole) + sixteenths, n.quantum - below};
}

// The sum becomes the value of an edge of d, or stands where the nearest value changes beside it: there, right above or
// right below.
//
//     hole:                   value      |      value + 1
//     else:   value - 1   |   value   |   value + 1
Aim aim_of(const ValueTable& list, const FormatEdge& edge, int visit) {
  if (visit % 4 == 3 || list.boundaries.empty()) return aim_at(list.ascending[edge.value].number, 0);
  const bool below = edge.kind != EdgeKind::hole && edge.value > 0 && visit / 4 % 2 == 0;
  const std::size_t boundary = std::min(below ? edge.value - 1 : edge.value, list.boundaries.size() - 1);
  Number at = list.boundaries[boundary];
  // Of a posit: all beside zero becomes the least number, so that a sixteenth of that is what is near.
  if (at.is_zero()) at.quantum = list.ascending[edge.value].number.quantum;
  return aim_at(at, visit % 4 == 2 ? -1 : visit % 4);
}

// The edge that a turn is about, and how often it has been before.
struct Visit {
  const FormatEdge& edge;
  int number;
};

Visit visit_of(const std::vector<FormatEdge>& edges, std::uint64_t turn) {
  return {edges[turn % edges.size()], static_cast<int>(turn / edges.size() % 65536)};
}

// The value of an edge, now and then the one above a hole.
void put_edge(Maker& m, int place, const std::vector<FormatEdge>& edges, std::uint64_t turn) {
  if (edges.empty()) return;
  const auto [edge, visit] = visit_of(edges, turn);
  const Format& format = m.format_at(place);
  const std::size_t value = edge.value + (edge.kind == EdgeKind::hole && visit % 2 == 1 ? 1 : 0);
  m.code_at(place) = format.stored(format.values().ascending[value].code);
}

// Factors stand beside ones, in two terms where there are two.
void put_operands(Maker& m, std::uint64_t turn) {
  const Plan& p = m.plan();
  const ListEdges& edges = m.facts().list_edges;
  const int first = m.choice().between(0, m.count() - 1), i = m.index(first), j = m.index(first + 1);
  if (!edges.a.empty()) m.code_at(m.place_of_b(i)) = one_code(p.b);
  if (!edges.b.empty()) m.code_at(m.place_of_a(j)) = one_code(p.a);
  put_edge(m, m.place_of_a(i), edges.a, turn);
  put_edge(m, m.place_of_b(j), edges.b, turn);
  put_edge(m, m.place_of_c(), edges.c, turn);
}

Number number_of(const Aim& aim) {
  const bool negative = aim.units < 0;
  Number n;
  n.negative = negative;
  n.magnitude = static_cast<u128>(negative ? -aim.units : aim.units);
  n.quantum = aim.quantum;
  return n;
}

// Product i becomes the number, as far as the side with more bits holds them; the other side is a power of two that
// takes it where that side reaches.
void put_product(Maker& m, int i, Number n) {
  const Plan& p = m.plan();
  const bool in_a = p.a.significand_bits() >= p.b.significand_bits();
  const Format &wide = in_a ? p.a : p.b, &other = in_a ? p.b : p.a;
  const Exponents powers = powers_of(other);
  const int leading = bit_length(n.magnitude) - 1 + n.quantum;
  const int up = std::clamp(leading - range_of(wide).nearest(leading), powers.least, powers.greatest);
  n.quantum -= up;
  m.code_at(in_a ? m.place_of_a(i) : m.place_of_b(i)) = rounded_code(wide, n, Cut::toward_zero);
  m.code_at(in_a ? m.place_of_b(i) : m.place_of_a(i)) = power_code(other, false, up);
}

// Of a format with fields: its greatest number, its least normal one, its least one, and any other, each with quarters
// of the last place there.
Aim aim_of(const Format& f, Draws& draws, std::uint64_t turn) {
  const bool negative = f.has_sign && turn % 2 == 1;
  const int quarters = static_cast<int>(turn / 2 % 9) - 4, place = static_cast<int>(turn / 18 % 4);
  if (place == 0) return end_of(f, negative, quarters);
  const int normal = f.is_integer() ? f.last_place() : f.least_exponent() - f.mantissa_bits;
  const i128 least_normal = i128{1} << f.mantissa_bits;
  i128 units = place == 1 ? least_normal : 1;
  int unit = normal;
  if (place == 3) {
    const int exponent = range_of(f).nearest(0);
    units = f.is_integer() ? draws.between(0, 3)
                           : least_normal + static_cast<i128>(draws.bits() & (static_cast<Code>(least_normal) - 1));
    if (!f.is_integer()) unit = exponent - f.mantissa_bits;
  }
  units = 4 * units + quarters;
  return {negative ? -units : units, unit - 2};
}

Aim aim_at(Maker& m, const InnerEdges& inner, std::uint64_t turn) {
  if (inner.edges.empty()) return aim_of(*inner.format, m.choice(), turn);
  const auto [edge, visit] = visit_of(inner.edges, turn);
  return aim_of(inner.format->values(), edge, visit);
}

// What is rounded to a format on the way to d; further operands leave it where it is put.
void put_inner(Maker& m, const InnerEdges& inner, std::uint64_t turn) {
  const Plan& p = m.plan();
  const Aim aim = aim_at(m, inner, turn);
  constexpr std::uint64_t before_c = 8;  // visits of an edge of a list
  const std::uint64_t cycle = inner.edges.empty() ? 72 : before_c * inner.edges.size();
  const int i = m.index(m.choice().between(0, m.count() - 1));
  m.more();
  switch (inner.at) {
    case InnerEdges::At::a:
      m.code_at(m.place_of_a(i)) = rounded_code(p.a, number_of(aim), Cut::toward_zero);
      m.code_at(m.place_of_b(i)) = one_code(p.b);
      return;
    case InnerEdges::At::b:
      m.code_at(m.place_of_b(i)) = rounded_code(p.b, number_of(aim), Cut::toward_zero);
      m.code_at(m.place_of_a(i)) = one_code(p.a);
      return;
    case InnerEdges::At::product: return put_product(m, i, number_of(aim));
    case InnerEdges::At::sum: return hit(m, aim, turn / cycle % 2 == 1);
  }
}

}  // namespace

// d, the operands, and each place on the way, in turn.
void format_edges(Maker& m) {
  const ListEdges& edges = m.facts().list_edges;
  const bool of_operands = !edges.a.empty() || !edges.b.empty() || !edges.c.empty(), of_d = !edges.d.empty();
  const int outer = (of_d ? 1 : 0) + (of_operands ? 1 : 0), kinds = outer + static_cast<int>(edges.inner.size());
  const int kind = m.counted(kinds);
  const std::uint64_t turn = m.turn() / static_cast<std::uint64_t>(kinds);
  if (kind >= outer) return put_inner(m, edges.inner[static_cast<std::size_t>(kind - outer)], turn);
  if (!of_d || kind == 1) return put_operands(m, turn);
  const auto [edge, visit] = visit_of(edges.d, turn);
  hit(m, aim_of(m.plan().d.values(), edge, visit), visit / 8 % 2 == 0);
}

}  // namespace assay::fills
