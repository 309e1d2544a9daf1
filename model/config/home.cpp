#include "model/config/home.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "model/config/yaml.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// share/assay in each folder above the file, the nearest first.
std::vector<fs::path> shares_above(const fs::path& file) {
  std::vector<fs::path> places;
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    places.push_back(folder.parent_path() / "share" / "assay");
  return places;
}

bool has_configs(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "configs" / "arch", ignored);
}

}  // namespace

std::vector<fs::path> own_files() {
  std::error_code ignored;
  std::vector<fs::path> files{fs::read_symlink("/proc/self/exe", ignored)};
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&home), &library) != 0 && library.dli_fname != nullptr)
    files.push_back(fs::canonical(library.dli_fname, ignored));
  return files;
}

std::string home() {
  const char* given = std::getenv("ASSAY_HOME");
  if (given != nullptr) {
    if (has_configs(given)) return given;
    throw Error{"ASSAY_HOME is '" + std::string(given) +
                "', which has no folder configs/arch; set it to the folder that holds Assay's configs."};
  }
  for (const fs::path& file : own_files()) {
    for (const fs::path& place : shares_above(file)) {
      std::error_code ignored;
      if (has_configs(place)) return fs::canonical(place, ignored).string();
    }
  }
  throw Error{"No folder share/assay with Assay's configs was found above " + own_files().front().string() +
              "; set ASSAY_HOME to the folder that holds configs/arch."};
}

}  // namespace assay
