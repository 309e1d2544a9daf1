#include "tb/devices/kinds/helper_program.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "model/config/home.hpp"
#include "tb/devices/device.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> nearest_bin_above(const fs::path& file) {
  std::error_code ignored;
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / "bin", ignored)) return folder / "bin";
  }
  return std::nullopt;
}

std::string how_to_build(const HelperProgram& program, const fs::path& build) {
  const std::string folder = shell_word(build.string());
  const std::string install = program.package.empty() ? "" : fmt::format("apt-get install {} && ", program.package);
  const std::string setting = program.setting.empty() ? "" : program.setting + " ";
  const std::string configure =
      install.empty() && setting.empty() ? "" : fmt::format("cmake {}{} && ", setting, folder);
  return fmt::format("this build has none yet; build it: {}{}cmake --build {} --target {}", install, configure, folder,
                     program.name);
}

std::string how_to_install(const HelperProgram& program, const fs::path& prefix) {
  const std::string with = program.setting.empty() ? program.package : program.setting;
  const std::string build = with.empty() ? "a whole build" : "a whole build with " + with;
  return fmt::format("it is missing from this installation; install {} again: cmake --install BUILD --prefix {}", build,
                     shell_word(prefix.string()));
}

}  // namespace

fs::path own_folder() {
  const std::vector<fs::path> files = own_files();
  const fs::path program = files.back().parent_path();
  return files.size() == 1 ? program : nearest_bin_above(files.front()).value_or(program);
}

std::string helper_in(const fs::path& folder, const HelperProgram& program) {
  std::error_code ignored;
  const fs::path file = folder / program.name, above = folder.parent_path();
  if (fs::exists(file, ignored)) return file.string();
  const bool built_here = fs::exists(above / "CMakeCache.txt", ignored);
  throw Error{fmt::format("{} the program {} beside assay, and {}", program.devices, program.name,
                          built_here ? how_to_build(program, above) : how_to_install(program, above)),
              Ending::not_here};
}

}  // namespace assay
