// The second route: what an argument says holds is tried, on cases that nobody made for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/guarantee/property_search.hpp"

namespace assay::guarantee {

struct SecondRoute {
  std::uint64_t tried = 0;  // trials that counted
  std::uint64_t held = 0;   // properties of units that an argument proves
  std::vector<std::string> contradictions;
};

// What is said to hold: the argument, or nothing.
using Claim = std::function<std::string(const Plan& plan, const Property& property)>;
std::string by_argument(const Plan& plan, const Property& property);

struct Tries {
  std::uint64_t seed = 1;
  std::uint64_t cases = 100;
  std::uint64_t all = 0;  // where there are not more cases, all are tried instead
};

// Every property that is claimed of the plan, tried on generated, directed and corner cases.
void try_what_holds(const std::string& unit, const Plan& plan, const Tries& tries, SecondRoute& route,
                    const Claim& claim = by_argument);

// The first instruction of each distinct datapath.
std::vector<std::pair<std::string, Plan>> distinct_instructions();

// Random datapath `number` of the whole vocabulary, of its own formats or with small ones put in place of them; nothing
// where none of many can be planned.
std::optional<Plan> random_plan(std::uint64_t number);
std::optional<Plan> random_small_plan(std::uint64_t number);

}  // namespace assay::guarantee
