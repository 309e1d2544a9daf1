#include "tb/generate/meetings.hpp"

#include <algorithm>

namespace assay {
namespace {

// The group of each product of a step.
std::vector<int> groups_of_a_step(const Plan& plan) {
  std::vector<int> groups(static_cast<std::size_t>(plan.step_terms), 0);
  const auto takes_products = [](const AdderPlan& a) { return a.inputs.front().source == Source::product; };
  const auto first = std::find_if(plan.adders.begin(), plan.adders.end(), takes_products);
  if (first == plan.adders.end()) return groups;
  for (std::size_t x = 0; x < first->members.size(); ++x) {
    groups[static_cast<std::size_t>(first->members[x])] = static_cast<int>(x) / first->terms;
  }
  return groups;
}

}  // namespace

Meetings::Meetings(const Plan& plan) : at_(static_cast<std::size_t>(plan.k)) {
  const std::vector<int> groups = groups_of_a_step(plan);
  for (int position = 0; position < plan.k; ++position) {
    const int step = position / plan.step_terms, within = position % plan.step_terms;
    const int i = plan.order[static_cast<std::size_t>(position)];
    at_[static_cast<std::size_t>(i)] = {step / plan.steps, step % plan.steps, groups[static_cast<std::size_t>(within)]};
  }
}

Meeting Meetings::of(int i, int j) const {
  const At &x = at_[static_cast<std::size_t>(i)], &y = at_[static_cast<std::size_t>(j)];
  if (x.lane != y.lane) return Meeting::lanes;
  if (x.step != y.step) return Meeting::steps;
  return x.group != y.group ? Meeting::groups : Meeting::group;
}

bool Meetings::any(Meeting meeting) const {
  for (int j = 1; j < static_cast<int>(at_.size()); ++j) {
    if (of(0, j) == meeting) return true;
  }
  return false;
}

}  // namespace assay
