#include "tb/identify/results.hpp"

namespace assay::identify {
namespace {

constexpr std::size_t worth_a_kernel = 1000;  // cases: fewer are done before a kernel has its tables

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

}  // namespace assay::identify
