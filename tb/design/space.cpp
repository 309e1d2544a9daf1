#include "tb/design/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/config/digest.hpp"
#include "tb/design/judge.hpp"

namespace assay::design {
namespace {

constexpr double most_combinations = 2'000'000;

bool is_inside(const Spec& spec, const std::vector<int>& values) {
  return std::all_of(spec.conditions.begin(), spec.conditions.end(),
                     [&](const Condition& c) { return c.holds(spec.study.axes, values); });
}

// All that results depend on.
std::string identity_of(const Machine& machine, const std::string& wiring) {
  const Walk& walk = machine.walk;
  return fmt::format("{} {} {} {} {} {}", wiring, walk.promote_every, walk.split_k, machine.result.name,
                     machine.operands.key(), static_cast<int>(walk.scaling.scales));
}

// Throws Error where a point is none of what the spec fixes, or its error is never known.
void check_point(const Spec& spec, const Machine& machine) {
  const auto fail = [&](const std::string& why) {
    throw Error{spec.study.file + ": The point " + machine.point.name + " cannot be: " + why};
  };
  if (spec.throughput % machine.plan.k != 0)
    fail(fmt::format("no whole number of units of {} terms gives the throughput of {}.", machine.plan.k,
                     spec.throughput));
  if (!spec.trades_bounds()) return;
  if (const std::string why = guarantee::chain_problem(machine.plan, longest_chain(spec.study, machine.walk));
      !why.empty())
    fail("no bound is derived. " + why);
}

void refuse_many(const Spec& spec, const std::string& how_many) {
  throw Error{
      fmt::format("{}: `vary` and `conditions` leave {}; a design has at most {}: shorten an axis, or give one "
                  "more condition.",
                  spec.study.file, how_many, most_points)};
}

}  // namespace

std::size_t Space::count_of_wirings() const { return std::set<std::string>(wirings.begin(), wirings.end()).size(); }

int Space::find(const std::vector<int>& values) const {
  const auto found = places.find(values);
  return found == places.end() ? -1 : found->second;
}

std::vector<int> Space::neighbours(int point) const {
  std::vector<int> found;
  std::vector<int> values = machines[static_cast<std::size_t>(point)]->point.values;
  for (int& value : values) {
    for (const int other_value : {value - 1, value + 1}) {
      const int own = std::exchange(value, other_value);
      const int other = find(values);
      if (other >= 0 && other != point) found.push_back(other);
      value = own;
    }
  }
  return found;
}

Space space_of(const Spec& spec, const Catalogue& catalogue) {
  const double combinations = combinations_of(spec.study);
  if (combinations > most_combinations) refuse_many(spec, fmt::format("{:.2g} combinations", combinations));
  Space space;
  std::map<std::string, int> known;
  std::vector<int> values(spec.study.axes.size());
  do {
    ++space.combinations;
    if (!is_inside(spec, values)) {
      ++space.outside;
      continue;
    }
    try {
      auto machine = machine_at(spec.study, values, catalogue);
      check_point(spec, *machine);
      std::string wiring = datapath_sha256(machine->plan);
      const auto [at, is_new] = known.emplace(identity_of(*machine, wiring), static_cast<int>(space.machines.size()));
      space.places[values] = at->second;
      if (!is_new) {
        ++space.alike;
        continue;
      }
      if (space.size() == most_points) refuse_many(spec, fmt::format("more than {} points", most_points));
      space.machines.push_back(std::move(machine));
      space.wirings.push_back(std::move(wiring));
    } catch (const Error& e) {
      if (space.size() == most_points) throw;
      if (space.impossible++ == 0) space.why = e.message;
    }
  } while (to_next_point(spec.study, values));
  if (space.size() == 0)
    throw Error{space.impossible == 0
                    ? spec.study.file + ": `conditions` leave no point at all: no combination of values meets them."
                    : fmt::format("{}: No point of the space can be. Of {} combinations {} are outside the conditions; "
                                  "the first of the others: {}",
                                  spec.study.file, space.combinations, space.outside, space.why)};
  return space;
}

}  // namespace assay::design
