// Programs that stand beside this one and run devices in processes of their own.
#pragma once

#include <filesystem>
#include <string>

namespace assay {

struct HelperProgram {
  std::string name;          // "assay-host"; the target that builds it too
  std::string devices;       // what needs it, as a sentence begins: "The devices host:UNIT need"
  std::string setting;       // of CMake, without which it is not built: "-DASSAY_SYSTEMC=ON"; may be empty
  std::string package = {};  // of Debian, without which it is not built; may be empty
};

// The folder that our programs stand in: that of this program; where this code is in a library of another's program,
// the nearest folder bin above the library.
std::filesystem::path own_folder();

// Where the program stands in `folder`. Throws Error where it does not, with the command that brings it there.
std::string helper_in(const std::filesystem::path& folder, const HelperProgram& program);

}  // namespace assay
