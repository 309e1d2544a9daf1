#include "tb/identify/results.hpp"

#include <algorithm>

#include "model/base/parallel.hpp"

namespace assay::identify {
namespace {

constexpr std::size_t worth_a_kernel = 1000;  // cases: fewer are done before a kernel has its tables
constexpr std::size_t worth_sharing = 4;      // plans that multiply alike

// Which plans multiply alike: the first of each such group, and the others of it.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<std::shared_ptr<const Plan>>& plans) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t p = 0; p < plans.size(); ++p) {
    const auto own = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& group) { return multiply_alike(*plans[group.front()], *plans[p]); });
    if (own == groups.end()) {
      groups.push_back({p});
    } else {
      own->push_back(p);
    }
  }
  return groups;
}

}  // namespace

std::vector<Operand> operands_of(const std::vector<Case>& cases) {
  std::vector<Operand> operands;
  operands.reserve(cases.size());
  for (const Case& c : cases) operands.push_back(c.operand());
  return operands;
}

std::vector<Code> results_of(const Kernel& kernel, const std::vector<Operand>& operands) {
  std::vector<Code> d(operands.size());
  kernel.batch(operands.data(), operands.size(), d.data());
  return d;
}

std::vector<Code> results_of(const Plan& plan, const std::vector<Operand>& operands) {
  if (operands.size() >= worth_a_kernel) return results_of(Kernel(plan), operands);
  std::vector<Code> d(operands.size());
  Registers registers;
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = dot(plan, operands[i], registers);
  return d;
}

MultipliedCases::MultipliedCases(std::shared_ptr<const Plan> plan, std::vector<Operand> operands)
    : plan_(std::move(plan)), operands_(std::move(operands)), products_(operands_.size()), d_(operands_.size()) {
  for (std::size_t i = 0; i < d_.size(); ++i) d_[i] = dot(*plan_, operands_[i], products_[i]);
}

std::vector<Code> MultipliedCases::results_of(const Plan& other) const {
  std::vector<Code> d(operands_.size());
  Registers registers;
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = d_of(other, i, registers);
  return d;
}

std::vector<std::vector<Code>> results_of(const std::vector<std::shared_ptr<const Plan>>& plans,
                                          const std::vector<Operand>& operands, int threads) {
  std::vector<std::vector<Code>> results(plans.size());
  std::vector<std::size_t> alone;
  for (const std::vector<std::size_t>& group : groups_of(plans)) {
    if (group.size() < worth_sharing || operands.size() >= worth_a_kernel) {
      alone.insert(alone.end(), group.begin(), group.end());
      continue;
    }
    const MultipliedCases first(plans[group.front()], operands);
    parallel(static_cast<int>(group.size()), threads, [&](int i, int) {
      const std::size_t p = group[static_cast<std::size_t>(i)];
      results[p] = first.results_of(*plans[p]);
    });
  }
  parallel(static_cast<int>(alone.size()), threads, [&](int i, int) {
    const std::size_t p = alone[static_cast<std::size_t>(i)];
    results[p] = results_of(*plans[p], operands);
  });
  return results;
}

}  // namespace assay::identify
