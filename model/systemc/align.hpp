// Stage align: every item of a sum as an addend on the grid of its window.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class AlignmentShifter : public StageModule {
 public:
  In<Numbers> items{"items", *this};
  In<CommonExponent> window{"window", *this};
  Out<Addends> addends{"addends", *this};

  // `inputs`: how each item enters the sum.
  AlignmentShifter(const sc_core::sc_module_name& name, const Context& context, int place, const SumPlan& sum,
                   std::vector<const Input*> inputs);

 private:
  void work() override;
  Addends aligned(const Numbers& numbers, const CommonExponent& common) const;
  template <class Register>
  Lines<Addend<Register>> aligned_in(const Numbers& numbers, const CommonExponent& common) const;

  const int place_;
  const SumPlan& sum_;
  const std::vector<const Input*> inputs_;
};

}  // namespace assay::systemc
