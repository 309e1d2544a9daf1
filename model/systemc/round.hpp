// Stage round: numbers to fewer bits, by one result after another.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class Normaliser : public StageModule {
 public:
  In<Numbers> exact{"exact", *this};
  Out<Numbers> rounded{"rounded", *this};

  // `first_draw`: the random word that the first number's first stochastic cut takes; those of the others follow.
  // `normalise`: the exponent follows the leading one before anything is rounded.
  Normaliser(const sc_core::sc_module_name& name, const Context& context, int place,
             const std::vector<ResultPlan>& results, int first_draw, bool normalise = false);

  // Where the random words come from; nothing where no result takes one.
  In<Scales>* random() { return random_.get(); }

 private:
  void work() override;

  const int place_;
  const std::vector<ResultPlan> results_;
  const int first_draw_;
  const bool normalise_;
  std::unique_ptr<In<Scales>> random_;
};

}  // namespace assay::systemc
