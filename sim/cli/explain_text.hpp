// One dot product, stage by stage, as text a person can check by hand.
#pragma once

#include <string>

#include "model/core/dot.hpp"
#include "tb/devices/device.hpp"

namespace assay {

struct Explanation {
  Code d = 0;
  Trace trace;  // with the items of each sum kept
};

Explanation explain(const Plan& plan, const Case& one);

std::string explain_text(const Plan& plan, const Case& one, const Explanation& explanation);

// The exact sum of products and c, correctly rounded (nearest even) to d's format, and how far `d` is from the exact
// sum.
struct Exactness {
  Code nearest = 0;
  std::string ulps;  // "-0.73", signed, in units of the last place of d; empty where d or the sum is not finite
};
Exactness exactness(const Plan& plan, const Case& one, Code d);

}  // namespace assay
