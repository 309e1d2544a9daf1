#include "tb/devices/kinds/helper_program.hpp"

#include <fmt/format.h>

#include "tb/devices/device.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string how_to_build(const HelperProgram& program, const fs::path& build) {
  const std::string folder = shell_word(build.string());
  const std::string configure = program.setting.empty() ? "" : fmt::format("cmake {} {} && ", program.setting, folder);
  return fmt::format("this build has none yet; build it: {}cmake --build {} --target {}", configure, folder,
                     program.name);
}

std::string how_to_install(const HelperProgram& program, const fs::path& prefix) {
  const std::string build = program.setting.empty() ? "a whole build" : "a whole build with " + program.setting;
  return fmt::format("it is missing from this installation; install {} again: cmake --install BUILD --prefix {}", build,
                     shell_word(prefix.string()));
}

}  // namespace

fs::path own_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
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
