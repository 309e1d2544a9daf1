#include "tb/explore/report/budgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/base/xml.hpp"
#include "tb/explore/budget_output.hpp"
#include "tb/explore/report/panels.hpp"
#include "tb/picture/svg.hpp"

namespace assay {
namespace {

//   sum.align acc: bits cut off          |
//   |#####################|      94 %    |   mean -1.2e-05, rms 1.3e-05
//                  |==|                  |
constexpr double width = 760, line_height = 44, head = 20, bars_left = 12, bars_width = 500, note_left = 560;
constexpr std::size_t most_rows = 60, most_lines = 12;

std::string rect(double from, double to, double y, double height, int colour, const char* fill) {
  return fmt::format(
      "<rect class=\"line c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" stroke=\"none\" "
      "fill=\"{}\"/>\n",
      colour, std::min(from, to), y, std::max(std::fabs(to - from), 0.5), height, fill);
}

std::string text(double x, double y, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y, xml_text(words));
}

// Both kinds of bars begin at one line; below zero they go to the left of it.
struct BarScale {
  double low = 0, high = 1;
  double at(double value) const { return bars_left + bars_width * (value - low) / (high - low); }
};

class Bars {
 public:
  explicit Bars(const RowBudget& budget) : budget_(budget), lines_(std::min(most_lines, budget.lines.size())) {
    for (std::size_t i = 0; i < lines_; ++i) {
      for (const double value : {budget.lines[i].share, signed_part(budget.lines[i])}) {
        axis_.low = std::min(axis_.low, value);
        axis_.high = std::max(axis_.high, value);
      }
    }
  }

  std::string svg(const std::string& name, const std::string& background) const {
    std::string content = background;
    double y = head;
    for (std::size_t i = 0; i < lines_; ++i, y += line_height) content += line(budget_.lines[i], y);
    if (lines_ < budget_.lines.size()) {
      content += text(bars_left, y, fmt::format("{} more places: budget.csv", budget_.lines.size() - lines_));
      y += 20;
    }
    const double zero = axis_.at(0);
    content += fmt::format("<path class=\"rule\" d=\"M{:.1f} {}V{:.1f}\" stroke=\"#777777\" fill=\"none\"/>\n", zero,
                           head + 4, y - 12);
    return svg_picture(width, y, name,
                       " class=\"budget\" font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" font-size=\"12\" "
                       "fill=\"#222222\"",
                       content);
  }

 private:
  // The mean, as a part of the root mean square of the whole error.
  double signed_part(const BudgetLine& line) const { return budget_.rms == 0 ? 0 : line.mean / budget_.rms; }

  std::string line(const BudgetLine& line, double y) const {
    return text(bars_left, y, line.where + ": " + line.words) +
           rect(axis_.at(0), axis_.at(line.share), y + 5, 10, 0, "#0072b2") +
           rect(axis_.at(0), axis_.at(signed_part(line)), y + 17, 5, 1, "#d55e00") +
           text(note_left, y + 14, fmt::format("share {:.2f} %", 100 * line.share)) +
           text(note_left, y + 28, fmt::format("mean {:+.3g}, rms {:.3g}", line.mean, line.rms));
  }

  const RowBudget& budget_;
  std::size_t lines_;
  BarScale axis_;
};

std::string picture_of(const StudyResult& study, const RowBudget& budget) {
  std::string html = budget.lines.empty()
                         ? "<p>No place of it errs.</p>\n"
                         : "<div class=\"bars\">\n" + Bars(budget).svg(row_name(study, budget.row), "") + "</div>\n";
  std::string forecasts;
  for (const BudgetForecast& forecast : budget.forecasts)
    forecasts += "<li>" + xml_text(forecast_text(budget, forecast)) + "</li>\n";
  if (!forecasts.empty()) html += "<ul>\n" + forecasts + "</ul>\n";
  return html;
}

std::string row_line(const StudyResult& study, const RowBudget& budget) {
  return xml_text(fmt::format("{}: error {:.3g} rms, {:+.3g} in the mean, of {} elements", row_name(study, budget.row),
                              budget.rms, budget.mean, budget.elements)) +
         (budget.special == 0 ? "" : fmt::format("; {} are left out, which are not finite", budget.special));
}

// The opening row's, then the others in their order.
std::vector<const RowBudget*> in_order(const StudyResult& study) {
  const int opening = opening_row(study, panels_of(study)).value_or(0);
  std::vector<const RowBudget*> budgets;
  for (const RowBudget& budget : study.budgets) budgets.push_back(&budget);
  std::stable_partition(budgets.begin(), budgets.end(), [&](const RowBudget* b) { return b->row == opening; });
  return budgets;
}

}  // namespace

std::string budgets_html(const StudyResult& study) {
  if (study.budgets.empty()) return "";
  const std::vector<const RowBudget*> budgets = in_order(study);
  std::string html =
      "<section aria-labelledby=\"h-budget\">\n<h2 id=\"h-budget\">Where the error is made</h2>\n<p>Blue: the share of "
      "a "
      "place in the mean square error; all shares add up to 100 %, and one below zero takes away what others add. "
      "Orange: the mean of its signed errors, as a part of the root mean square error. Numbers are relative to the "
      "root "
      "mean square of the exact results.</p>\n";
  html += "<p>" + row_line(study, *budgets.front()) + "</p>\n" + picture_of(study, *budgets.front());
  for (std::size_t i = 1; i < std::min(most_rows, budgets.size()); ++i)
    html += "<details class=\"budget\"><summary>" + row_line(study, *budgets[i]) + "</summary>\n" +
            picture_of(study, *budgets[i]) + "</details>\n";
  if (budgets.size() > most_rows)
    html += fmt::format("<p class=\"note\">{} more rows are in budget.csv and forecast.csv.</p>\n",
                        budgets.size() - most_rows);
  return html + "</section>\n";
}

std::vector<Plot> budget_plots(const StudyResult& study) {
  std::vector<Plot> made;
  if (study.budgets.empty()) return made;
  const RowBudget& budget = *in_order(study).front();
  if (budget.lines.empty()) return made;
  const std::string title = "where the error is made: " + row_name(study, budget.row);
  made.push_back(
      {"budget.svg", title, Bars(budget).svg(title, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n")});
  return made;
}

}  // namespace assay
