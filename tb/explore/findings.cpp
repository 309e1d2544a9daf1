#include "tb/explore/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace assay {
namespace {

constexpr double nearly_all = 0.999;  // of the results, correctly rounded
constexpr double near_widest = 1.1;   // times the error of the widest: where the knee is

// Numbers of bits that grow from value to value.
bool is_of_widths(const StudyAxis& axis) {
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    const std::optional<int> value = int_in(axis.values[i].label);
    if (!value || (i > 0 && *value <= *int_in(axis.values[i - 1].label))) return false;
  }
  return axis.values.size() >= 3 && sets_bits(axis);
}

std::optional<std::size_t> width_axis(const Study& study) {
  for (std::size_t i = 0; i < study.axes.size(); ++i) {
    if (is_of_widths(study.axes[i])) return i;
  }
  return std::nullopt;
}

// Rows that differ in their width and in nothing else, from the narrowest to the widest.
using Series = std::vector<const Row*>;

const StudyPoint& point_of(const StudyResult& result, const Row& row) {
  return result.points[static_cast<std::size_t>(row.point)];
}

std::vector<Series> series_of(const StudyResult& result, const std::vector<const Row*>& rows, std::size_t axis) {
  std::vector<Series> all;
  std::map<std::vector<int>, std::size_t> known;
  for (const Row* row : rows) {
    std::vector<int> key = point_of(result, *row).values;
    if (key.empty()) continue;  // a reference
    key[axis] = 0;
    key.insert(key.begin(), {row->input, row->shape});
    const auto [at, is_new] = known.emplace(key, all.size());
    if (is_new) all.emplace_back();
    all[at->second].push_back(row);
  }
  return all;
}

const std::string& width_of(const StudyResult& result, const Row& row, std::size_t axis) {
  return result.axes[axis].values[static_cast<std::size_t>(point_of(result, row).values[axis])];
}

// The first from which on all hold.
template <class Holds>
std::optional<std::size_t> first_from(const Series& series, const Holds& holds) {
  std::size_t first = series.size();
  while (first > 0 && holds(*series[first - 1])) --first;
  return first == series.size() ? std::nullopt : std::optional<std::size_t>(first);
}

std::optional<std::size_t> first_correct(const Series& series) {
  return first_from(series, [](const Row& row) { return row.measures.correct.mean >= nearly_all; });
}

double error_of(const Row* row) { return row->measures.normwise.mean; }

const Row* least_error(const Series& series) {
  return *std::min_element(series.begin(), series.end(),
                           [](const Row* x, const Row* y) { return error_of(x) < error_of(y); });
}

// What the normwise error does at the widest value. Only where it is level was the widest one held against a narrower
// one that is as good, which shows that some width is enough.
enum class Ending { level, falling, not_least, infinite };

Ending ending_of(const Series& series) {
  const double widest = error_of(series.back()), narrower = error_of(*std::prev(series.end(), 2)),
               least = error_of(least_error(series));
  if (!std::isfinite(least)) return Ending::infinite;
  if (!(widest <= near_widest * least)) return Ending::not_least;
  return widest > 0 && narrower > near_widest * widest ? Ending::falling : Ending::level;
}

std::optional<std::size_t> knee(const Series& series) {
  if (ending_of(series) != Ending::level) return std::nullopt;
  const double widest = error_of(series.back());
  return first_from(series, [&](const Row& row) { return error_of(&row) <= near_widest * widest; });
}

double number(const StudyResult& result, const Series& series, std::size_t axis, std::size_t at) {
  return *int_in(width_of(result, *series[at], axis));
}

// "K = 4096, cut = down"
std::string conditions_of(const StudyResult& result, const Row& row, std::optional<std::size_t> without) {
  std::string text = fmt::format("K = {}", result.shapes[static_cast<std::size_t>(row.shape)].k);
  const StudyPoint& point = point_of(result, row);
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    if (i != without)
      text += fmt::format(", {} = {}", result.axes[i].name,
                          result.axes[i].values[static_cast<std::size_t>(point.values[i])]);
  }
  return text;
}

// "normal, K = 4096, cut = down"
std::string title_of(const StudyResult& result, const Row& row, std::optional<std::size_t> without) {
  return result.inputs[static_cast<std::size_t>(row.input)] + ", " + conditions_of(result, row, without);
}

