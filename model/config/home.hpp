// Where the shipped configuration lies.
#pragma once

#include <string>

namespace assay {

// The folder that holds configs/ (and, for building RTL, the sources): $ASSAY_HOME, else share/assay beside the
// program's bin/, else the source tree the program was built from. A ConfigError where none of them has configs/.
std::string home();

}  // namespace assay
