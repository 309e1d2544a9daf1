// How fast each form of the model is, in one run.
#pragma once

#include <string>

namespace assay {

// Prints dot products a second through the modules, the unit on the bus, and the core; 0. Throws ConfigError.
int bench(const std::string& instruction, bool json);

}  // namespace assay
