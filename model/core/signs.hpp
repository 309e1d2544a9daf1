// With which sign c and each product enter d: inputs with `negate` turn them on the way.
#pragma once

#include <vector>

#include "model/core/plan.hpp"

namespace assay {

struct TermSigns {
  std::vector<int> products;  // by product: 1, -1; 0 where it enters nothing
  int c = 0;
};

// Of what enters twice, by its first way.
TermSigns signs_of(const Plan& plan);

}  // namespace assay
