// Where the shipped configuration lies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

// The folder that holds configs/ (and, for building RTL, the sources): $ASSAY_HOME, else the nearest share/assay above
// the program, else above the shared library this is part of. So an installed tree works wherever it is moved to; in a
// build tree share/assay is a link to the sources. A Error where there is none.
std::string home();

// The running program, and the file this code lies in where that is a shared library of another program.
std::vector<std::filesystem::path> own_files();

}  // namespace assay
