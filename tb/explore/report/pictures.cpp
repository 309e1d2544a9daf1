#include "tb/explore/report/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace assay {
namespace {

// References stand in every panel of an axis's values, and here once, behind the other curves.
Panel all_curves(const Panels& panels) {
  Panel all;
  std::set<int> taken;  // by their first row
  for (const Panel& panel : panels.panels) {
    for (const Curve& curve : panel.curves) {
      if (taken.insert(curve.rows.front()).second) all.curves.push_back(curve);
    }
  }
  std::stable_partition(all.curves.begin(), all.curves.end(), [](const Curve& curve) { return !curve.reference; });
  return all;
}

Panel panel_with(const Panels& panels, int row) {
  for (const Panel& panel : panels.panels) {
    for (const Curve& curve : panel.curves) {
      if (std::count(curve.rows.begin(), curve.rows.end(), row) > 0) return panel;
    }
  }
  return {};
}

// The same chart with dots that have no height yet.
Chart undrawn(Chart chart) {
  for (Series& series : chart.series) {
    for (Dot& dot : series.dots) dot.y = std::numeric_limits<double>::quiet_NaN();
  }
  chart.y_name.clear();
  chart.y.ticks.clear();
  chart.rule.reset();
  return chart;
}

std::string over(std::size_t dimension) { return fmt::format("{}", dimension); }

std::string frame_name(const std::string& name, const Panels& panels) {
  std::string split;
  for (const std::size_t d : panels.split) split += fmt::format("{}{}", split.empty() ? "" : " ", d);
  return fmt::format(" data-frame=\"{}\" data-split=\"{}\"", name, split);
}

}  // namespace

Pictures::Pictures(const StudyResult& study)
    : study_(study), charts_(study), panels_(panels_of(study)), opening_(opening_row(study, panels_)) {
  if (opening_) shown_ = panel_with(panels_, *opening_);
}

std::string Pictures::errors() const {
  return lines("normwise", has_all() ? frame_name(over(panels_.x), panels_) : "");
}

std::string Pictures::biases() const { return lines("bias", ""); }

std::string Pictures::lines(const std::string& measure, const std::string& more) const {
  if (!opening_) return "";
  const std::vector<MeasureView>& views = measure_views();
  const auto view = std::find_if(views.begin(), views.end(), [&](const MeasureView& v) { return v.key == measure; });
  const Chart chart = charts_.lines(panels_, shown_, static_cast<std::size_t>(view - views.begin()));
  return picture_html(chart, shown_.title, more);
}

std::string Pictures::distances() const {
  return opening_ ? picture_html(charts_.distances(*opening_), "", frame_name("ulps", {})) : "";
}

std::string Pictures::costs() const {
  const auto chart = charts_.costs(panels_, shown_);
  return chart ? picture_html(*chart, shown_.title, has_all() ? frame_name("cost", panels_) : "") : "";
}

std::string Pictures::frames() const {
  if (!opening_) return "";
  std::string html;
  for (std::size_t d = 0; d < panels_.dimensions.size(); ++d) {
    const bool may_be_over = d == panels_.x || panels_.dimensions[d].values.size() > 1;
    if (!may_be_over || (d == panels_.x && has_all())) continue;
    const Panels panels = panels_of(study_, d);
    html += picture_html(undrawn(charts_.lines(panels, all_curves(panels), 0)), "", frame_name(over(d), panels));
  }
  if (has_all()) return html;
  const auto chart = charts_.costs(panels_, all_curves(panels_));
  return chart ? html + picture_html(undrawn(*chart), "", frame_name("cost", panels_)) : html;
}

}  // namespace assay
