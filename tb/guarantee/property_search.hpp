// What is found of the properties of a unit: which hold and why, which fail and on what, and which are open.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/guarantee/property_trial.hpp"

namespace assay::guarantee {

enum class HoldState { holds, fails, open, idle };

struct PropertyFinding {
  Property property;
  HoldState state = HoldState::open;
  std::string why;          // of `holds`: the argument; of `idle`: why the property says nothing of the unit
  std::uint64_t tried = 0;  // cases that counted; of an argument none
  std::vector<std::pair<std::string, std::uint64_t>> by_family;  // the same, where they were generated
  std::optional<PropertyPair> failure;
  std::uint64_t failing_case = 0;  // the generated case that failed, before it was made small
};

struct SearchEffort {
  std::uint64_t seed = 1;
  std::uint64_t cases = 4000;            // generated, for each property that no argument settles
  std::uint64_t exhausted = 1ULL << 22;  // up to so many cases and choices, all are tried
  bool argues = true;                    // else arguments are left out
  bool makes_small = true;               // failing cases
};

// `progress`, which may be empty, hears how many generated cases were tried.
using SearchProgress = std::function<void(std::uint64_t done)>;

std::vector<PropertyFinding> property_findings(const Plan& plan, const std::vector<Property>& asked,
                                               const SearchEffort& effort, const SearchProgress& progress = {});

// How many cases and choices there are in all; nothing where these are more than `most`.
std::optional<std::uint64_t> size_of_all(const PropertyTrial& trial, std::uint64_t most);

// The first of all cases, in the order of their codes, on which the property fails; `tried` counts those that counted.
struct FailingTrial {
  Case one;
  TrialChoice choice;
};
std::optional<FailingTrial> failing_of_all(PropertyTrial& trial, std::uint64_t& tried);

// The case with as many zeros and plain codes as the failure allows.
FailingTrial made_small(PropertyTrial& trial, FailingTrial failing);

// Two units, property by property: those that hold of one and fail of the other, and what else differs.
struct PropertyDifference {
  Property property;
  HoldState of_one = HoldState::open, of_other = HoldState::open;
};
std::vector<PropertyDifference> differences(const std::vector<PropertyFinding>& one,
                                            const std::vector<PropertyFinding>& other);

}  // namespace assay::guarantee
