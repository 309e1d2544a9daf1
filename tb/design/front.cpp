#include "tb/design/front.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tb/explore/pareto.hpp"

namespace assay::design {
namespace {

double log_error(double error) { return std::log(std::max(error, least_error)); }

}  // namespace

std::vector<FrontSpot> front_of(std::vector<FrontSpot> spots) {
  return pareto_front(std::move(spots), &FrontSpot::cost, &FrontSpot::error);
}

double hypervolume(const std::vector<FrontSpot>& front, const FrontSpot& worst) {
  double volume = 0, above = log_error(worst.error);
  for (const FrontSpot& spot : front) {
    const double width = std::log(worst.cost) - std::log(spot.cost), height = above - log_error(spot.error);
    if (width <= 0 || height <= 0) continue;
    volume += width * height;
    above -= height;
  }
  return volume;
}

// The mean of max(0, log(most) - x) over a normal x.
double expected_saving(const Guess& cost, double most) {
  const double saved = std::log(most) - cost.mean;
  if (cost.deviation <= 0) return std::max(0.0, saved);
  const double z = saved / cost.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
  return saved * std::erfc(-z / std::sqrt(2.0)) / 2 + cost.deviation * density;
}

// A front is steps: below each the point gains its height, for as long as the step is and the point is cheaper.
double expected_gain(const std::vector<FrontSpot>& front, const Guess& cost, double error, const FrontSpot& worst) {
  const double own = log_error(error);
  double gain = 0, level = log_error(worst.error), before = 0;
  const auto add_step = [&](double end) {
    const double until = expected_saving(cost, std::min(end, worst.cost));
    gain += std::max(0.0, level - own) * (until - before);
    before = until;
  };
  for (const FrontSpot& spot : front) {
    add_step(spot.cost);
    level = std::min(level, log_error(spot.error));
  }
  add_step(worst.cost);
  return gain;
}

}  // namespace assay::design
