// The datapath files of docs/examples/units.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

inline std::vector<std::string> example_units(const std::filesystem::path& project) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(project / "docs/examples/units"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace assay
