#include "tb/explore/report/front.hpp"

#include <algorithm>

namespace assay {

std::vector<Dot> pareto_front(std::vector<Dot> dots) {
  std::stable_sort(dots.begin(), dots.end(),
                   [](const Dot& a, const Dot& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Dot> front;
  for (const Dot& dot : dots) {
    if (front.empty() || dot.y < front.back().y) front.push_back(dot);
  }
  return front;
}

}  // namespace assay
