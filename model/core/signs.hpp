// With which sign c and each product enter d: inputs with `negate` turn them on the way.
#pragma once

#include <vector>

#include "model/core/plan.hpp"

namespace assay {

struct TermSigns {
  std::vector<int> products;  // by the term of k: 1, -1; 0 where it enters nothing
  int c = 0;
};

// Of what enters twice, by its first way.
TermSigns signs_of(const Plan& plan);

// Whether each sum adds its inputs as they are, and something before the first: no input has `negate`, and `start` is
// not `none`. For those who know neither.
bool adds_as_given(const Plan& plan);

}  // namespace assay