StudyFinding correct_finding(const StudyResult& result, const Series& series, std::size_t axis) {
  const std::string title = title_of(result, *series.front(), axis), &name = result.axes[axis].name;
  if (const auto first = first_correct(series)) {
    return {fmt::format("{}: 99.9 % of the results equal the correctly rounded one from {} = {} on.", title, name,
                        width_of(result, *series[*first], axis)),
            std::nullopt, number(result, series, axis, *first)};
  }
  const Row* best = *std::max_element(series.begin(), series.end(), [](const Row* x, const Row* y) {
    return x->measures.correct.mean < y->measures.correct.mean;
  });
  if (best->measures.correct.mean >= nearly_all) {
    return {
        fmt::format("{}: 99.9 % of the results equal the correctly rounded one at {} = {}, but not at every wider one: "
                    "at {} = {} it is {:.4g} %.",
                    title, name, width_of(result, *best, axis), name, width_of(result, *series.back(), axis),
                    100 * series.back()->measures.correct.mean),
        std::nullopt, std::nullopt};
  }
  return {fmt::format("{}: at no {} up to {} do 99.9 % of the results equal the correctly rounded one; the most is "
                      "{:.4g} %, at {} = {}.",
                      title, name, width_of(result, *series.back(), axis), 100 * best->measures.correct.mean, name,
                      width_of(result, *best, axis)),
          std::nullopt, std::nullopt};
}

// No width up to the widest was shown to be enough.
std::string no_knee(const StudyResult& result, const Series& series, std::size_t axis) {
  const std::string& name = result.axes[axis].name;
  const std::string& width = width_of(result, *series.back(), axis);
  const double widest = error_of(series.back());
  if (ending_of(series) == Ending::falling)
    return fmt::format(
        "no knee is found: the normwise error still falls at the widest value, {} = {}. It is {:.2g} "
        "there and {:.2f} times that one step narrower; try wider ones.",
        name, width, widest, error_of(series[series.size() - 2]) / widest);
  if (ending_of(series) == Ending::infinite)
    return fmt::format("there is no knee: at no {} is the normwise error finite.", name);
  const Row* const least = least_error(series);
  return fmt::format(
      "there is no knee: the normwise error is least at {} = {}, {:.2g}, and at the widest value, "
      "{} = {}, it is {:.2g}.",
      name, width_of(result, *least, axis), error_of(least), name, width, widest);
}

StudyFinding knee_finding(const StudyResult& result, const Series& series, std::size_t axis) {
  const std::string title = title_of(result, *series.front(), axis), &name = result.axes[axis].name;
  const std::optional<std::size_t> found = knee(series);
  if (!found) return {title + ": " + no_knee(result, series, axis), std::nullopt, std::nullopt};
  const std::size_t at = *found;
  const double widest = error_of(series.back());
  const std::string& width = width_of(result, *series[at], axis);
  if (at == 0) {
    return {fmt::format("{}: {} = {} already is as good as {}: a normwise error of {:.2g}. There is no knee.", title,
                        name, width, width_of(result, *series.back(), axis), widest),
            std::nullopt, number(result, series, axis, at)};
  }
  const double before = error_of(series[at - 1]);
  const std::string times =
      widest == 0 ? fmt::format("{:.2g}", before) : fmt::format("{:.2f} times that", before / widest);
  return {fmt::format("{}: the knee is at {} = {}: from there on the normwise error is within a tenth of what {} = {} "
                      "gives, {:.2g}; one step narrower it is {}.",
                      title, name, width, name, width_of(result, *series.back(), axis), widest, times),
          std::nullopt, number(result, series, axis, at)};
}

// The names of inputs, other things being equal, by what was found of them.
struct Summary {
  const Row* first = nullptr;
  std::map<std::size_t, std::string> enough;  // by knee
  std::string falling, not_least, infinite;

  std::string& of(const Series& series) {
    if (const auto at = knee(series)) return enough[*at];
    const Ending ending = ending_of(series);
    return ending == Ending::infinite ? infinite : ending == Ending::falling ? falling : not_least;
  }
};

