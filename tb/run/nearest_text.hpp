// What a verdict says of the failures beyond listing them.
#pragma once

#include <string>
#include <vector>

#include "tb/fit/nearest.hpp"

namespace assay {

// Which changes of the datapath would explain the failures; nothing where there are none. `made`: so many of them were
// no cases of the run, but made from its first failing one.
std::vector<std::string> nearest_lines(const Nearest& nearest, std::size_t made = 0);

}  // namespace assay
