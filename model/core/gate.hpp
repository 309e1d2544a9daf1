// Stage gate: an element whose product the case's mask switches off is +0, whatever it was.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

// Whether the product of element `index` of k is there. `more` are the numbers of what a case brings.
inline bool is_on(const Plan& plan, const Number* more, int index) {
  return plan.mask < 0 || !more[plan.more[static_cast<std::size_t>(plan.mask)].first + index].is_zero();
}

inline Number gate(const Number& element, bool on) { return on ? element : Number::zero(); }

}  // namespace assay
