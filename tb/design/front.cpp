#include "tb/design/front.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tb/explore/pareto.hpp"

namespace assay::design {

std::vector<FrontSpot> front_of(std::vector<FrontSpot> spots) {
  return pareto_front(std::move(spots), &FrontSpot::cost, &FrontSpot::error);
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
