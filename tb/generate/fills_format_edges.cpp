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

}  // namespace

void format_edges(Maker& m) {
  const ListEdges& edges = m.facts().list_edges;
  const bool of_operands = !edges.a.empty() || !edges.b.empty() || !edges.c.empty();
  const bool of_d = !edges.d.empty() && (!of_operands || m.counted(2) == 0);
  const std::uint64_t turn = edges.d.empty() || !of_operands ? m.turn() : m.turn() / 2;
  if (!of_d) return put_operands(m, turn);
  const auto [edge, visit] = visit_of(edges.d, turn);
  hit(m, aim_of(m.plan().d.values(), edge, visit), visit / 8 % 2 == 0);
}

}  // namespace assay::fills
