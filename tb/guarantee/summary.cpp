#include "tb/guarantee/summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tb/guarantee/chain.hpp"
#include "tb/guarantee/property_search.hpp"

namespace assay::guarantee {
namespace {

constexpr int most_terms = 4096;

std::string bound_sentence(const Plan& plan) {
  const Chain chain{plan.k, 0, 1};
  if (!chain_problem(plan, chain).empty()) return "No bound is derived of it.";
  const Promise promised = promise(plan, chain, Reference::sum, Signs::any);
  const Amount error = promised.bound.either();
  if (promised.bound.is_zero()) return "d is exact wherever nothing overflows.";
  return fmt::format(
      "d lies within {} x S{} of the exact sum, S the sum of all |a b| and |c|, wherever nothing overflows.",
      power_text(error.relative), sgn(error.absolute) == 0 ? "" : " + " + power_text(error.absolute));
}

}  // namespace

std::optional<GuaranteeSummary> summary(const Plan& plan) {
  if (plan.k > most_terms) return std::nullopt;
  GuaranteeSummary summary{bound_sentence(plan), {}};
  SearchEffort arguments;
  arguments.cases = arguments.exhausted = 0;
  for (const PropertyFinding& finding : property_findings(plan, properties(), arguments)) {
    if (finding.state == HoldState::holds) summary.holds.push_back(finding.property.name);
  }
  return summary;
}

nlohmann::ordered_json summary_json(const GuaranteeSummary& summary) {
  return {{"bound", summary.bound}, {"holds", summary.holds}};
}

}  // namespace assay::guarantee
