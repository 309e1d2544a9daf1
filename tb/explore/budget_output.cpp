#include "tb/explore/budget_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/base/text.hpp"
#include "tb/explore/csv.hpp"

namespace assay {
namespace {

constexpr std::size_t most_rows = 6, most_lines = 4, most_forecasts = 3;
constexpr std::size_t columns = 100;

std::vector<std::string> row_fields(const StudyResult& result, int index) {
  const Row& row = result.rows[static_cast<std::size_t>(index)];
  const ProductShape& shape = result.shapes[static_cast<std::size_t>(row.shape)];
  return {result.points[static_cast<std::size_t>(row.point)].name, result.inputs[static_cast<std::size_t>(row.input)],
          std::to_string(shape.m), std::to_string(shape.n), std::to_string(shape.k)};
}

std::string csv(const std::vector<std::string>& names, const StudyResult& result,
                const std::function<std::vector<std::vector<std::string>>(const RowBudget&)>& lines_of) {
  std::vector<std::string> head{"point", "input", "m", "n", "k", "elements", "special"};
  head.insert(head.end(), names.begin(), names.end());
  std::string text = csv_line(head);
  for (const RowBudget& budget : result.budgets) {
    std::vector<std::string> row = row_fields(result, budget.row);
    row.push_back(std::to_string(budget.elements));
    row.push_back(std::to_string(budget.special));
    for (const std::vector<std::string>& line : lines_of(budget)) {
      std::vector<std::string> fields = row;
      fields.insert(fields.end(), line.begin(), line.end());
      text += csv_line(fields);
    }
  }
  return text;
}

std::string shown(double value) { return fmt::format("{}", value); }

std::string paragraph(const std::string& text, const std::string& first) {
  return wrapped(split(text, ' '), {columns, first, std::string(first.size(), ' ')});
}

std::string row_text(const StudyResult& result, const RowBudget& budget) {
  std::string text = paragraph(fmt::format("{}: rms {:.3g}, mean {:+.3g} of {} elements", row_name(result, budget.row),
                                           budget.rms, budget.mean, budget.elements),
                               "  ");
  for (std::size_t i = 0; i < std::min(most_lines, budget.lines.size()); ++i) {
    const BudgetLine& line = budget.lines[i];
    text += paragraph(fmt::format("{}: {}; mean {:+.3g}, rms {:.3g}", line.where, line.words, line.mean, line.rms),
                      fmt::format("  {:>7.2f} %  ", 100 * line.share));
  }
  if (budget.lines.size() > most_lines) text += fmt::format("             {} more\n", budget.lines.size() - most_lines);
  for (std::size_t i = 0; i < std::min(most_forecasts, budget.forecasts.size()); ++i)
    text += paragraph(forecast_text(budget, budget.forecasts[i]), "    - ");
  return text;
}

}  // namespace

std::string row_name(const StudyResult& result, int row) {
  const std::vector<std::string> fields = row_fields(result, row);
  return fmt::format("{}, {}, {} x {} x {}", fields[0], fields[1], fields[2], fields[3], fields[4]);
}

std::string forecast_text(const RowBudget& budget, const BudgetForecast& forecast) {
  const auto away = [&](double rms) { return 100 * (1 - rms / budget.rms); };
  const std::string run = !forecast.refused.empty() ? "cannot be run: " + forecast.refused
                          : !forecast.measured      ? "not run"
                                                    : fmt::format("{:.1f} % when run", away(*forecast.measured));
  return fmt::format("{} ({}: {}) takes {:.1f} % of the error away; {}", forecast.words, forecast.key, forecast.value,
                     away(forecast.predicted), run);
}

std::string budget_csv(const StudyResult& result) {
  return csv({"where", "words", "mean", "rms", "share"}, result, [](const RowBudget& budget) {
    std::vector<std::vector<std::string>> lines;
    for (const BudgetLine& l : budget.lines)
      lines.push_back({l.where, l.words, shown(l.mean), shown(l.rms), shown(l.share)});
    return lines;
  });
}

std::string forecast_csv(const StudyResult& result) {
  return csv({"rms", "key", "value", "words", "predicted", "measured"}, result, [](const RowBudget& budget) {
    std::vector<std::vector<std::string>> lines;
    for (const BudgetForecast& f : budget.forecasts)
      lines.push_back({shown(budget.rms), f.key, f.value, f.words, shown(f.predicted),
                       f.measured ? shown(*f.measured) : f.refused});
    return lines;
  });
}

std::string budget_table(const StudyResult& result) {
  if (result.budgets.empty()) return "";
  std::string text = "where the error is made, as shares of its mean square; relative to the exact results\n";
  for (std::size_t i = 0; i < std::min(most_rows, result.budgets.size()); ++i)
    text += row_text(result, result.budgets[i]);
  if (result.budgets.size() > most_rows)
    text += fmt::format("  {} more rows are in budget.csv and forecast.csv.\n", result.budgets.size() - most_rows);
  return text;
}

}  // namespace assay
