// The second route: what an argument says holds is tried, on cases that nobody made for it.
#pragma once

#include <string>
#include <vector>

#include "tb/guarantee/property_search.hpp"

namespace assay::guarantee {


struct SecondRoute {
  std::uint64_t tried = 0;  // trials that counted
  std::uint64_t held = 0;   // properties of units that an argument proves
  std::vector<std::string> contradictions;
};

// Every property that an argument proves of the plan, tried on generated, directed and corner cases; or on all, where
// there are not more than `all`.
void try_what_holds(const std::string& unit, const Plan& plan, std::uint64_t seed, std::uint64_t cases,
                    std::uint64_t all, SecondRoute& route);

// Random datapath `number` of the whole vocabulary, of its own formats or with small ones put in place of them; nothing
// where none of many can be planned.
std::optional<Plan> random_plan(std::uint64_t number);
std::optional<Plan> random_small_plan(std::uint64_t number);

}  // namespace assay::guarantee
