// Stage window: the exponent that all items of a sum are brought to.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class MaxExponent : public StageModule {
 public:
  In<Numbers> items{"items", *this};
  Out<CommonExponent> window{"window", *this};

  // `inputs`: how each item enters the sum.
  MaxExponent(const sc_core::sc_module_name& name, const Context& context, int place, const Window& words,
              std::vector<const Input*> inputs);

 private:
  void work() override;

  const int place_;
  const Window& words_;
  const std::vector<const Input*> inputs_;
};

}  // namespace assay::systemc
