// Stage reduce: the sum of the addends, as a number again.
#pragma once

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class AdderTree : public StageModule {
 public:
  In<Numbers> items{"items", *this};  // for what no addend tells: special values, and the sign of a zero sum
  In<CommonExponent> window{"window", *this};
  In<Addends> addends{"addends", *this};
  Out<Numbers> sum{"sum", *this};  // one

  AdderTree(const sc_core::sc_module_name& name, const Context& context, int place, const AdderPlan& adder);

 private:
  void work() override;
  template <class Register>
  Number total(const Lines<Addend<Register>>& lines, int exponent);

  const int place_;
  const AdderPlan& adder_;
};

}  // namespace assay::systemc
