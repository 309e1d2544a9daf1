#include "tb/explore/report/budgets.hpp"
#include "tb/explore/report/charts.hpp"
#include "tb/explore/report/report.hpp"

namespace assay {
namespace {

Plot plot(const Panel& panel, const std::string& file, const Chart& chart) {
  return {file + (panel.file.empty() ? "" : "-" + panel.file) + ".svg", chart.title + ": " + chart.subtitle,
          svg_text(chart)};
}

}  // namespace

std::vector<Plot> plots(const StudyResult& study) {
  const Panels panels = panels_of(study);
  const Charts charts(study);
  std::vector<Plot> made;
  for (const Panel& panel : panels.panels) {
    for (std::size_t m = 0; m < measure_views().size(); ++m) {
      made.push_back(plot(panel, measure_views()[m].key, charts.lines(panels, panel, m)));
    }
    if (const auto row = telling_row(study, panel)) made.push_back(plot(panel, "ulps", charts.distances(*row)));
    if (const auto costs = charts.costs(panels, panel)) made.push_back(plot(panel, "pareto", *costs));
  }
  for (Plot& bars : budget_plots(study)) made.push_back(std::move(bars));
  return made;
}

}  // namespace assay
