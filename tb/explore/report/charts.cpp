#include "tb/explore/report/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace assay {
namespace {

constexpr std::size_t characters_across = 90, characters_narrow = 34;  // of labels under a plot
constexpr int ticks_up = 9;
constexpr int least_reach = 8;  // bins on either side of zero

// The least and the greatest of what can be drawn, as a scale.
class Extent {
 public:
  explicit Extent(Spacing spacing) : spacing_(spacing) {
    if (spacing == Spacing::both_ways) see(0);
  }

  void see(double value) {
    if (!has_place(spacing_, value)) return;
    low_ = std::min(low_, value), high_ = std::max(high_, value);
  }

  void see(const Dot& dot) { see(dot.y), see(dot.low), see(dot.high); }

  AxisScale scale() const {
    const bool empty = !(low_ <= high_);
    switch (spacing_) {
      case Spacing::logarithmic: return empty ? decimal_scale(0.1, 1, ticks_up) : decimal_scale(low_, high_, ticks_up);
      case Spacing::linear: return empty ? linear_scale(0, 1, ticks_up) : linear_scale(low_, high_, ticks_up);
      case Spacing::both_ways: return signed_scale(low_, high_, ticks_up);
    }
    return {};
  }

 private:
  Spacing spacing_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

Spacing spacing_of(MeasureScale scale) {
  switch (scale) {
    case MeasureScale::logarithmic: return Spacing::logarithmic;
    case MeasureScale::around_zero: return Spacing::both_ways;
    case MeasureScale::linear:
    case MeasureScale::percent: return Spacing::linear;
  }
  return Spacing::linear;
}

// Where the values of a dimension stand: at their numbers, else one after the other.
std::vector<double> positions_of(const Dimension& dimension) {
  if (dimension.is_numeric()) return dimension.numbers;
  std::vector<double> positions(dimension.values.size());
  std::iota(positions.begin(), positions.end(), 0.0);
  return positions;
}

// How much of an axis a scale takes, then its ends.
std::tuple<double, double, double> breadth(const AxisScale& scale) {
  const double span = scale.spacing == Spacing::logarithmic ? std::log(scale.high / scale.low) : scale.high - scale.low;
  return {span, scale.low, scale.high};
}

bool is_narrower(const AxisScale& one, const AxisScale& other) { return breadth(one) < breadth(other); }
bool is_same(const AxisScale& one, const AxisScale& other) { return breadth(one) == breadth(other); }

double sum_of(const Histogram& histogram) { return std::accumulate(histogram.begin(), histogram.end(), 0.0); }

double share(const Histogram& histogram, int bin) {
  const double total = sum_of(histogram);
  return total > 0 ? 100 * static_cast<double>(histogram[static_cast<std::size_t>(histogram_zero + bin)]) / total : 0;
}

// The least distance of a bin: "8" of 8 to 15.
std::string bin_text(int bin) {
  if (bin == 0) return "0";
  return fmt::format("{}{}", bin < 0 ? "-" : "", std::uint64_t{1} << (std::abs(bin) - 1));
}

// As many bins on either side as any row fills.
AxisScale scale_of_bins(const StudyResult& study) {
  int reach = least_reach;
  for (const Row& row : study.rows) {
    for (int bin = -histogram_zero; bin <= histogram_zero; ++bin) {
      if (share(row.measures.histogram, bin) > 0) reach = std::max(reach, std::abs(bin));
    }
  }
  AxisScale scale{Spacing::linear, -reach - 0.5, reach + 0.5, {}};
  const int step = reach > 10 ? 4 : 2;
  for (int bin = -(reach / step) * step; bin <= reach; bin += step) scale.ticks.push_back({bin * 1.0, bin_text(bin)});
  return readable(std::move(scale), characters_narrow);
}

}  // namespace

Charts::Charts(const StudyResult& study) : study_(study), bins_(scale_of_bins(study)) {
  const std::vector<Dimension> all = dimensions(study);
  for (const MeasureView& view : measure_views()) measures_.push_back(scales_of(view, all));
  Extent shares(Spacing::logarithmic), areas(Spacing::linear), errors(Spacing::logarithmic);
  for (int index = 0; index < static_cast<int>(study.rows.size()); ++index) {
    for (int bin = -histogram_zero; bin <= histogram_zero; ++bin) {
      const double seen = share(row(index).measures.histogram, bin);
      shares.see(seen), shares.see(seen / 2);  // so that the least is seen as well
    }
    if (!point(index).cost) continue;
    areas.see(point(index).cost->area);
    errors.see(row(index).measures.normwise.mean);
  }
  shares_ = shares.scale(), costed_ = errors.scale(), areas_ = readable(areas.scale(), characters_narrow);
}

MeasureScales Charts::scales_of(const MeasureView& view, const std::vector<Dimension>& dimensions) const {
  Extent whole(spacing_of(view.scale));
  std::vector<std::vector<Extent>> extents;
  for (const Dimension& dimension : dimensions) extents.emplace_back(dimension.values.size(), whole);
  for (int index = 0; index < static_cast<int>(study_.rows.size()); ++index) {
    const Dot seen = dot(index, view, 0);
    const Place place = place_of(study_, row(index));
    whole.see(seen);
    for (std::size_t d = 0; d < extents.size(); ++d) {
      for (std::size_t value = 0; value < extents[d].size(); ++value) {
        if (place[d] < 0 || place[d] == static_cast<int>(value)) extents[d][value].see(seen);
      }
    }
  }
  MeasureScales made{{whole.scale()}, 0, {}};
  for (const std::vector<Extent>& values : extents) {
    for (const Extent& extent : values) made.scales.push_back(extent.scale());
  }
  std::sort(made.scales.begin(), made.scales.end(), is_narrower);
  made.scales.erase(std::unique(made.scales.begin(), made.scales.end(), is_same), made.scales.end());
  const auto find = [&](const Extent& extent) {
    const auto found = std::lower_bound(made.scales.begin(), made.scales.end(), extent.scale(), is_narrower);
    return static_cast<std::size_t>(found - made.scales.begin());
  };
  made.whole = find(whole);
  for (const std::vector<Extent>& values : extents) {
    made.of.emplace_back();
    for (const Extent& extent : values) made.of.back().push_back(find(extent));
  }
  return made;
}

// The narrowest of those that hold all that the panel shows; page.js chooses alike.
const AxisScale& Charts::scale(std::size_t measure, const Panel& panel) const {
  const MeasureScales& scales = measures_[measure];
  std::vector<std::set<int>> values(scales.of.size());
  for (const Curve& curve : panel.curves) {
    for (const int index : curve.rows) {
      const Place place = place_of(study_, row(index));
      for (std::size_t d = 0; d < place.size(); ++d) {
        if (place[d] >= 0) values[d].insert(place[d]);
      }
    }
  }
  std::size_t best = scales.whole;
  for (std::size_t d = 0; d < values.size(); ++d) {
    if (values[d].size() == 1) best = std::min(best, scales.of[d][static_cast<std::size_t>(*values[d].begin())]);
  }
  return scales.scales[best];
}

// `which` of the study's numbers, in words; empty: all.
Chart Charts::chart(const std::string& what, const std::string& which) const {
  Chart made;
  made.title = what;
  made.subtitle = study_.title + (which.empty() ? "" : " (" + which + ")");
  return made;
}

// References have no interval, and a share has no more than all.
Dot Charts::dot(int index, const MeasureView& view, double x) const {
  const Estimate& e = row(index).measures.*view.estimate;
  const auto end = [&](double value) {
    if (!point(index).reference.empty()) return e.mean;
    return view.scale == MeasureScale::percent ? std::clamp(value, 0.0, 1.0) : value;
  };
  const double f = view.factor();
  return {x, e.mean * f, end(e.low) * f, end(e.high) * f, {}, index};
}

Chart Charts::lines(const Panels& panels, const Panel& panel, std::size_t measure) const {
  const MeasureView& view = measure_views()[measure];
  Chart made = chart(view.name, panel.title);
  const Dimension& x = panels.dimensions[panels.x];
  const std::vector<double> positions = positions_of(x);
  made.x_name = x.name, made.y_name = view.name;
  made.x = readable(
      x.is_numeric() ? scale_of(positions, x.values, characters_across) : scale_of_names(x.values, characters_across),
      characters_narrow);
  made.y = scale(measure, panel);
  if (view.scale == MeasureScale::around_zero) made.rule = 0;
  for (const Curve& curve : panel.curves) made.series.push_back(series(curve, view, positions));
  const auto is_drawn = [&](const Dot& dot) { return has_place(made.y.spacing, dot.y); };
  const bool all = std::all_of(made.series.begin(), made.series.end(), [&](const Series& series) {
    return std::all_of(series.dots.begin(), series.dots.end(), is_drawn);
  });
  if (!all)
    made.subtitle += made.y.spacing == Spacing::logarithmic ? "; zeros are left out" : "; infinite values are left out";
  return made;
}

Series Charts::series(const Curve& curve, const MeasureView& view, const std::vector<double>& positions) const {
  Series made{curve.name, Drawn::line, curve.colour, curve.dash, curve.reference, {}};
  for (std::size_t i = 0; i < curve.rows.size(); ++i) {
    if (!curve.at.empty()) {
      made.dots.push_back(dot(curve.rows[i], view, positions[curve.at[i]]));
      continue;
    }
    for (const double x : positions)
      made.dots.push_back(dot(curve.rows[i], view, x));  // a reference: all the way across
  }
  std::stable_sort(made.dots.begin(), made.dots.end(), [](const Dot& a, const Dot& b) { return a.x < b.x; });
  return made;
}

Chart Charts::distances(int index) const {
  const Row& shown = row(index);
  Chart made = chart("distance to the correctly rounded result",
                     point(index).name + ", " + study_.inputs[static_cast<std::size_t>(shown.input)] + ", " +
                         shape_text(study_.shapes[static_cast<std::size_t>(shown.shape)]));
  made.x_name = "ulps from the correctly rounded result", made.y_name = "share of results (%)";
  made.x = bins_, made.y = shares_;
  Series bars{"", Drawn::bars, 0, 0, false, {}};
  for (int bin = -histogram_zero; bin <= histogram_zero; ++bin) {
    const double y = share(shown.measures.histogram, bin);
    if (bin > bins_.low && bin < bins_.high) bars.dots.push_back({bin * 1.0, y, y, y});
  }
  made.series.push_back(bars);
  return made;
}

std::optional<Chart> Charts::costs(const Panels& panels, const Panel& panel) const {
  Chart made = chart("error against area", panel.title);
  made.x_name = "area (square micrometres)", made.y_name = "normwise relative error";
  made.x = areas_, made.y = costed_;
  std::map<std::pair<int, int>, std::vector<Dot>> by_input;  // and shape
  for (const Curve& curve : panel.curves) {
    for (const int index : curve.rows) {
      if (!point(index).cost) continue;
      const double area = point(index).cost->area, error = row(index).measures.normwise.mean;
      by_input[{row(index).shape, row(index).input}].push_back({area, error, error, error, point(index).name, index});
    }
  }
  if (by_input.empty()) return std::nullopt;
  const bool one_shape = std::count(panels.split.begin(), panels.split.end(), panels.dimensions.size() - 1) > 0;
  for (auto& [place, dots] : by_input) {
    const std::string name = study_.inputs[static_cast<std::size_t>(place.second)] + ", " +
                             shape_text(study_.shapes[static_cast<std::size_t>(place.first)]);
    std::stable_sort(dots.begin(), dots.end(), [](const Dot& a, const Dot& b) { return a.x < b.x; });
    made.series.push_back({name, Drawn::front, place.second, one_shape ? 0 : place.first, false, dots});
  }
  return made;
}

}  // namespace assay