// "F = 15 is enough for normal, uniform; F = 21 for gradient."
std::string summary_text(const Summary& summary, const Axis& axis) {
  std::vector<std::string> parts, sentences;
  for (const auto& [at, names] : summary.enough)
    parts.push_back(
        fmt::format("{} = {} {}for {}", axis.name, axis.values[at], parts.empty() ? "is enough " : "", names));
  if (!parts.empty())
    sentences.push_back(
        fmt::format("{}. More bits lessen the normwise error by less than a tenth.", fmt::join(parts, "; ")));
  const std::string widest = fmt::format("{} = {}, the widest value,", axis.name, axis.values.back());
  if (!summary.falling.empty())
    sentences.push_back(
        fmt::format("{} is not shown to be enough for {}: the normwise error still falls there; try "
                    "wider ones.",
                    widest, summary.falling));
  if (!summary.not_least.empty())
    sentences.push_back(fmt::format("{} is not the best for {}: the normwise error is less at a narrower one.", widest,
                                    summary.not_least));
  if (!summary.infinite.empty())
    sentences.push_back(fmt::format("No value of {} is enough for {}: at none is the normwise error finite.", axis.name,
                                    summary.infinite));
  return fmt::format("{}", fmt::join(sentences, " "));
}

// Results that no error counts.
std::optional<StudyFinding> special_finding(const StudyResult& result, const Series& series, std::size_t axis) {
  const Row* const most = *std::max_element(series.begin(), series.end(), [](const Row* x, const Row* y) {
    return x->measures.special < y->measures.special;
  });
  const Measures& m = most->measures;
  if (m.special == 0) return std::nullopt;
  const auto rows =
      std::count_if(series.begin(), series.end(), [](const Row* row) { return row->measures.special > 0; });
  const std::string where = rows == 1 ? fmt::format("at {} = {}", result.axes[axis].name, width_of(result, *most, axis))
                                      : fmt::format("at {} values of {}, most of all at {},", rows,
                                                    result.axes[axis].name, width_of(result, *most, axis));
  return StudyFinding{fmt::format("{}: {} {} of {} results are NaN or infinite and should not be; errors are those of "
                                  "the others.",
                                  title_of(result, *most, axis), where, m.special, m.results),
                      std::nullopt, std::nullopt};
}

// Nothing is measured of a unit that only has to give infinities.
std::optional<StudyFinding> infinite_finding(const StudyResult& result, const Series& series, std::size_t axis) {
  const bool any =
      std::any_of(series.begin(), series.end(), [](const Row* row) { return has_finite(row->measures.histogram); });
  if (any) return std::nullopt;
  return StudyFinding{fmt::format("{}: no result is finite, so no error is measured and nothing is shown of {}; give "
                                  "smaller operands, or a format with a wider range.",
                                  title_of(result, *series.front(), axis), result.axes[axis].name),
                      std::nullopt, std::nullopt};
}

// What to keep for each input, other things being equal.
std::vector<StudyFinding> summaries(const StudyResult& result, const std::vector<Series>& all, std::size_t axis) {
  std::map<std::vector<int>, Summary> by_others;  // by shape and other axes
  for (const Series& series : all) {
    const Row& row = *series.front();
    std::vector<int> key = point_of(result, row).values;
    key[axis] = row.shape;
    Summary& summary = by_others[key];
    if (summary.first == nullptr) summary.first = &row;
    std::string& names = summary.of(series);
    names += (names.empty() ? "" : ", ") + result.inputs[static_cast<std::size_t>(row.input)];
  }
  std::vector<StudyFinding> findings;
  for (const auto& [key, summary] : by_others)
    findings.push_back({fmt::format("In short, with {}: {}", conditions_of(result, *summary.first, axis),
                                    summary_text(summary, result.axes[axis])),
                        std::nullopt, std::nullopt});
  return findings;
}

using Member = Estimate Measures::*;

double mean_of(const Row* row, Member member) { return (row->measures.*member).mean; }

// The rows where a measure is least and greatest.
struct Ends {
  const Row* least;
  const Row* greatest;
};

Ends ends_of(const Series& series, Member member) {
  const auto less = [&](const Row* x, const Row* y) { return mean_of(x, member) < mean_of(y, member); };
  const auto [least, greatest] = std::minmax_element(series.begin(), series.end(), less);
  return {*least, *greatest};
}

