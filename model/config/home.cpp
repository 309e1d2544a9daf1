#include "model/config/home.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "model/config/yaml.hpp"

namespace assay {

std::string home() {
  namespace fs = std::filesystem;
  std::vector<fs::path> places;
  if (const char* given = std::getenv("ASSAY_HOME")) {
    places.emplace_back(given);
  } else {
    std::error_code ignored;
    places.push_back(fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "share" / "assay");
    places.emplace_back(ASSAY_SOURCE_DIR);
  }
  std::string looked;
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (fs::is_directory(place / "configs" / "arch", ignored)) return place.string();
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  throw ConfigError{"No configs/arch folder was found in " + looked +
                    "; set ASSAY_HOME to the folder that holds Assay's configs."};
}

}  // namespace assay
