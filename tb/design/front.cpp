#include "tb/design/front.hpp"

#include <algorithm>
#include <cmath>

namespace assay::design {

bool is_beaten(const FrontSpot& spot, const FrontSpot& by) {
  return by.cost <= spot.cost && by.error <= spot.error && (by.cost < spot.cost || by.error < spot.error);
}

std::vector<FrontSpot> front_of(std::vector<FrontSpot> spots) {
  std::stable_sort(spots.begin(), spots.end(), [](const FrontSpot& x, const FrontSpot& y) {
    return x.cost != y.cost ? x.cost < y.cost : x.error < y.error;
  });
  std::vector<FrontSpot> front;
  for (const FrontSpot& spot : spots) {
    if (front.empty() || spot.error < front.back().error) front.push_back(spot);
  }
  return front;
}

double hypervolume(const std::vector<FrontSpot>& front, const FrontSpot& worst) {
  const auto log_error = [](double error) { return std::log(std::max(error, least_error)); };
  double volume = 0, above = log_error(worst.error);
  for (const FrontSpot& spot : front) {
    const double width = std::log(worst.cost) - std::log(spot.cost), height = above - log_error(spot.error);
    if (width <= 0 || height <= 0) continue;
    volume += width * height;
    above -= height;
  }
  return volume;
}

}  // namespace assay::design
