// What a verdict says of the failures beyond listing them.
#pragma once

#include <string>
#include <vector>

#include "tb/fit/nearest.hpp"

namespace assay {

// Which changes of the datapath would explain the failures; nothing where there are none.
std::vector<std::string> explanation_lines(const Nearest& nearest);

}  // namespace assay
