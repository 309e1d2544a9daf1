// The tests of M. Fasi, N. Higham, M. Mikaitis and S. Pranesh, "Numerical behavior of NVIDIA tensor cores" (2021), for
// operands of any format: what was 2^-24 there is half of the result's unit here. Results are recorded under these
// names.
#pragma once

#include <string>
#include <vector>

#include "tb/probe/addends.hpp"

namespace assay::probe {

struct Check {
  std::string name;
  Case given;
};

// Those that the formats can express. `result_bits`: fraction bits of d.
std::vector<Check> checklist(const Workbench& bench, int result_bits);

}  // namespace assay::probe
