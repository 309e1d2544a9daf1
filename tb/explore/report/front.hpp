// The dots of which none is both smaller and more exact.
#pragma once

#include <vector>

#include "tb/explore/report/chart.hpp"

namespace assay {

// In order of x; of equal ones the first.
std::vector<Dot> pareto_front(std::vector<Dot> dots);

}  // namespace assay
