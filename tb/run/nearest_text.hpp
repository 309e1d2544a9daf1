// What a verdict says of the failures beyond listing them.
#pragma once

#include <string>
#include <vector>

#include "tb/run/wider.hpp"

namespace assay {

// Which changes of the datapath would explain the failures, of which there are some: `found` of a word or two, `wide`
// of more. `made`: so many failures were no cases of the run, but made from its first failing one.
std::vector<std::string> nearest_lines(const Nearest& nearest, const NearbyChanges& found, const WiderExplanation& wide,
                                       std::size_t made);

}  // namespace assay
