#include "tb/generate/format_edges.hpp"

#include <algorithm>

namespace assay {
namespace {

Number doubled(Number n) {
  ++n.quantum;
  return n;
}

// upper - lower, of neighbours of a list.
Number gap_between(Number lower, const Number& upper) {
  lower.negative = !lower.negative;
  return doubled(middle(upper, lower));
}

bool is_doubled(const Number& x, const Number& y) { return compare(doubled(x), y) <= 0 || compare(doubled(y), x) <= 0; }

}  // namespace

std::vector<FormatEdge> format_edges(const ValueTable& list) {
  const std::vector<ListedValue>& values = list.ascending;
  if (values.empty()) return {};
  const std::size_t last = values.size() - 1;
  std::vector<Number> gaps;  // above each value but the last
  for (std::size_t i = 0; i < last; ++i) gaps.push_back(gap_between(values[i].number, values[i + 1].number));
  std::vector<FormatEdge> edges;
  const auto is_zero = [&](std::size_t i) { return i <= last && values[i].number.is_zero(); };
  for (std::size_t i = 0; i <= last; ++i) {
    if (i == 0) edges.push_back({EdgeKind::least, i});
    if (i == last) edges.push_back({EdgeKind::greatest, i});
    if (is_zero(i + 1) || (i > 0 && is_zero(i - 1))) edges.push_back({EdgeKind::beside_zero, i});
    if (i > 0 && i < last && is_doubled(gaps[i - 1], gaps[i])) edges.push_back({EdgeKind::precision, i});
    if (i > 0 && i + 1 < last && compare(gaps[i], gaps[i - 1]) > 0 && compare(gaps[i], gaps[i + 1]) > 0)
      edges.push_back({EdgeKind::hole, i});
  }
  return edges;
}

}  // namespace assay
