#include "tb/explore/report/data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tb/explore/report/charts.hpp"

namespace assay {
namespace {

std::string json(const std::string& text) {
  const auto dumped = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  for (const char c : dumped) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

// What JSON has no number for stands as text that JavaScript's Number() takes.
std::string json(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return fmt::format("{:.6g}", value);
}

std::string json(int value) { return fmt::format("{}", value); }
std::string json(std::uint64_t value) { return fmt::format("{}", value); }

std::string json(const Dimension& d);
std::string json(const StudyPoint& point);
std::string json(const Estimate& e);
std::string json(const Row& row);
std::string json(const AxisScale& scale);
std::string json(const std::vector<std::size_t>& numbers);

template <class List>
std::string list(const List& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : ",") + json(value);
  return "[" + text + "]";
}

std::string json(const Estimate& e) { return list(std::vector<double>{e.mean, e.low, e.high}); }

std::string json(const Dimension& d) {
  return fmt::format("{{\"name\":{},\"values\":{},\"numeric\":{}}}", json(d.name), list(d.values), d.is_numeric());
}

std::string_view scale_name(MeasureScale scale) {
  switch (scale) {
    case MeasureScale::logarithmic: return "logarithmic";
    case MeasureScale::linear: return "linear";
    case MeasureScale::around_zero: return "around_zero";
    case MeasureScale::percent: return "percent";
  }
  return "";
}

std::string_view spacing_name(Spacing spacing) {
  switch (spacing) {
    case Spacing::linear: return "linear";
    case Spacing::logarithmic: return "logarithmic";
    case Spacing::both_ways: return "both_ways";
  }
  return "";
}

// Ticks stand at per cent from the top.
std::string json(const AxisScale& scale) {
  std::string ticks;
  for (const Tick& tick : scale.ticks) {
    ticks += fmt::format("{}[{:.2f},{}]", ticks.empty() ? "" : ",", 100 * (1 - scale.at(tick.value)), json(tick.label));
  }
  return fmt::format("{{\"spacing\":\"{}\",\"low\":{},\"high\":{},\"ticks\":[{}]}}", spacing_name(scale.spacing),
                     scale.low, scale.high, ticks);
}

std::string json(const std::vector<std::size_t>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ",")); }

std::string measure_json(const Charts& charts, std::size_t m) {
  const MeasureView& view = measure_views()[m];
  const MeasureScales& scales = charts.scales(m);
  return fmt::format("{{\"key\":\"{}\",\"name\":{},\"scale\":\"{}\",\"whole\":{},\"of\":{},\"scales\":{}}}", view.key,
                     json(view.name), scale_name(view.scale), scales.whole, list(scales.of), list(scales.scales));
}

std::string json(const std::optional<Cost>& cost) {
  if (!cost) return "null";
  return fmt::format("[{},{},{},{}]", cost->cells, json(cost->area), cost->depth, json(cost->delay));
}

std::string json(const StudyPoint& point) {
  return fmt::format("{{\"name\":{},\"values\":{},\"reference\":{},\"path\":{},\"cost\":{},\"why\":{}}}",
                     json(point.name), list(point.values), json(point.reference), json(point.path), json(point.cost),
                     json(point.no_cost));
}

// The first bin that is not empty, and the counts from there to the last one.
std::string json(const Histogram& histogram) {
  std::size_t first = 0, end = histogram.size();
  while (first + 1 < end && histogram[first] == 0) ++first;
  while (end > first + 1 && histogram[end - 1] == 0) --end;
  std::vector<std::uint64_t> values{first};
  values.insert(values.end(), histogram.begin() + static_cast<std::ptrdiff_t>(first),
                histogram.begin() + static_cast<std::ptrdiff_t>(end));
  return list(values);
}

std::string json(const Row& row) {
  std::vector<Estimate> estimates;
  for (const MeasureView& view : measure_views()) estimates.push_back(row.measures.*view.estimate);
  return fmt::format("[{},{},{},{},{},{},{}]\n", row.point, row.input, row.shape, list(estimates), row.measures.results,
                     row.measures.special, json(row.measures.histogram));
}

}  // namespace

std::string data_json(const StudyResult& study) {
  const Panels panels = panels_of(study);
  const Charts charts(study);
  std::vector<std::string> shapes;
  for (const ProductShape& shape : study.shapes) shapes.push_back(shape_text(shape));
  std::string measures;
  for (std::size_t m = 0; m < measure_views().size(); ++m) {
    measures += (measures.empty() ? "" : ",\n") + measure_json(charts, m);
  }
  return fmt::format(
      "{{\"name\":{},\"title\":{},\"shapes\":{},\"dimensions\":{},\"x\":{},\"zero\":{},\"narrow\":{},\"chosen\":{},"
      "\n\"measures\":[{}],\n"
      "\"shares\":{},\"costed\":{},\n\"points\":{},\n\"rows\":{}}}",
      json(study.name), json(study.title), list(shapes), list(panels.dimensions), panels.x, histogram_zero, narrow,
      opening_row(study, panels).value_or(0), measures, json(charts.scale_of_shares()), json(charts.scale_of_costed()),
      list(study.points), list(study.rows));
}

}  // namespace assay