bool differ(const Ends& ends, Member member) {
  return mean_of(ends.greatest, member) > 1.01 * mean_of(ends.least, member);
}

// The best and the worst value of an axis that is not of widths. Where what is lost before anything is added differs as
// well, right sums of the wrong operands are no answer: then the total error counts.
StudyFinding spread_finding(const StudyResult& result, const Series& series, std::size_t axis) {
  const bool of_operands = differ(ends_of(series, &Measures::quantisation), &Measures::quantisation);
  const Member member = of_operands ? &Measures::total : &Measures::normwise;
  const Ends ends = ends_of(series, member);
  const double least = mean_of(ends.least, member), most = mean_of(ends.greatest, member);
  const std::string title = title_of(result, *ends.least, axis), &name = result.axes[axis].name;
  const char* const error = of_operands ? "total error" : "normwise error";
  if (!differ(ends, member))
    return {fmt::format("{}: the {} is {:.2g} whatever the {}.", title, error, least, name), std::nullopt,
            std::nullopt};
  const auto part = [&](const Row* row) {
    return of_operands ? fmt::format(" (quantisation {:.2g}, accumulation {:.2g})", row->measures.quantisation.mean,
                                     row->measures.normwise.mean)
                       : "";
  };
  const std::string times = least == 0 ? "" : fmt::format(", {:.3g} times that", most / least);
  return {fmt::format("{}: the {} is least at {} = {}, {:.2g}{}, and greatest at {} = {}, {:.2g}{}{}.", title, error,
                      name, width_of(result, *ends.least, axis), least, part(ends.least), name,
                      width_of(result, *ends.greatest, axis), most, part(ends.greatest), times),
          std::nullopt, std::nullopt};
}

// "-0.12 (-0.14 to -0.1)"
std::string with_interval(const Estimate& e) {
  const std::string mean = fmt::format("{:.3g}", e.mean);
  return e.low == e.high ? mean : fmt::format("{} ({:.2g} to {:.2g})", mean, e.low, e.high);
}

// A measure along an axis: at every value where they are few, with its interval where they are fewer.
StudyFinding measure_finding(const StudyResult& result, const Series& series, std::size_t axis,
                             const std::pair<std::string, Member>& measure) {
  constexpr std::size_t few = 8, fewer = 4;
  const Ends ends = ends_of(series, measure.second);
  const Series told = series.size() <= few ? series : Series{ends.least, ends.greatest};
  std::string text;
  for (std::size_t i = 0; i < told.size(); ++i) {
    const Estimate& e = told[i]->measures.*measure.second;
    const char* const before = i == 0 ? "" : i + 1 == told.size() ? " and " : ", ";
    text += before + (told.size() <= fewer ? with_interval(e) : fmt::format("{:.3g}", e.mean)) + " at " +
            (i == 0 ? result.axes[axis].name + " = " : "") + width_of(result, *told[i], axis);
  }
  return {fmt::format("{}: {} is {}.", title_of(result, *series.front(), axis), measure.first, text), std::nullopt,
          std::nullopt};
}

// A bias at some value of the axis that is absent or smaller at another: errors alone do not show it.
std::optional<StudyFinding> bias_finding(const StudyResult& result, const Series& series, std::size_t axis) {
  constexpr double worth_saying = 0.01;  // ulps
  const auto less = [](const Row* x, const Row* y) {
    return std::fabs(x->measures.bias_ulps.mean) < std::fabs(y->measures.bias_ulps.mean);
  };
  const auto [centred, pulled] = std::minmax_element(series.begin(), series.end(), less);
  const Estimate &none = (*centred)->measures.bias_ulps, &bias = (*pulled)->measures.bias_ulps;
  const bool apart = bias.high < none.low || bias.low > none.high;
  if (result.seeds < 2 || !apart || !(std::fabs(bias.mean) >= worth_saying)) return std::nullopt;
  const std::string& name = result.axes[axis].name;
  return StudyFinding{fmt::format("{}: results are pulled {} at {} = {}, by a bias of {} ulps; at {} = {} it is {}.",
                                  title_of(result, **pulled, axis), bias.mean < 0 ? "down" : "up", name,
                                  width_of(result, **pulled, axis), with_interval(bias), name,
                                  width_of(result, **centred, axis), with_interval(none)),
                      std::nullopt, std::nullopt};
}

