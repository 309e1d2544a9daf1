// Looks for the cheapest points that are good enough, and for the front of errors against costs.
//
//   all points     two seeds each; limits that are surely missed take a point away
//   some of them   synthesised, spread over the space: costs of the others are predicted from these
//   the best ones  which by prediction would add most to the fronts: more seeds as long as they may stand there, then
//                  the limits that take long, then a synthesis; and again, until none is left or the allowance is used
//                  up
#pragma once

#include <functional>
#include <optional>

#include "tb/design/front.hpp"
#include "tb/design/judge.hpp"
#include "tb/design/predict.hpp"
#include "tb/gates/cost.hpp"

namespace assay::design {

struct SearchAllowance {
  int threads = 1;
  double trials = 0.1;               // share of all points' seeds that may be run; at least twice the first two of each
  double syntheses = 0.1;            // share of all wirings that may be synthesised; at least 16 of them ...
  std::size_t most_syntheses = 200;  // ... and no more than these
  bool exhaust = false;              // everything, whatever it shows: to see what a search missed
};

enum class Judged { open, met, missed };

// What is known of a point.
struct Standing {
  Estimate error;                  // the worst of all inputs and shapes
  std::vector<Judged> limits;      // by those of the spec
  std::vector<std::string> found;  // what each limit's judge saw: "1.2e-05, interval 1e-05 to 1.4e-05"
  std::vector<double> excess;      // how far each was missed; 0 where it was not, or says no number
  bool has_error = false;          // some seeds were run, or the bound derived that counts as one
  bool finished = false;           // all seeds were run
  std::optional<Cost> cost;
  std::string no_cost;

  bool is_out() const;  // a limit is missed, or there can be no cost
};

// Points that are left out since they have no cost.
struct WithoutCost {
  std::string why;
  std::vector<int> points;
};

struct Searched {
  std::vector<Standing> points;
  std::vector<std::vector<FrontSpot>> fronts;    // by Spec::want; costs rise, errors fall
  std::vector<std::optional<Vector>> predicted;  // of points without a cost, by Spec::want
  double trials = 0;                             // share of all points' seeds that was run
  std::size_t syntheses = 0, wirings = 0;
  std::size_t hopeful = 0;  // points that may still stand on a front, within two deviations
  std::vector<WithoutCost> without_cost;
  std::size_t ruled_out = 0;  // points whose bound was not derived, since one that keeps more misses the limit
  std::string not_monotone;   // where that cannot be said: two bounds of the space
};

// What the search does now, for people; either may be empty.
struct SearchReport {
  std::function<void(const std::string& sentence)> say;
  // So many of what it does now are done; from 0 on, one call at a time.
  std::function<void(std::uint64_t done, std::uint64_t total, const char* what)> at;
};

// Where costs come from: synthesis, or a table of what was synthesised before. Several threads may ask at once.
using Costs = std::function<CostAnswer(const Machine& machine, const std::string& wiring)>;

// What takes long to find out of points, and was found out before: by other machines, say.
struct KnownPoints {
  std::map<std::string, CostAnswer> costs;                      // by wiring
  std::map<std::pair<int, std::size_t>, Judgement> judgements;  // by point and limit
};

// What a search takes beside its spec.
struct SearchBench {
  const Catalogue& catalogue;
  Costs costs;
  std::string folder;  // for what programs are given
  SearchAllowance effort;
  SearchReport report;
  const KnownPoints* known = nullptr;
};

// Throws Error.
Searched searched(const Spec& spec, const Space& space, const SearchBench& bench, Trials& trials);

// All that a search which exhausts the space would ask of these points; samples go to the trials. Throws Error.
KnownPoints asked_of(const std::vector<int>& points, const Spec& spec, const Space& space, const SearchBench& bench,
                     Trials& trials);

}  // namespace assay::design
