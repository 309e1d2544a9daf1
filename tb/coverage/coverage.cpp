#include "tb/coverage/coverage.hpp"

#include <algorithm>

namespace assay {
namespace {

bool same_bins(const Point& x, const Point& y) {
  return x.name == y.name && std::equal(x.bins.begin(), x.bins.end(), y.bins.begin(), y.bins.end(),
                                        [](const Bin& p, const Bin& q) { return p.name == q.name; });
}

template <class Count>
std::uint64_t count_bins(const Point& point, Count counts) {
  return static_cast<std::uint64_t>(std::count_if(point.bins.begin(), point.bins.end(), counts));
}

}  // namespace

std::uint64_t Point::reachable() const {
  return count_bins(*this, [](const Bin& b) { return b.reachable(); });
}

std::uint64_t Point::hit() const {
  return count_bins(*this, [](const Bin& b) { return b.reachable() && b.hit(); });
}

std::uint64_t Coverage::reachable() const {
  std::uint64_t sum = 0;
  for (const Point& p : points) sum += p.reachable();
  return sum;
}

std::uint64_t Coverage::hit() const {
  std::uint64_t sum = 0;
  for (const Point& p : points) sum += p.hit();
  return sum;
}

std::vector<std::string> Coverage::contradictions() const {
  std::vector<std::string> found;
  for (const Point& p : points) {
    for (const Bin& b : p.bins) {
      if (b.hit() && !b.reachable()) found.push_back(p.name + ": " + b.name + " (" + b.unreachable + ")");
    }
  }
  return found;
}

bool merge(Coverage& into, const Coverage& from) {
  if (!std::equal(into.points.begin(), into.points.end(), from.points.begin(), from.points.end(), same_bins))
    return false;
  into.cases += from.cases;
  for (std::size_t p = 0; p < into.points.size(); ++p) {
    for (std::size_t b = 0; b < into.points[p].bins.size(); ++b)
      into.points[p].bins[b].count += from.points[p].bins[b].count;
  }
  return true;
}

}  // namespace assay
