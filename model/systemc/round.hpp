// Stage round: numbers to fewer bits, by one result after another.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class Normaliser : public StageModule {
 public:
  In<Numbers> exact{"exact", *this};
  Out<Numbers> rounded{"rounded", *this};

  // `normalise`: the exponent follows the leading one before anything is rounded.
  Normaliser(const sc_core::sc_module_name& name, const Context& context, int place,
             const std::vector<ResultPlan>& results, bool normalise = false);

 private:
  void work() override;

  const int place_;
  const std::vector<ResultPlan> results_;
  const bool normalise_;
};

}  // namespace assay::systemc
