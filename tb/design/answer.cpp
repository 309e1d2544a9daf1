#include "tb/design/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/base/parallel.hpp"
#include "model/base/text.hpp"
#include "tb/explore/csv.hpp"
#include "tb/explore/json_number.hpp"

namespace assay::design {
namespace {

using Json = nlohmann::ordered_json;

const Standing& standing(const Searched& found, int point) { return found.points[static_cast<std::size_t>(point)]; }
const Machine& machine(const Space& space, int point) { return *space.machines[static_cast<std::size_t>(point)]; }

std::string label(const Study& study, const Machine& machine, std::size_t axis) {
  return study.axes[axis].values[static_cast<std::size_t>(machine.point.values[axis])].label;
}

// Known, else predicted; nothing where neither is.
std::optional<double> cost_seen(const Spec& spec, const Space& space, const Searched& found, int point,
                                std::size_t kind) {
  if (const auto& cost = standing(found, point).cost) return spec.cost(machine(space, point), *cost, spec.want[kind]);
  const auto& predicted = found.predicted[static_cast<std::size_t>(point)];
  return predicted ? std::optional<double>((*predicted)[kind]) : std::nullopt;
}

std::string cost_words(const Spec& spec, const Space& space, const Searched& found, int point) {
  const auto cost = cost_seen(spec, space, found, point, 0);
  if (!cost) return "of unknown cost";
  return fmt::format("{} {:.4g}{}", cost_names()[static_cast<std::size_t>(spec.want[0])], *cost,
                     standing(found, point).cost ? "" : " by prediction");
}

// --- why nothing smaller ---

std::string missed_limit(const Spec& spec, const Standing& s) {
  for (std::size_t i = 0; i < s.limits.size(); ++i) {
    if (s.limits[i] == Judged::missed) return fmt::format("misses {}: {}", spec.limits[i].text(), s.found[i]);
  }
  return "";
}

std::string why_rejected(const Spec& spec, const Space& space, const Searched& found, int point) {
  const Standing& s = standing(found, point);
  if (const std::string limit = missed_limit(spec, s); !limit.empty()) return limit;
  if (!s.no_cost.empty()) return "has no cost: " + s.no_cost;
  for (const FrontSpot& by : found.fronts[0]) {
    const auto cost = cost_seen(spec, space, found, point, 0);
    if (cost && by.cost <= *cost && by.error <= s.error.mean)
      return fmt::format("errs by {:.3g}, where {} errs by {:.3g} and costs {:.4g}", s.error.mean,
                         machine(space, by.point).point.name, by.error, by.cost);
  }
  return "";
}

// The dearest of the cheaper neighbours that was rejected: the nearest one.
std::string why_nothing_smaller(const Spec& spec, const Space& space, const Searched& found, int point) {
  const double own = *cost_seen(spec, space, found, point, 0);
  double nearest = 0;
  std::string why;
  for (const int other : space.neighbours(point)) {
    const auto cost = cost_seen(spec, space, found, other, 0);
    if (!cost || *cost >= own || *cost <= nearest) continue;
    const std::string rejected = why_rejected(spec, space, found, other);
    if (rejected.empty()) continue;
    nearest = *cost;
    why = fmt::format("{}, {}, {}.", machine(space, other).point.name, cost_words(spec, space, found, other), rejected);
  }
  return why;
}

// --- nothing meets all limits ---

std::vector<std::string> closest_misses(const Spec& spec, const Space& space, const Searched& found) {
  std::vector<std::string> misses;
  for (std::size_t i = 0; i < spec.limits.size(); ++i) {
    const DesignLimit& limit = spec.limits[i];
    int nearest = -1;
    bool is_met = false, is_judged = false;
    std::size_t asked = 0;
    for (int p = 0; p < static_cast<int>(space.size()); ++p) {
      const Standing& s = standing(found, p);
      is_met = is_met || s.limits[i] == Judged::met;
      if (s.limits[i] != Judged::missed) continue;
      is_judged = true;
      ++asked;
      if (nearest < 0 || s.excess[i] < standing(found, nearest).excess[i]) nearest = p;
    }
    const std::string head = limit.place + ": " + limit.text();
    if (is_met) {
      misses.push_back(head + ": met by some points.");
    } else if (is_judged) {
      const std::string none = asked == space.size()
                                   ? "met by none"
                                   : fmt::format("met by none of the {} that were asked, of {}", asked, space.size());
      misses.push_back(fmt::format("{}: {}; {} comes nearest: {}.", head, none, machine(space, nearest).point.name,
                                   standing(found, nearest).found[i]));
    } else {
      misses.push_back(head + ": not asked of any point, since none has a cost.");
    }
  }
  return misses;
}

// --- text ---

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:>{}} ", row[i], widths[i]);
    while (line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string fronts_of(const Spec& spec, const Chosen& chosen) {
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < spec.want.size(); ++kind) {
    if (chosen.on[kind]) names.emplace_back(cost_names()[static_cast<std::size_t>(spec.want[kind])]);
  }
  return joined(names);
}

// All that a synthesis says, and what software does where that is wanted.
std::vector<CostKind> shown_costs(const Spec& spec) {
  std::vector<CostKind> kinds;
  for (std::size_t i = 0; i < cost_names().size(); ++i) {
    const auto kind = static_cast<CostKind>(i);
    if ((spec.needs_gates() && is_always_said(kind)) || spec.wants(kind)) kinds.push_back(kind);
  }
  return kinds;
}

// Of gates, beside what every synthesis says.
std::vector<CostKind> wanted_besides(const Spec& spec) {
  std::vector<CostKind> kinds;
  for (const CostKind kind : shown_costs(spec)) {
    if (is_of_gates(kind) && !is_always_said(kind)) kinds.push_back(kind);
  }
  return kinds;
}

// Nanoseconds and picojoules have places behind the point.
bool is_fine(CostKind kind) { return kind == CostKind::delay || kind == CostKind::energy; }

std::string chosen_table(const Spec& spec, const Space& space, const Searched& found, const DesignAnswer& answer) {
  std::vector<std::vector<std::string>> rows{{"#"}};
  for (const StudyAxis& axis : spec.study.axes) rows[0].push_back(axis.name);
  if (!spec.error.empty())
    rows[0].push_back(spec.error == "sqnr_db" ? "10^(-sqnr/20)" : spec.error == "correct" ? "1 - correct" : spec.error);
  for (const CostKind kind : shown_costs(spec)) rows[0].emplace_back(cost_names()[static_cast<std::size_t>(kind)]);
  const auto ranked = spec.ranked();
  const bool has_second = ranked && answer.chosen.front().elsewhere;
  if (has_second)
    rows[0].push_back(fmt::format("{} osu035", cost_names()[static_cast<std::size_t>(spec.want[*ranked])]));
  if (spec.want.size() > 1) rows[0].emplace_back("on the front of");
  for (std::size_t i = 0; i < answer.chosen.size(); ++i) {
    const Chosen& c = answer.chosen[i];
    const Standing& s = standing(found, c.point);
    std::vector<std::string> row{std::to_string(i + 1)};
    for (std::size_t axis = 0; axis < spec.study.axes.size(); ++axis)
      row.push_back(label(spec.study, machine(space, c.point), axis));
    if (!spec.error.empty()) row.push_back(fmt::format("{:.3g}", s.error.mean));
    for (const CostKind kind : shown_costs(spec))
      row.push_back(
          fmt::format(is_fine(kind) ? "{:.2f}" : "{:.0f}", spec.cost(machine(space, c.point), *s.cost, kind)));
    if (has_second && !c.elsewhere) row.emplace_back("-  ");
    if (has_second && c.elsewhere)
      row.push_back(fmt::format("{:.4g}{}", spec.cost(machine(space, c.point), *c.elsewhere, spec.want[*ranked]),
                                c.ranks_otherwise ? " *" : "  "));
    if (spec.want.size() > 1) row.push_back(fronts_of(spec, c));
    rows.push_back(std::move(row));
  }
  return table(rows);
}

// --- what is said of them besides ---

std::vector<std::string> clocked_cells(const std::optional<ClockedCost>& cost, double period) {
  if (!cost) return {"-", "-", "-", "-"};
  return {std::to_string(cost->cycles()), std::to_string(cost->registers), fmt::format("{:.0f}", cost->area),
          fmt::format("{:.2f}{}", cost->period, cost->period <= period ? " " : "!")};
}

std::string clocked_text(const Spec& spec, const DesignAnswer& answer) {
  std::vector<std::vector<std::string>> rows{
      {"#", "cycles", "registers", "area", "period ", "retimed: cycles", "registers", "area", "period "}};
  bool is_late = false;
  std::string lacking;
  for (std::size_t i = 0; i < answer.chosen.size(); ++i) {
    const Pipelined& clocked = *answer.chosen[i].clocked;
    std::vector<std::string> row{std::to_string(i + 1)};
    for (const auto* cost : {&clocked.at_stages, &clocked.retimed}) {
      for (std::string& cell : clocked_cells(*cost, *spec.clock)) row.push_back(std::move(cell));
      is_late = is_late || (*cost && (*cost)->period > *spec.clock);
    }
    if (lacking.empty()) lacking = clocked.why_not;
    rows.push_back(std::move(row));
  }
  std::string text =
      fmt::format("Operands every {:g} ns, registers between stages, or moved by ABC:\n\n", *spec.clock) + table(rows);
  if (is_late) text += "! No registers make it as fast as that: the shortest period that was found.\n";
  if (!lacking.empty()) text += "- There is none: " + lacking + "\n";
  return text + "\n";
}

std::string placed_text(const FpgaCost& cost) {
  return cost.placed && cost.placed->fits() ? fmt::format("{:.2f}", cost.placed->megahertz) : "-";
}

// What the clocks of a family are, or why there are none.
std::string placed_note(const Spec& spec, const DesignAnswer& answer, std::size_t f) {
  const FpgaFamily& family = spec.fpga[f];
  if (family.placer.empty()) return "";
  if (!answer.chosen.front().fpga[f].placed)
    return fmt::format("MHz: {} cannot be started, so that nothing was placed: install the package {}.\n",
                       family.placer, family.placer);
  std::string text =
      fmt::format("MHz: one unit between registers, placed and routed by {} {}.\n", family.placer, family.options);
  const auto late = std::find_if(answer.chosen.begin(), answer.chosen.end(),
                                 [&](const Chosen& c) { return !c.fpga[f].placed->fits(); });
  if (late != answer.chosen.end()) text += fmt::format("- It was not placed: {}\n", late->fpga[f].placed->why_not);
  return text;
}

std::string fpga_text(const Spec& spec, const DesignAnswer& answer) {
  std::vector<std::vector<std::string>> rows{{"#"}};
  std::vector<std::string> notes;
  for (const FpgaFamily& family : spec.fpga) {
    for (const std::string& head : {family.name + ": tables", std::string("carries"), std::string("multipliers")})
      rows[0].push_back(head);
    if (!family.placer.empty()) rows[0].emplace_back("MHz");
    const std::string tables =
        family.tables.size() == 1 ? family.tables[0] : family.tables[0] + " to " + family.tables.back();
    notes.push_back(fmt::format("{}: {}, {}, {}", family.name, tables, family.carries[0], family.multipliers[0]));
  }
  for (std::size_t i = 0; i < answer.chosen.size(); ++i) {
    std::vector<std::string> row{std::to_string(i + 1)};
    for (std::size_t f = 0; f < spec.fpga.size(); ++f) {
      const FpgaCost& cost = answer.chosen[i].fpga[f];
      for (const int count : {cost.tables, cost.carries, cost.multipliers}) row.push_back(std::to_string(count));
      if (!spec.fpga[f].placer.empty()) row.push_back(placed_text(cost));
    }
    rows.push_back(std::move(row));
  }
  std::string text = fmt::format("On FPGAs, by yosys ({}):\n\n{}", fmt::join(notes, "; "), table(rows));
  for (std::size_t f = 0; f < spec.fpga.size(); ++f) text += placed_note(spec, answer, f);
  return text + "\n";
}

// By name; points.csv has all of them.
std::string left_out_text(const Space& space, const WithoutCost& out) {
  const std::string& first = machine(space, out.points.front()).point.name;
  const std::size_t others = out.points.size() - 1;
  const std::string names =
      others == 0 ? first + " is" : fmt::format("{} and {} {} are", first, others, others == 1 ? "other" : "others");
  return fmt::format("{} left out, having no cost: {}\n", names, out.why);
}

std::string effort_text(const Spec& spec, const Space& space, const Searched& found) {
  std::string text = fmt::format("Tried: {:.3g} % of all seeds of all points", 100 * found.trials);
  text += spec.needs_gates() ? fmt::format("; {} of {} wirings were synthesised.\n", found.syntheses, found.wirings)
                             : ".\n";
  if (found.hopeful != 0)
    text += fmt::format(
        "{} more {} stand on a front, within two deviations of what is predicted; --syntheses and --trials allow "
        "more.\n",
        found.hopeful, found.hopeful == 1 ? "point may" : "points may");
  if (found.ruled_out != 0)
    text += fmt::format("{} ruled out by a bound that was not derived: another that keeps more misses the limit.\n",
                        found.ruled_out == 1 ? "1 point is" : grouped(found.ruled_out) + " points are");
  if (!found.not_monotone.empty()) text += "Every bound was derived: " + found.not_monotone + ".\n";
  for (const WithoutCost& out : found.without_cost) text += left_out_text(space, out);
  return text;
}

// --- JSON ---

Json json_of(const Estimate& e) {
  return {{"mean", json_number(e.mean)}, {"low", json_number(e.low)}, {"high", json_number(e.high)}};
}

Json json_of(const std::optional<ClockedCost>& cost) {
  if (!cost) return nullptr;
  return {{"cycles", cost->cycles()},
          {"registers", cost->registers},
          {"area", cost->area},
          {"period", cost->period},
          {"after", cost->after}};
}

Json json_of(const Pipelined& clocked, double period) {
  Json json{{"asked", period}, {"at_stages", json_of(clocked.at_stages)}, {"retimed", json_of(clocked.retimed)}};
  if (!clocked.why_not.empty()) json["why_not"] = clocked.why_not;
  return json;
}

Json json_of(const FpgaCost& cost) {
  Json json{{"tables", cost.tables}, {"carries", cost.carries}, {"multipliers", cost.multipliers}};
  if (!cost.placed) return json;
  if (cost.placed->fits()) {
    json["megahertz"] = cost.placed->megahertz;
  } else {
    json["not_placed"] = cost.placed->why_not;
  }
  return json;
}

Json json_of(const Spec& spec, const Space& space, const Searched& found, const Chosen& chosen, std::size_t number) {
  const Standing& s = standing(found, chosen.point);
  Json values = Json::object(), costs = Json::object(), limits = Json::array(), on = Json::array();
  for (std::size_t axis = 0; axis < spec.study.axes.size(); ++axis)
    values[spec.study.axes[axis].name] = label(spec.study, machine(space, chosen.point), axis);
  for (std::size_t i = 0; i < spec.limits.size(); ++i)
    limits.push_back({{"limit", spec.limits[i].text()}, {"found", s.found[i]}});
  for (std::size_t kind = 0; kind < spec.want.size(); ++kind) {
    if (chosen.on[kind]) on.push_back(cost_names()[static_cast<std::size_t>(spec.want[kind])]);
  }
  for (const CostKind kind : shown_costs(spec))
    costs[std::string(cost_names()[static_cast<std::size_t>(kind)])] =
        spec.cost(machine(space, chosen.point), *s.cost, kind);
  Json json{{"number", number},
            {"name", machine(space, chosen.point).point.name},
            {"values", values},
            {"datapath", fmt::format("front/{}.yaml", number)},
            {"sha256", space.wirings[static_cast<std::size_t>(chosen.point)]},
            {"on", on},
            {"cost", costs},
            {"limits", limits},
            {"nothing_smaller", chosen.smaller}};
  if (!spec.error.empty()) json["error"] = json_of(s.error);
  if (chosen.elsewhere) {
    json["elsewhere"] = spec.cost(machine(space, chosen.point), *chosen.elsewhere, spec.want[*spec.ranked()]);
    json["ranks_otherwise"] = chosen.ranks_otherwise;
  }
  if (chosen.clocked) json["clocked"] = json_of(*chosen.clocked, *spec.clock);
  for (std::size_t i = 0; i < chosen.fpga.size(); ++i) json["fpga"][spec.fpga[i].name] = json_of(chosen.fpga[i]);
  return json;
}

}  // namespace

