#include "tb/explore/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "tb/explore/csv.hpp"
#include "tb/explore/json_number.hpp"
#include "tb/explore/study.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns = 100;

Json json_of(const Estimate& e) {
  return {{"mean", json_number(e.mean)}, {"low", json_number(e.low)}, {"high", json_number(e.high)}};
}

Json json_of(const std::optional<double>& value) { return value ? json_number(*value) : Json(); }

Json json_of(const StudyFinding& f) {
  Json json{{"text", f.text}, {"expected", json_of(f.expected)}, {"measured", json_of(f.measured)}};
  if (f.row) json["row"] = *f.row;
  return json;
}

Json json_of(const StudyPoint& p) {
  Json json{{"name", p.name}, {"values", p.values}, {"reference", p.reference}, {"path", p.path}};
  if (p.cost)
    json["cost"] = {
        {"cells", p.cost->cells}, {"area", p.cost->area}, {"depth", p.cost->depth}, {"delay", p.cost->delay}};
  if (!p.no_cost.empty()) json["no_cost"] = p.no_cost;
  return json;
}

Json json_of(const Row& row) {
  Json json{{"point", row.point}, {"input", row.input}, {"shape", row.shape}};
  for (const auto& [name, estimate] : measure_names()) json[name] = json_of(row.measures.*estimate);
  json["results"] = row.measures.results;
  json["special"] = row.measures.special;
  json["histogram"] = row.measures.histogram;
  return json;
}

Json json_of(const RowBudget& budget) {
  Json json{{"row", budget.row},
            {"elements", budget.elements},
            {"special", budget.special},
            {"mean", json_number(budget.mean)},
            {"rms", json_number(budget.rms)},
            {"places", Json::array()},
            {"forecasts", Json::array()}};
  for (const BudgetLine& l : budget.lines)
    json["places"].push_back({{"where", l.where},
                              {"words", l.words},
                              {"mean", json_number(l.mean)},
                              {"rms", json_number(l.rms)},
                              {"share", json_number(l.share)}});
  for (const BudgetForecast& f : budget.forecasts) {
    Json forecast{{"key", f.key}, {"value", f.value}, {"words", f.words}, {"predicted", json_of(f.predicted)}};
    forecast["measured"] = json_of(f.measured);
    if (!f.refused.empty()) forecast["refused"] = f.refused;
    json["forecasts"].push_back(std::move(forecast));
  }
  return json;
}

std::string shown(double value) { return fmt::format("{}", value); }

std::vector<std::string> csv_head(const StudyResult& result) {
  std::vector<std::string> head{"point", "reference"};
  for (const Axis& axis : result.axes) head.push_back(axis.name);
  for (const char* const name : {"input", "m", "n", "k"}) head.emplace_back(name);
  for (const auto& [name, estimate] : measure_names()) {
    for (const char* const part : {"", "_low", "_high"}) head.push_back(name + part);
  }
  for (const char* const name : {"results", "special", "cells", "area", "depth", "delay"}) head.emplace_back(name);
  return head;
}

std::vector<std::string> csv_row(const StudyResult& result, const Row& row) {
  const StudyPoint& point = result.points[static_cast<std::size_t>(row.point)];
  const ProductShape& shape = result.shapes[static_cast<std::size_t>(row.shape)];
  std::vector<std::string> fields{point.name, point.reference};
  for (std::size_t i = 0; i < result.axes.size(); ++i)
    fields.push_back(point.values.empty() ? "" : result.axes[i].values[static_cast<std::size_t>(point.values[i])]);
  fields.push_back(result.inputs[static_cast<std::size_t>(row.input)]);
  for (const int side : {shape.m, shape.n, shape.k}) fields.push_back(std::to_string(side));
  for (const auto& [name, estimate] : measure_names()) {
    const Estimate& e = row.measures.*estimate;
    for (const double value : {e.mean, e.low, e.high}) fields.push_back(shown(value));
  }
  fields.push_back(std::to_string(row.measures.results));
  fields.push_back(std::to_string(row.measures.special));
  const bool costed = point.cost.has_value();
  fields.push_back(costed ? std::to_string(point.cost->cells) : "");
  fields.push_back(costed ? shown(point.cost->area) : "");
  fields.push_back(costed ? std::to_string(point.cost->depth) : "");
  fields.push_back(costed ? shown(point.cost->delay) : "");
  return fields;
}

// --- for people ---

