// How fast each form of the model is, in one run.
#pragma once

#include <string>

namespace assay {

// Prints dot products a second through the modules, the unit on the bus, and the core; 0. Where `instruction` is empty,
// of the one that the shipped RTL claims. Throws Error.
int bench(const std::string& instruction, bool json);

}  // namespace assay
