// The smallest input found on which two instructions disagree, out of a product on which they do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/gemm/operands.hpp"

namespace assay::gemm {

struct SmallestDisagreement {
  Case input;     // of as many terms as the instruction of more of them takes
  int terms = 0;  // of these not zero
  std::string command;
};

// `x` and `y` are what the two made of the matrices. Nothing where they agree, or where neither's number of terms is a
// multiple of the other's.
std::optional<SmallestDisagreement> smallest_disagreement(const Subject& one, const Subject& other,
                                                          const Matrices& matrices, const std::vector<Code>& x,
                                                          const std::vector<Code>& y);

}  // namespace assay::gemm