// Shortened in its middle, where it is too long.
std::string fitted(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  const std::size_t tail = (width - 2) / 2;
  return text.substr(0, width - 2 - tail) + ".." + text.substr(text.size() - tail);
}

std::size_t name_width(const StudyResult& result) {
  std::size_t width = 8;
  for (const StudyPoint& point : result.points) width = std::max(width, point.name.size());
  return std::min<std::size_t>(width, 23);
}

std::string table_row(const std::string& name, std::size_t width, const Measures& m) {
  return fmt::format("  {:<{}} {:>9.3g} {:>9.3g} {:>9.3g} {:>9.3g} {:>10.3g} {:>7.3f} {:>7.3f} {:>7}\n",
                     fitted(name, width), width, m.normwise.mean, m.quantisation.mean, m.total.mean, m.greatest.mean,
                     m.bias_ulps.mean, 100 * m.correct.mean, 100 * m.swamped.mean, m.special);
}

std::string table_head(std::size_t width) {
  return fmt::format("  {:<{}} {:>9} {:>9} {:>9} {:>9} {:>10} {:>7} {:>7} {:>7}\n", "", width, "normwise", "quantis.",
                     "total", "greatest", "bias ulps", "right %", "swamp %", "special");
}

std::string broken(const std::string& text, const std::string& first, const std::string& later) {
  return wrapped(split(text, ' '), {columns, first, later});
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : ",") + csv_field(field);
  return line + "\r\n";
}

std::string result_json(const StudyResult& result) {
  Json json{{"study", result.name},      {"title", result.title},   {"description", result.description},
            {"version", result.version}, {"digest", result.digest}, {"seeds", result.seeds},
            {"axes", Json::array()},     {"inputs", result.inputs}, {"shapes", Json::array()},
            {"points", Json::array()},   {"rows", Json::array()},   {"findings", Json::array()},
            {"text", result.text}};
  for (const Axis& axis : result.axes) json["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
  for (const ProductShape& s : result.shapes) json["shapes"].push_back({{"m", s.m}, {"n", s.n}, {"k", s.k}});
  for (const StudyPoint& point : result.points) json["points"].push_back(json_of(point));
  for (const Row& row : result.rows) json["rows"].push_back(json_of(row));
  for (const StudyFinding& f : result.findings) json["findings"].push_back(json_of(f));
  for (const RowBudget& budget : result.budgets) json["budgets"].push_back(json_of(budget));
  return json.dump(1) + "\n";
}

std::string result_csv(const StudyResult& result) {
  std::string text = csv_line(csv_head(result));
  for (const Row& row : result.rows) text += csv_line(csv_row(result, row));
  return text;
}

std::string result_table(const StudyResult& result) {
  const std::size_t width = name_width(result);
  std::string text;
  for (std::size_t input = 0; input < result.inputs.size(); ++input) {
    for (std::size_t shape = 0; shape < result.shapes.size(); ++shape) {
      const ProductShape& s = result.shapes[shape];
      text += fmt::format("{}{}, {} x {} x {}\n", text.empty() ? "" : "\n", result.inputs[input], s.m, s.n, s.k);
      text += table_head(width);
      for (const Row& row : result.rows) {
        if (row.input != static_cast<int>(input) || row.shape != static_cast<int>(shape)) continue;
        text += table_row(result.points[static_cast<std::size_t>(row.point)].name, width, row.measures);
      }
    }
  }
  return text;
}

std::string cost_table(const StudyResult& result) {
  const std::size_t width = name_width(result);
  std::string text;
  for (const StudyPoint& p : result.points) {
    if (p.cost) {
      text += fmt::format("  {:<{}} {:>9} {:>12.0f} {:>9} {:>9.2f}\n", fitted(p.name, width), width, p.cost->cells,
                          p.cost->area, p.cost->depth, p.cost->delay);
    } else if (!p.no_cost.empty()) {
      text += broken(p.no_cost, fmt::format("  {:<{}} ", fitted(p.name, width), width), std::string(width + 3, ' '));
    }
  }
  if (text.empty()) return text;
  return fmt::format("gates\n  {:<{}} {:>9} {:>12} {:>9} {:>9}\n", "", width, "cells", "area um^2", "depth",
                     "delay ns") +
         text;
}

std::string findings_text(const StudyResult& result) {
  std::string text;
  for (const StudyFinding& f : result.findings) text += broken(f.text, "- ", "  ");
  return text;
}

}  // namespace assay