DesignAnswer answer_of(const Spec& spec, const Space& space, const Searched& found) {
  DesignAnswer answer;
  for (std::size_t kind = 0; kind < spec.want.size(); ++kind) {
    for (const FrontSpot& spot : found.fronts[kind]) {
      auto at = std::find_if(answer.chosen.begin(), answer.chosen.end(),
                             [&](const Chosen& c) { return c.point == spot.point; });
      if (at == answer.chosen.end()) {
        Chosen chosen;
        chosen.point = spot.point;
        chosen.on.assign(spec.want.size(), false);
        answer.chosen.push_back(std::move(chosen));
        at = answer.chosen.end() - 1;
      }
      at->on[kind] = true;
    }
  }
  std::stable_sort(answer.chosen.begin(), answer.chosen.end(), [&](const Chosen& x, const Chosen& y) {
    return *cost_seen(spec, space, found, x.point, 0) < *cost_seen(spec, space, found, y.point, 0);
  });
  for (Chosen& c : answer.chosen) c.smaller = why_nothing_smaller(spec, space, found, c.point);
  if (answer.chosen.empty()) answer.misses = closest_misses(spec, space, found);
  return answer;
}

void hold_ranks(const Spec& spec, const Space& space, const Searched& found, const Costs& elsewhere, int threads,
                DesignAnswer& answer) {
  std::vector<Chosen>& chosen = answer.chosen;
  const auto ranked = spec.ranked();
  if (!ranked) return;
  const auto difference = [&](const Chosen& x, const Cost& of_x, const Chosen& y, const Cost& of_y) {
    return spec.cost(machine(space, x.point), of_x, spec.want[*ranked]) -
           spec.cost(machine(space, y.point), of_y, spec.want[*ranked]);
  };
  parallel(static_cast<int>(chosen.size()), threads, [&](int i, int) {
    Chosen& one = chosen[static_cast<std::size_t>(i)];
    one.elsewhere = elsewhere(machine(space, one.point), space.wirings[static_cast<std::size_t>(one.point)]).cost;
  });
  for (Chosen& x : chosen) {
    for (const Chosen& y : chosen) {
      if (!x.elsewhere || !y.elsewhere) continue;
      const double here = difference(x, *standing(found, x.point).cost, y, *standing(found, y.point).cost);
      const double there = difference(x, *x.elsewhere, y, *y.elsewhere);
      x.ranks_otherwise = x.ranks_otherwise || here * there < 0;
    }
  }
}

