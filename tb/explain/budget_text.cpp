#include "tb/explain/budget_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/text.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/explain/page.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

constexpr std::size_t most_parts = 8;

struct Line {
  std::string name, number, words;
};

// The numbers stand under each other, points not aligned: they differ by too many powers of two.
void put(Page& page, const std::vector<Line>& lines) {
  std::size_t name = Page::name_width - 2, number = 0;
  for (const Line& one : lines) {
    name = std::max(name, one.name.size());
    number = std::max(number, one.number.size());
  }
  for (const Line& one : lines)
    page.row(fmt::format("  {:<{}}", one.name, name), fmt::format("{:<{}}   {}", one.number, number, one.words));
}

Dyadic size_of(const Dyadic& x) { return {abs(x.significand), x.exponent}; }

std::vector<ErrorPart> largest_first(std::vector<ErrorPart> parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const ErrorPart& x, const ErrorPart& y) {
    return sign(size_of(x.error) - size_of(y.error)) > 0;
  });
  return parts;
}

Line part_line(const Explanation& e, const ErrorPart& part) {
  const Place place = e.shown.plan->places[static_cast<std::size_t>(part.place)];
  const ErrorSource& source = e.made.sources[static_cast<std::size_t>(part.source)];
  const bool is_item = place.stage == Stage::align || place.stage == Stage::decode || place.stage == Stage::multiply;
  return {place.name, in_ulps(part.error, *e.exact.ulp), (is_item ? place.label + ": " : "") + source.words};
}

std::vector<Line> part_lines(const Explanation& e) {
  const std::vector<ErrorPart> parts = largest_first(e.made.budget.parts.parts);
  const std::size_t shown = parts.size() > most_parts + 1 ? most_parts : parts.size();
  std::vector<Line> lines;
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(part_line(e, parts[i]));
  if (shown < parts.size()) {
    const Dyadic rest = sum_of({parts.begin() + static_cast<std::ptrdiff_t>(shown), parts.end()});
    lines.push_back({counted(parts.size() - shown, "more place"), in_ulps(rest, *e.exact.ulp), "together"});
  }
  if (parts.size() > 1) lines.push_back({"all", in_ulps(e.made.budget.error, *e.exact.ulp), "d - exact"});
  return lines;
}

std::string run_text(const Forecast& forecast, long ulp) {
  if (!forecast.refused.empty()) return "cannot be run: " + forecast.refused;
  return forecast.measured ? "run: " + in_ulps(*forecast.measured, ulp) : "run: d is not finite";
}

std::vector<Line> forecast_lines(const Explanation& e) {
  std::vector<Line> lines;
  for (const Forecast& forecast : e.made.forecasts) {
    const Easement& easement = e.made.easements[static_cast<std::size_t>(forecast.easement)];
    lines.push_back({easement.key + ": " + easement.value, in_ulps(forecast.predicted, *e.exact.ulp),
                     run_text(forecast, *e.exact.ulp)});
  }
  return lines;
}

}  // namespace

std::string budget_text(const Explanation& e) {
  const bool as_it_must = e.exact.beyond && e.shown.answer.d == *e.exact.nearest;  // no number of ulps is said then
  if (!e.made.budget.none.empty() || sign(e.made.budget.error) == 0 || as_it_must) return "";
  Page page;
  page.row("budget", fmt::format("where the error{} was made, in ulp, the largest part first",
                                 e.sides ? " of " + e.shown.name : ""));
  put(page, part_lines(e));
  const std::vector<Line> forecasts = forecast_lines(e);
  if (forecasts.empty()) return page.text();
  page.row("forecast", "the error with one word changed, from the budget; and of the datapath with it, run");
  put(page, forecasts);
  return page.text();
}

}  // namespace assay::explain
