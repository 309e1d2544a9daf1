// Where numbers stand along an axis of a plot, and which of them are written there.
#pragma once

#include <string>
#include <vector>

namespace assay {

struct Tick {
  double value = 0;
  std::string label;
  bool where_wide = false;  // the label is left out where the plot is narrow
};

enum class Spacing {
  linear,
  logarithmic,
  both_ways,  // linear about 0 and logarithmic beyond `narrow`, on either side
};

// False of what has no place: NaN, infinity, or zero and below on a logarithmic scale.
bool has_place(Spacing spacing, double value);

// From `low` to `high`, along a line of length 1.
struct AxisScale {
  Spacing spacing = Spacing::linear;
  double low = 0, high = 1;
  std::vector<Tick> ticks;

  double at(double value) const;  // 0 at `low`, 1 at `high`
};

// About `most` ticks at multiples of 1, 2 or 5 times a power of ten; the ends are ticks.
AxisScale linear_scale(double low, double high, int most);

// Whole decades, thinned out where there are more than `most`, and 2 and 5 of each where there are two or one. `low` is
// above 0.
AxisScale decimal_scale(double low, double high, int most);

// Linear up to a few units; else powers of ten on the sides of zero that are needed.
inline constexpr double narrow = 0.1;
AxisScale signed_scale(double low, double high, int most);

// From the first number to the last, ticks at every one, or every second, .. as there is room for `room` characters. By
// factors or by differences, as the numbers grow. `labels` stand in order of `numbers`.
AxisScale scale_of(const std::vector<double>& numbers, const std::vector<std::string>& labels, std::size_t room);

// Names at 0, 1, 2, ..: each in a cell of its own, so that none stands at an end.
AxisScale scale_of_names(const std::vector<std::string>& names, std::size_t room);

// With as many labels left out `where_wide` as leaves the others apart along a line of `room` characters.
AxisScale readable(AxisScale scale, std::size_t room);

}  // namespace assay