std::string space_text(const Space& space) {
  std::string text = fmt::format("{} combinations", grouped(space.combinations));
  const auto less = [&](std::size_t count, const char* what) {
    if (count != 0) text += fmt::format(", {} {}", grouped(count), what);
  };
  less(space.outside, "outside the conditions");
  less(space.impossible, "that cannot be");
  less(space.alike, "that compute what others do");
  text += fmt::format(": {} points, {} wirings.\n", grouped(space.size()), grouped(space.count_of_wirings()));
  if (space.impossible != 0) text += "The first that cannot be: " + space.why + "\n";
  return text;
}

std::string answer_text(const Spec& spec, const Space& space, const Searched& found, const DesignAnswer& answer) {
  std::string text = effort_text(spec, space, found) + "\n";
  if (answer.chosen.empty()) {
    text += "No point that was tried meets all limits. Each by itself:\n\n";
    for (const std::string& miss : answer.misses) text += "  " + miss + "\n";
    return text;
  }
  text += chosen_table(spec, space, found, answer) + "\n";
  if (spec.clock) text += clocked_text(spec, answer);
  if (!spec.fpga.empty()) text += fpga_text(spec, answer);
  if (std::any_of(answer.chosen.begin(), answer.chosen.end(), [](const Chosen& c) { return c.ranks_otherwise; }))
    text +=
        "* Another stands before or behind it on the second library: their order is within what synthesis makes of "
        "it.\n";
  const std::string& smaller = answer.chosen.front().smaller;
  text += spec.limits.empty() ? "Number 1 is the smallest that was found."
                              : "Number 1 is the smallest that was found to meet every limit.";
  text += smaller.empty() ? "\n" : " Why nothing smaller:\n  " + smaller + "\n";
  return text;
}

