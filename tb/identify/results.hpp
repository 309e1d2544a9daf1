// What a datapath gives for many cases: by a kernel, which core's tests hold to core, where they are worth making one.
#pragma once

#include <memory>
#include <vector>

#include "model/core/products.hpp"
#include "model/fast/kernel.hpp"
#include "tb/devices/device.hpp"

namespace assay::identify {

// As `dot` and `Kernel` take them; the cases stay where they are.
std::vector<Operand> operands_of(const std::vector<Case>& cases);

std::vector<Code> results_of(const Kernel& kernel, const std::vector<Operand>& operands);
std::vector<Code> results_of(const Plan& plan, const std::vector<Operand>& operands);

// Cases by one plan, with the products it makes of each: a plan that multiplies alike goes on from these.
class MultipliedCases {
 public:
  MultipliedCases(std::shared_ptr<const Plan> plan, std::vector<Operand> operands);

  const std::vector<Code>& d() const { return d_; }  // of its own plan
  bool suit(const Plan& other) const { return multiply_alike(*plan_, other); }
  // Of a plan that they suit.
  Code d_of(const Plan& other, std::size_t index, Registers& registers) const {
    return dot_after(other, operands_[index], products_[index], registers);
  }
  std::vector<Code> results_of(const Plan& other) const;

 private:
  std::shared_ptr<const Plan> plan_;
  std::vector<Operand> operands_;
  std::vector<Registers> products_;
  std::vector<Code> d_;
};

// Of each plan what it gives for each case. The products of those that multiply alike are made once, where cases are so
// few that all their products are no matter of memory.
std::vector<std::vector<Code>> results_of(const std::vector<std::shared_ptr<const Plan>>& plans,
                                          const std::vector<Operand>& operands, int threads);

}  // namespace assay::identify
