// What one word changed would do to an error: forecast from its budget, and checked by running the changed datapath.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/explain/budget.hpp"

namespace assay::explain {

struct Forecast {
  int easement = 0;                       // of the sources
  exact::Dyadic predicted;                // d - exact, if no other place erred otherwise than it did
  std::optional<exact::Dyadic> measured;  // by the changed datapath; none where its d is no number, or it is refused
  std::string refused;                    // a sentence
};

// The plan of a datapath with one word changed.
struct EasedPlan {
  std::optional<Plan> plan;
  std::string refused;  // why there is none: a sentence
};
EasedPlan eased_plan(const Easement& easement, int k);

// Of every easement that would move the error of the case.
std::vector<Forecast> forecasts_of(const ErrorSources& sources, const Case& one, const Budget& budget);

// One case attributed.
struct Attribution {
  std::vector<ErrorSource> sources;
  std::vector<Easement> easements;
  Budget budget;
  std::vector<Forecast> forecasts;
};
Attribution attributed(std::shared_ptr<const Plan> plan, const Case& one, const Trace& trace);

}  // namespace assay::explain
