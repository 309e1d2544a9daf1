#include "tb/tests/fast/batch.hpp"

#include <gtest/gtest.h>

#include "model/fast/kernel.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {

std::vector<Code> plain_mask(const Plan& plan) {
  std::vector<Code> bits;
  for (int t = 0; t < plan.more_codes(); ++t) bits.push_back(plain_mask_bit(plan.more.front().pattern, t));
  return bits;
}

std::vector<Operand> operands_of(const std::vector<Case>& cases) {
  std::vector<Operand> operands;
  for (const Case& c : cases) operands.push_back(c.operand());
  return operands;
}

std::vector<Code> by_core(const Plan& plan, const std::vector<Operand>& operands) {
  Registers registers;
  std::vector<Code> d;
  for (const Operand& operand : operands) d.push_back(dot(plan, operand, registers));
  return d;
}

void expect_batch_equals_core(const Plan& plan, const std::vector<Case>& cases) {
  const std::vector<Operand> operands = operands_of(cases);
  const std::vector<Code> core = by_core(plan, operands);
  const Kernel kernel(plan);
  for (const std::int64_t target : targets()) {
    const OnlyTarget only(target);
    std::vector<Code> d(operands.size());
    kernel.batch(operands.data(), operands.size(), d.data());
    for (std::size_t i = 0; i < d.size(); ++i)
      ASSERT_EQ(d[i], core[i]) << plan_text(plan) << " by " << kernel.path() << ", case " << i;
  }
}

}  // namespace assay
