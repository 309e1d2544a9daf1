#include "tb/generate/meetings.hpp"

namespace assay {
namespace {

// The group of each product of a step, in the first adder that takes any.
std::vector<int> groups_of_a_step(const Plan& plan) {
  const CircuitBlock& block = plan.circuit.step;
  std::vector<int> groups(static_cast<std::size_t>(plan.step_terms), 0);
  int first = -1;
  for (const SumNode& node : block.sums) {
    for (const SumItem& item : node.items) {
      if (block.kind(item.value) != ValueKind::term || (first >= 0 && node.adder != first)) continue;
      first = node.adder;
      groups[static_cast<std::size_t>(item.value)] = node.group;
    }
  }
  return groups;
}

}  // namespace

Meetings::Meetings(const Plan& plan) : at_(static_cast<std::size_t>(plan.k)) {
  const std::vector<int> groups = groups_of_a_step(plan);
  for (int position = plan.products() - 1; position >= 0; --position) {  // of several products the first stays
    const int step = position / plan.step_terms, within = position % plan.step_terms;
    const int i = plan.element_of(plan.order[static_cast<std::size_t>(position)]);
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