bool is_listed(const Study& study, const Row& row) {
  return study.inputs[static_cast<std::size_t>(row.input)].family == InputFamily::listed;
}

// Listed inputs are there for their published numbers.
std::vector<const Row*> random_rows(const Study& study, const StudyResult& result) {
  std::vector<const Row*> rows;
  for (const Row& row : result.rows) {
    if (!is_listed(study, row)) rows.push_back(&row);
  }
  return rows;
}

// --- published numbers ---

bool matches(const StudyResult& result, const Row& row, const Expectation& e) {
  const StudyPoint& point = point_of(result, row);
  const auto same = [&](const std::string& key, const std::string& value) {
    if (key == "input") return result.inputs[static_cast<std::size_t>(row.input)] == value;
    if (key == "k") return std::to_string(result.shapes[static_cast<std::size_t>(row.shape)].k) == value;
    if (key == "reference") return point.reference == value;
    for (std::size_t i = 0; i < point.values.size(); ++i) {
      if (result.axes[i].name == key) return result.axes[i].values[static_cast<std::size_t>(point.values[i])] == value;
    }
    return false;
  };
  return std::all_of(e.where.begin(), e.where.end(), [&](const auto& pair) { return same(pair.first, pair.second); });
}

bool is_of_series(const Expectation& e) { return e.measure == first_correct_measure || e.measure == knee_measure; }

// What the expectation is about: one row, or one series.
std::vector<Series> subjects(const Study& study, const StudyResult& result, const Expectation& e) {
  std::vector<const Row*> rows;
  for (const Row& row : result.rows) {
    if (matches(result, row, e)) rows.push_back(&row);
  }
  if (is_of_series(e)) {
    const auto axis = width_axis(study);
    if (!axis)
      throw Error{e.place + ": '" + e.measure +
                  "' needs an axis of widths: at least three whole numbers that grow, of a key that sets bits, such as "
                  "`keep`."};
    const std::string& name = study.axes[*axis].name;
    if (e.where.count(name) != 0)
      throw Error{e.place + ": '" + e.measure + "' is about all values of the axis '" + name +
                  "', and `where` names one of them; leave it out."};
    return series_of(result, rows, *axis);
  }
  // Points and references are told apart: where neither is named, references do not count.
  std::vector<Series> found;
  for (const Row* row : rows) {
    const bool reference = !point_of(result, *row).reference.empty();
    if (!reference || e.where.count("reference") != 0 || study.axes.empty()) found.push_back({row});
  }
  return found;
}

std::optional<double> measured(const Study& study, const StudyResult& result, const Series& series,
                               const Expectation& e) {
  if (is_of_series(e)) {
    const std::size_t axis = *width_axis(study);
    const auto at = e.measure == knee_measure ? knee(series) : first_correct(series);
    return at ? std::optional<double>(number(result, series, axis, *at)) : std::nullopt;
  }
  const auto estimate = measure_named(e.measure, series.front()->measures);
  return estimate ? std::optional<double>(estimate->mean) : std::nullopt;
}

// What a page shows first. All results of listed inputs are alike.
std::optional<int> shown_row(const Study& study, const StudyResult& result, const Row& row, const Expectation& e) {
  if (is_of_series(e) || is_listed(study, row)) return std::nullopt;
  return static_cast<int>(&row - result.rows.data());
}

StudyFinding published_finding(const Study& study, const StudyResult& result, const Series& series,
                               const Expectation& e, bool& missed) {
  const std::optional<double> ours = measured(study, result, series, e);
  const auto without = is_of_series(e) ? width_axis(study) : std::nullopt;
  const Row& row = *series.front();
  const std::string& reference = point_of(result, row).reference;
  const std::string title = title_of(result, row, without) + (reference.empty() ? "" : ", " + reference);
  missed = e.within && !(ours && std::fabs(*ours - e.published) <= *e.within);
  const std::string verdict = !e.within ? "" : missed ? " They disagree." : " They agree.";
  return {fmt::format("{}: {} is {}; published is {:.10g} ({}).{}", title, e.measure,
                      ours ? fmt::format("{:.10g}", *ours) : "reached at no value of the axis", e.published, e.source,
                      verdict),
          e.published, ours, shown_row(study, result, row, e)};
}

