#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tb/explore/report/chart.hpp"
#include "tb/explore/report/front.hpp"
#include "tb/explore/report/measures.hpp"
#include "tb/explore/report/panels.hpp"
#include "tb/explore/report/report.hpp"

namespace assay {
namespace {

constexpr std::size_t characters_across = 90;  // of labels under a plot
constexpr int ticks_up = 9;

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

  Scale scale() const {
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

class Plotter {
 public:
  explicit Plotter(const StudyResult& study) : study_(study), all_(panels_of(study)) {
    const Dimension& x = all_.dimensions[all_.x];
    positions_ = x.numbers;
    for (std::size_t i = 0; !x.is_numeric() && i < x.values.size(); ++i) positions_.push_back(static_cast<double>(i));
  }

  std::vector<Plot> plots() const {
    std::vector<Plot> made;
    for (const Panel& panel : all_.panels) {
      for (const MeasureView& view : measure_views()) made.push_back(lines(panel, view));
      if (const auto row = telling_row(study_, panel)) made.push_back(distances(panel, *row));
      if (auto front = costs(panel)) made.push_back(std::move(*front));
    }
    return made;
  }

 private:
  const Row& row(int index) const { return study_.rows[static_cast<std::size_t>(index)]; }
  const StudyPoint& point(int index) const { return study_.points[static_cast<std::size_t>(row(index).point)]; }

  static Plot plot(const Panel& panel, const std::string& file, const Chart& chart) {
    return {file + (panel.file.empty() ? "" : "-" + panel.file) + ".svg", chart.title + ": " + chart.subtitle,
            svg_text(chart)};
  }

  // `which` of the study's numbers, in words; empty: all.
  Chart chart(const std::string& what, const std::string& which) const {
    Chart made;
    made.title = what;
    made.subtitle = study_.title + (which.empty() ? "" : " (" + which + ")");
    return made;
  }

  Plot lines(const Panel& panel, const MeasureView& view) const {
    Chart made = chart(view.name, panel.title);
    const Dimension& x = all_.dimensions[all_.x];
    made.x_name = x.name, made.y_name = view.name;
    made.x = scale_of(positions_, x.values, characters_across);
    Extent extent(spacing_of(view.scale));
    if (view.scale == MeasureScale::around_zero) made.rule = 0;
    for (const Curve& curve : panel.curves) {
      made.series.push_back(series(curve, view));
      for (const Dot& dot : made.series.back().dots) extent.see(dot.y), extent.see(dot.low), extent.see(dot.high);
    }
    made.y = extent.scale();
    const auto is_drawn = [&](const Dot& dot) { return has_place(made.y.spacing, dot.y); };
    const bool all = std::all_of(made.series.begin(), made.series.end(), [&](const Series& series) {
      return std::all_of(series.dots.begin(), series.dots.end(), is_drawn);
    });
    if (!all)
      made.subtitle +=
          made.y.spacing == Spacing::logarithmic ? "; zeros are left out" : "; infinite values are left out";
    return plot(panel, view.key, made);
  }

  Series series(const Curve& curve, const MeasureView& view) const {
    Series made{curve.name, Drawn::line, curve.colour, curve.dash, curve.reference, {}};
    for (std::size_t i = 0; i < curve.rows.size(); ++i) {
      const Estimate& e = row(curve.rows[i]).measures.*view.estimate;
      const double f = view.factor();
      const auto add = [&](double x) {
        made.dots.push_back({x, e.mean * f, end(view, curve, e.mean, e.low) * f, end(view, curve, e.mean, e.high) * f});
      };
      if (!curve.at.empty()) {
        add(positions_[curve.at[i]]);
        continue;
      }
      add(*std::min_element(positions_.begin(), positions_.end()));  // a reference: all the way across
      add(*std::max_element(positions_.begin(), positions_.end()));
    }
    std::stable_sort(made.dots.begin(), made.dots.end(), [](const Dot& a, const Dot& b) { return a.x < b.x; });
    return made;
  }

  // One end of an interval: references have none, and a share has no more than all.
  static double end(const MeasureView& view, const Curve& curve, double mean, double end) {
    if (curve.reference) return mean;
    return view.scale == MeasureScale::percent ? std::clamp(end, 0.0, 1.0) : end;
  }

  // How many results are how many ulps off, of one row.
  Plot distances(const Panel& panel, int index) const {
    const Row& shown = row(index);
    const std::string which = point(index).name + ", " + study_.inputs[static_cast<std::size_t>(shown.input)] + ", " +
                              shape_text(study_.shapes[static_cast<std::size_t>(shown.shape)]);
    Chart made = chart("distance to the correctly rounded result", which);
    made.x_name = "ulps", made.y_name = "share of results (%)";
    made.x = {Spacing::linear, -histogram_zero - 0.5, histogram_zero + 0.5, {}};
    for (int bin = -histogram_zero; bin <= histogram_zero; bin += 4) made.x.ticks.push_back({bin * 1.0, bin_text(bin)});
    Extent extent(Spacing::logarithmic);
    Series bars{"", Drawn::bars, 0, 0, false, {}};
    double total = 0;
    for (const std::uint64_t count : shown.measures.histogram) total += static_cast<double>(count);
    for (int bin = -histogram_zero; bin <= histogram_zero; ++bin) {
      const auto count = shown.measures.histogram[static_cast<std::size_t>(histogram_zero + bin)];
      const double share = total > 0 ? 100 * static_cast<double>(count) / total : 0;
      bars.dots.push_back({bin * 1.0, share, share, share});
      extent.see(share), extent.see(share / 2);  // so that the least is seen as well
    }
    made.series.push_back(bars);
    made.y = extent.scale();
    return plot(panel, "ulps", made);
  }

  // The least distance of a bin: "8" of 8 to 15.
  static std::string bin_text(int bin) {
    if (bin == 0) return "0";
    return fmt::format("{}{}", bin < 0 ? "-" : "", std::uint64_t{1} << (std::abs(bin) - 1));
  }

  // Error against area, every input by itself; nothing where no point of the panel has a cost.
  std::optional<Plot> costs(const Panel& panel) const {
    Chart made = chart("error against area", panel.title);
    made.x_name = "area (square micrometres)", made.y_name = "normwise relative error";
    Extent x(Spacing::linear), y(Spacing::logarithmic);
    std::map<std::pair<int, int>, std::vector<Dot>> by_input;  // and shape
    for (const Curve& curve : panel.curves) {
      for (const int index : curve.rows) {
        if (!point(index).cost) continue;
        const double area = point(index).cost->area, error = row(index).measures.normwise.mean;
        by_input[{row(index).shape, row(index).input}].push_back({area, error, error, error, point(index).name});
        x.see(area), y.see(error);
      }
    }
    if (by_input.empty()) return std::nullopt;
    int colour = 0;
    for (const auto& [place, dots] : by_input) {
      const std::string name = study_.inputs[static_cast<std::size_t>(place.second)] + ", " +
                               shape_text(study_.shapes[static_cast<std::size_t>(place.first)]);
      made.series.push_back({name, Drawn::dots, colour, 0, false, dots});
      made.series.push_back({"", Drawn::steps, colour, 0, false, pareto_front(dots)});
      ++colour;
    }
    made.x = x.scale(), made.y = y.scale();
    return plot(panel, "pareto", made);
  }

  const StudyResult& study_;
  Panels all_;
  std::vector<double> positions_;  // of the horizontal dimension's values
};

}  // namespace

std::vector<Plot> plots(const StudyResult& study) { return Plotter(study).plots(); }

}  // namespace assay
