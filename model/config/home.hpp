// Where the shipped configuration lies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

// The folder that holds configs/ (and, for building RTL, the sources): $ASSAY_HOME, else the nearest share/assay above
// the first of own_files() that has one. So an installed tree works wherever it is moved to, and a library reads its
// own catalogue whatever lies above the program that loads it; in a build tree share/assay is a link to the sources. A
// Error where there is none.
std::string home();

std::filesystem::path running_program();

// The file this code lies in, which is the running program or a library that it loaded; then the program, if another.
std::vector<std::filesystem::path> own_files();

}  // namespace assay