const std::pair<std::string, Member>* measure_named(const std::string& name) {
  for (const auto& measure : measure_names()) {
    if (measure.first == name) return &measure;
  }
  return nullptr;
}

// What is published of one row, and the same measure along the axis, since that is what the study varies.
void add_published(const Study& study, const StudyResult& result, const Expectation& e, const std::vector<Series>& all,
                   Findings& findings) {
  const Series subject = subjects(study, result, e).front();
  bool missed = false;
  findings.list.push_back(published_finding(study, result, subject, e, missed));
  findings.missed += missed ? 1 : 0;
  if (is_of_series(e) || e.measure == study.measure) return;
  const auto axis = width_axis(study).value_or(0);
  for (const Series& series : all) {
    const bool has = std::find(series.begin(), series.end(), subject.front()) != series.end();
    if (has && series.size() > 1)
      findings.list.push_back(measure_finding(result, series, axis, *measure_named(e.measure)));
  }
}

// Those of inputs that something is published of come first.
void put_published_first(const Study& study, const StudyResult& result, std::vector<Series>& all) {
  const auto is_published = [&](const Series& series) {
    const std::string& input = result.inputs[static_cast<std::size_t>(series.front()->input)];
    return std::any_of(study.expectations.begin(), study.expectations.end(), [&](const Expectation& e) {
      const auto named = e.where.find("input");
      return named != e.where.end() && named->second == input;
    });
  };
  std::stable_partition(all.begin(), all.end(), is_published);
}

StudyFinding about(std::string what, StudyFinding finding) {
  finding.about = std::move(what);
  return finding;
}

const std::string& input_of(const StudyResult& result, const Series& series) {
  return result.inputs[static_cast<std::size_t>(series.front()->input)];
}

// What is said of every series.
void add_usual(const Study& study, const StudyResult& result, const std::vector<Series>& all, std::size_t axis,
               std::vector<StudyFinding>& list) {
  const bool of_widths = width_axis(study).has_value();
  if (of_widths) {
    for (StudyFinding& summary : summaries(result, all, axis)) list.push_back(about("In short", std::move(summary)));
  }
  for (const Series& series : all) {
    const std::string& input = input_of(result, series);
    if (auto special = special_finding(result, series, axis)) list.push_back(about(input, *std::move(special)));
    if (auto infinite = infinite_finding(result, series, axis)) {
      list.push_back(about(input, *std::move(infinite)));
      continue;
    }
    if (of_widths) {
      list.push_back(about(input, correct_finding(result, series, axis)));
      list.push_back(about(input, knee_finding(result, series, axis)));
      continue;
    }
    list.push_back(about(input, spread_finding(result, series, axis)));
    auto bias = study.measure == "bias_ulps" ? std::nullopt : bias_finding(result, series, axis);
    if (bias) list.push_back(about(input, *std::move(bias)));
  }
}

}  // namespace

void check_expectations(const Study& study, const StudyResult& shape_of_result) {
  for (const Expectation& e : study.expectations) {
    const std::size_t count = subjects(study, shape_of_result, e).size();
    if (count != 1)
      throw Error{
          fmt::format("{}: `where` is about {} rows of the study; name axes, input, k or reference so that it is "
                      "about one.",
                      e.place, count)};
  }
}

Findings findings_of(const Study& study, const StudyResult& result) {
  Findings findings;
  const std::size_t axis = width_axis(study).value_or(0);
  std::vector<Series> all;
  if (!result.axes.empty()) all = series_of(result, random_rows(study, result), axis);
  put_published_first(study, result, all);
  for (const Expectation& e : study.expectations) add_published(study, result, e, all, findings);
  for (StudyFinding& finding : findings.list) finding.about = "Published";
  if (const auto* const measure = measure_named(study.measure)) {
    for (const Series& series : all)
      findings.list.push_back(about(input_of(result, series), measure_finding(result, series, axis, *measure)));
  }
  add_usual(study, result, all, axis, findings.list);
  return findings;
}

}  // namespace assay
