#include "tb/design/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/config/digest.hpp"

namespace assay::design {
namespace {

bool takes_the_same(const Instruction& instruction, const Operands& own) {
  const Operands& o = instruction.operands;
  return o.a == own.a && o.b == own.b && o.c == own.c && o.d == own.d && o.scale == own.scale &&
         o.scale_block == own.scale_block && o.scales.empty() && !o.mask;
}

constexpr std::size_t enough_beside = 8;  // of these, none of another k is looked for

struct UnitBeside {
  std::string name;
  int k = 0;            // 0: its own, whatever that is
  bool is_same = true;  // the spec's k is its own
};

std::vector<UnitBeside> found_beside(const Space& space, const Catalogue& catalogue) {
  const Plan& first = space.machines.front()->plan;
  std::set<int> lengths;
  for (const auto& machine : space.machines) lengths.insert(machine->plan.k);
  std::vector<UnitBeside> same, other;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      if (!takes_the_same(instruction, first.datapath.operands)) continue;
      const bool is_same = lengths.count(instruction.k) != 0;
      (is_same ? same : other).push_back({instruction.full_name(), is_same ? instruction.k : first.k, is_same});
    }
  }
  same.insert(same.end(), other.begin(), other.end());
  return same;
}

std::vector<UnitBeside> named_beside(const Spec& spec) {
  std::vector<UnitBeside> units;
  for (const std::string& name : spec.study.references) units.push_back({name});
  return units;
}

void add_rows(const Study& study, const Trials& trials, int machine, int point, StudyResult& result) {
  for (std::size_t input = 0; input < study.inputs.size(); ++input) {
    for (std::size_t shape = 0; shape < study.shapes.size(); ++shape)
      result.rows.push_back(
          {point, static_cast<int>(input), static_cast<int>(shape), trials.measures(machine, input, shape)});
  }
}

std::string clocked_sentence(const Pipelined& clocked, double period) {
  std::vector<std::string> ways;
  const auto add = [&](const std::optional<ClockedCost>& cost, const char* how) {
    if (cost)
      ways.push_back(fmt::format("{} cycles of {:.2f} ns with {} registers {}", cost->cycles(), cost->period,
                                 cost->registers, how));
  };
  add(clocked.at_stages, "between stages");
  add(clocked.retimed, "moved by ABC");
  return ways.empty() ? "" : fmt::format(" For operands every {:g} ns: {}.", period, fmt::join(ways, "; "));
}

std::string fpga_sentence(const FpgaFamily& family, const FpgaCost& cost) {
  std::string text = fmt::format(" On {}: {} tables, {} carries, {} multipliers", family.name, cost.tables,
                                 cost.carries, cost.multipliers);
  if (cost.placed && cost.placed->fits()) text += fmt::format(", {:.2f} MHz placed", cost.placed->megahertz);
  return text + ".";
}

std::string text_of(const Spec& spec, const Chosen& chosen, const std::string& name) {
  std::string text = name + ".";
  if (chosen.clocked) text += clocked_sentence(*chosen.clocked, *spec.clock);
  for (std::size_t i = 0; i < chosen.fpga.size(); ++i) text += fpga_sentence(spec.fpga[i], chosen.fpga[i]);
  return text + (chosen.smaller.empty() ? "" : " Why nothing smaller: " + chosen.smaller);
}

}  // namespace

Machines units_beside(const Spec& spec, const Space& space, const Catalogue& catalogue) {
  const bool are_named = !spec.study.references.empty();
  Machines units;
  std::set<std::string> arithmetics;
  for (const UnitBeside& beside : are_named ? named_beside(spec) : found_beside(space, catalogue)) {
    if (!beside.is_same && units.size() >= enough_beside) break;
    try {
      auto unit = reference_machine(spec.study, beside.name, catalogue, beside.k);
      if (!arithmetics.insert(datapath_sha256(unit->plan)).second) continue;
      units.push_back(std::move(unit));
    } catch (const Error&) {
      // Whoever names one wants it; one that was only found may not fit a shape, or be none of another k.
      if (are_named) throw;
    }
  }
  return units;
}

// One axis, of the points themselves, the cheapest first: what was tried is no whole grid.
StudyResult as_study(const Spec& spec, const Space& space, const Searched& found, const DesignAnswer& answer,
                     const Trials& trials, const std::string& version) {
  StudyResult result = result_of(spec.study, {}, Samples(spec.study, {}), version);
  std::vector<int> shown;
  for (int p = 0; p < static_cast<int>(space.size()); ++p) {
    const Standing& s = found.points[static_cast<std::size_t>(p)];
    if (s.finished && s.cost) shown.push_back(p);
  }
  std::stable_sort(shown.begin(), shown.end(), [&](int x, int y) {
    return found.points[static_cast<std::size_t>(x)].cost->area < found.points[static_cast<std::size_t>(y)].cost->area;
  });
  result.axes = {{"point", {}}};
  for (const int p : shown) {
    const int number = static_cast<int>(result.points.size());
    const auto at = static_cast<std::size_t>(p);
    result.points.push_back(space.machines[at]->point);
    result.points.back().values = {number};
    if (spec.needs_gates()) result.points.back().cost = found.points[at].cost;
    result.axes[0].values.push_back(space.machines[at]->point.name);
    add_rows(spec.study, trials, p, number, result);
  }
  for (std::size_t i = 0; i < answer.chosen.size(); ++i) {
    const Chosen& chosen = answer.chosen[i];
    StudyFinding finding;
    const std::string& name = space.machines[static_cast<std::size_t>(chosen.point)]->point.name;
    finding.text = fmt::format("{}: {}", i + 1, text_of(spec, chosen, name));
    finding.about = "On the front";
    result.findings.push_back(std::move(finding));
  }
  return result;
}

void add_units(const Spec& spec, const Machines& units, const Trials& trials, const Costs& costs, StudyResult& result) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    const CostAnswer cost = costs(*units[i], "");
    const int number = static_cast<int>(result.points.size());
    result.points.push_back(units[i]->point);
    result.points.back().cost = cost.cost;
    result.points.back().no_cost = cost.no_cost;
    add_rows(spec.study, trials, static_cast<int>(i), number, result);
  }
}

}  // namespace assay::design
