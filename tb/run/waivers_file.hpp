// Waivers, as a file says them.
#pragma once

#include <string>
#include <vector>

#include "tb/scoreboard/waivers.hpp"

namespace assay {

// Throws Error.
std::vector<Waiver> read_waivers(const std::string& path);

}  // namespace assay
