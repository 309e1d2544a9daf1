#include "model/config/home.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "model/base/text.hpp"
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

// Of the kernel's list, which names files from the root: the loader's name of a library may be relative to a folder
// that the process has left, and its name of the program is what the program was called by.
fs::path file_of(const void* code) {
  const auto at = reinterpret_cast<std::uintptr_t>(code);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream range(line);
    std::uintptr_t from = 0, to = 0;
    char dash = 0;
    range >> std::hex >> from >> dash >> to;
    const std::size_t name = line.find('/');
    if (from <= at && at < to && name != std::string::npos) return line.substr(name);
  }
  return {};
}

}  // namespace

fs::path running_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

std::vector<fs::path> own_files() {
  const fs::path program = running_program(), own = file_of(reinterpret_cast<const void*>(&has_configs));
  if (own.empty() || own == program) return {program};
  return {own, program};
}

std::string home() {
  const char* given = std::getenv("ASSAY_HOME");
  if (given != nullptr) {
    if (has_configs(given)) return given;
    throw Error{"ASSAY_HOME is '" + std::string(given) +
                "', which has no folder configs/arch; set it to the folder that holds Assay's configs."};
  }
  std::vector<std::string> looked_above;
  for (const fs::path& file : own_files()) {
    looked_above.push_back(file.string());
    for (const fs::path& place : shares_above(file)) {
      std::error_code ignored;
      if (has_configs(place)) return fs::canonical(place, ignored).string();
    }
  }
  throw Error{"No folder share/assay with Assay's configs was found above " + joined(looked_above, " or above ") +
              "; set ASSAY_HOME to the folder that holds configs/arch."};
}

}  // namespace assay
