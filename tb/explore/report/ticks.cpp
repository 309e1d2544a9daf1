#include "tb/explore/report/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tb/explore/report/panels.hpp"

namespace assay {
namespace {

// 10 to the power of `exponent`, in digits that stand above the line.
std::string power_of_ten(int exponent) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent == 0) return "1";
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : fmt::format("{}", std::abs(exponent))) text += raised[digit - '0'];
  return text;
}

// The least of 1, 2, 5, 10, 20, .. that is not below `step`, and the negative powers alike.
double nice_step(double step) {
  const double decade = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= step * 0.999999) return factor * decade;
  }
  return 10 * decade;
}

// Of how many ticks along a line of `room` characters one may keep its label, so that no two touch.
std::size_t readable_step(const AxisScale& scale, std::size_t room) {
  const auto half = [&](const Tick& tick) {
    return 0.5 * static_cast<double>(tick.label.size() + 2) / static_cast<double>(room);
  };
  const auto is_crowded = [&](std::size_t step) {
    for (std::size_t i = step; i < scale.ticks.size(); i += step) {
      const Tick &one = scale.ticks[i - step], &next = scale.ticks[i];
      if (scale.at(next.value) - scale.at(one.value) < half(one) + half(next)) return true;
    }
    return false;
  };
  std::size_t step = 1;
  while (is_crowded(step)) ++step;
  return step;
}

AxisScale thinned(AxisScale scale, std::size_t room) {
  const std::size_t step = readable_step(scale, room);
  std::vector<Tick> kept;
  for (std::size_t i = 0; i < scale.ticks.size(); i += step) kept.push_back(scale.ticks[i]);
  scale.ticks = std::move(kept);
  return scale;
}

}  // namespace

double AxisScale::at(double value) const {
  const auto along = [this](double x) {
    switch (spacing) {
      case Spacing::linear: return x;
      case Spacing::logarithmic: return std::log(x);
      case Spacing::both_ways: return std::asinh(x / narrow);
    }
    return x;
  };
  return (along(value) - along(low)) / (along(high) - along(low));
}

bool has_place(Spacing spacing, double value) {
  return std::isfinite(value) && (spacing != Spacing::logarithmic || value > 0);
}

AxisScale linear_scale(double low, double high, int most) {
  if (!(high > low)) {
    const double around = low == 0 ? 1 : std::abs(low) * 0.1;
    low -= around, high += around;
  }
  const double step = nice_step((high - low) / most);
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  AxisScale scale{Spacing::linear, first * step, last * step, {}};
  for (double i = first; i <= last; ++i)
    scale.ticks.push_back({i * step, fmt::format("{:.6g}", i == 0 ? 0 : i * step)});
  return scale;
}

AxisScale decimal_scale(double low, double high, int most) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)));
  const int step = (last - first + most - 1) / most;
  AxisScale scale{Spacing::logarithmic, std::pow(10, first), std::pow(10, last), {}};
  for (int exponent = first; exponent <= last; exponent += step) {
    const std::string power = power_of_ten(exponent);
    scale.ticks.push_back({std::pow(10, exponent), power});
    if (last - first > 2 || exponent == last) continue;
    for (const int times : {2, 5}) {
      scale.ticks.push_back(
          {times * std::pow(10, exponent), fmt::format("{}{}", times, exponent == 0 ? "" : "·" + power)});
    }
  }
  return scale;
}

AxisScale signed_scale(double low, double high, int most) {
  if (std::max(-low, high) <= 20) return linear_scale(low, high, most);
  const auto decades = [](double size) {
    return size <= narrow ? 0 : static_cast<int>(std::ceil(std::log10(size / narrow) - 1e-9));
  };
  const int downward = decades(-low), upward = decades(high), step = (downward + upward + most - 1) / most;
  AxisScale scale{Spacing::both_ways, 0, 0, {{0, "0"}}};
  for (const auto& [sign, last] : {std::pair{-1, downward}, std::pair{1, upward}}) {
    for (int decade = step > 1 ? step : 0; decade <= last && last > 0; decade += step) {
      const double value = sign * narrow * std::pow(10, decade);
      scale.ticks.push_back({value, fmt::format("{:.6g}", value)});
    }
    (sign < 0 ? scale.low : scale.high) = last > 0 ? sign * narrow * std::pow(10, last) : sign * narrow;
  }
  return scale;
}

AxisScale scale_of(const std::vector<double>& numbers, const std::vector<std::string>& labels, std::size_t room) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return numbers[i] < numbers[j]; });
  AxisScale scale{grows_by_factors(numbers) ? Spacing::logarithmic : Spacing::linear,
                  numbers[order.front()],
                  numbers[order.back()],
                  {}};
  if (!(scale.high > scale.low)) scale.low -= 1, scale.high += 1;
  for (const std::size_t i : order) scale.ticks.push_back({numbers[i], labels[i]});
  return thinned(std::move(scale), room);
}

AxisScale scale_of_names(const std::vector<std::string>& names, std::size_t room) {
  AxisScale scale{Spacing::linear, -0.5, static_cast<double>(names.size()) - 0.5, {}};
  for (std::size_t i = 0; i < names.size(); ++i) scale.ticks.push_back({static_cast<double>(i), names[i]});
  return thinned(std::move(scale), room);
}

AxisScale readable(AxisScale scale, std::size_t room) {
  const std::size_t step = readable_step(scale, room);
  for (std::size_t i = 0; i < scale.ticks.size(); ++i) scale.ticks[i].where_wide = i % step != 0;
  return scale;
}

}  // namespace assay