std::string answer_json(const Spec& spec, const Space& space, const Searched& found, const DesignAnswer& answer,
                        const std::string& version) {
  Json chosen = Json::array(), limits = Json::array(), fronts = Json::object();
  for (std::size_t i = 0; i < answer.chosen.size(); ++i)
    chosen.push_back(json_of(spec, space, found, answer.chosen[i], i + 1));
  for (const DesignLimit& limit : spec.limits) limits.push_back(limit.text());
  Json left_out = Json::array();
  for (const WithoutCost& out : found.without_cost)
    left_out.push_back({{"points", out.points.size()}, {"why", out.why}});
  Json json{{"design", spec.study.name},
            {"assay", version},
            {"space",
             {{"combinations", space.combinations},
              {"outside", space.outside},
              {"impossible", space.impossible},
              {"alike", space.alike},
              {"points", space.size()},
              {"wirings", found.wirings}}},
            {"trials", found.trials},
            {"syntheses", found.syntheses},
            {"hopeful", found.hopeful},
            {"without_cost", left_out},
            {"ruled_out", found.ruled_out},
            {"limits", limits},
            {"front", chosen}};
  if (!answer.misses.empty()) json["misses"] = answer.misses;
  return json.dump(1) + "\n";
}

std::string points_csv(const Spec& spec, const Space& space, const Searched& found) {
  std::string text = "point";
  for (const StudyAxis& axis : spec.study.axes) text += "," + csv_field(axis.name);
  text += ",error,error_low,error_high,all_seeds,cells,area,depth,delay";
  for (const CostKind kind : wanted_besides(spec))
    text += fmt::format(",{}", cost_names()[static_cast<std::size_t>(kind)]);
  if (spec.wants(CostKind::additions)) text += ",additions";
  text += ",predicted";
  for (std::size_t i = 0; i < spec.limits.size(); ++i) text += fmt::format(",limit_{}", i + 1);
  text += ",no_cost\n";
  for (std::size_t p = 0; p < space.size(); ++p) {
    const Standing& s = found.points[p];
    text += std::to_string(p);
    for (std::size_t axis = 0; axis < spec.study.axes.size(); ++axis)
      text += "," + csv_field(label(spec.study, *space.machines[p], axis));
    text += s.has_error ? fmt::format(",{:.6g},{:.6g},{:.6g}", s.error.mean, s.error.low, s.error.high) : ",,,";
    text += s.finished ? ",1" : ",0";
    text += s.cost && spec.needs_gates()
                ? fmt::format(",{},{:.7g},{},{:.6g}", s.cost->cells, s.cost->area, s.cost->depth, s.cost->delay)
                : ",,,,";
    for (const CostKind kind : wanted_besides(spec))
      text += s.cost ? fmt::format(",{:.7g}", spec.cost(*space.machines[p], *s.cost, kind)) : ",";
    if (spec.wants(CostKind::additions))
      text += fmt::format(",{:g}", spec.cost(*space.machines[p], {}, CostKind::additions));
    text += ",";
    if (found.predicted[p]) text += fmt::format("{:.5g}", found.predicted[p]->front());
    for (const Judged judged : s.limits)
      text += judged == Judged::met ? ",met" : judged == Judged::missed ? ",missed" : ",";
    text += "," + csv_field(s.no_cost) + "\n";
  }
  return text;
}

}  // namespace assay::design
