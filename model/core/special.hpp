// Stage special: what NaNs and infinities among the terms decide.
#pragma once

#include "model/core/number.hpp"

namespace assay {

struct Plan;

// Collects the classes of the terms of one sum.
//
//   any NaN                     -> the first NaN
//   both signs of infinity      -> a new NaN
//   one sign of infinity        -> that infinity
//   otherwise                   -> nothing: the arithmetic decides
class Special {
 public:
  void see(const Number& n) {
    raised_ |= raised_reading(n);
    switch (n.cls) {
      case Class::finite: return;
      case Class::infinity: (n.negative ? negative_ : positive_) = true; return;
      case Class::nan:
        if (!nan_seen_) nan_ = n;
        nan_seen_ = true;
        return;
    }
  }
  bool decides() const { return nan_seen_ || positive_ || negative_; }
  Number decision() const {
    const bool makes_nan = !nan_seen_ && positive_ && negative_;
    Number made = nan_seen_ ? nan_ : makes_nan ? Number::made_nan() : Number::infinity(negative_);
    made.raised = raised_ | (makes_nan ? raises::invalid : 0);
    return made;
  }
  unsigned raised() const { return raised_; }  // by what led to its terms, and by reading them

 private:
  Number nan_;
  bool nan_seen_ = false, positive_ = false, negative_ = false;
  unsigned raised_ = 0;
};

// As two bits of a trace: 0 nothing, 1 NaN, 2 +infinity, 3 -infinity.
inline unsigned outcome(const Special& special) {
  if (!special.decides()) return 0;
  const Number d = special.decision();
  return d.cls == Class::nan ? 1 : d.negative ? 3 : 2;
}

// What one step takes: `order` lists its products among all of them.
struct StepOperands {
  const Number* products = nullptr;
  const int* order = nullptr;
  const Number* scales_a = nullptr;
  const Number* scales_b = nullptr;
  const Number* more = nullptr;
  Number acc;
};

// What the special values of a step decide before any sum: nothing, where the datapath leaves that to each operation.
Special step_special(const Plan& plan, const StepOperands& step);

// What a step leaves where this is decided: the decision as the results of the step's last adder take it.
Number step_decision(const Plan& plan, const Number& decision);

// The terms of a step and acc as its adders see them: special values that the step has decided on take no part.
void step_values(const Plan& plan, const StepOperands& step, Number* values);

}  // namespace assay
