#include "tb/devices/rtl/shared_build.hpp"

#include <unistd.h>

#include <filesystem>

#include "model/config/digest.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/dependencies.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

fs::path place_of(const Dut& dut, const Claim& claim, const Plan& plan, const std::string& folder) {
  std::vector<std::string> texts{file_text(dut.file), claim.name(), datapath_sha256(plan)};
  for (const std::string& source : dut.sources) texts.push_back(file_text(source));
  return fs::path(folder) / sha256_of_all(texts);
}

// What Verilator brings itself need not be here; what is here must be what it was.
bool is_as_built(const Dependency& one, States& now, const fs::path& build) {
  const std::string state = now.of(one, build);
  switch (one.kind) {
    case Dependency::Kind::made: return state == one.state;
    case Dependency::Kind::verilog: return state == one.state || state == nothing;
    case Dependency::Kind::cpp:
    case Dependency::Kind::variable: return true;
  }
  return false;
}

}  // namespace

void share_build(const Dut& dut, const Claim& claim, const Plan& plan, const std::string& program,
                 const std::string& folder) try {
  const fs::path place = place_of(dut, claim, plan, folder);
  if (fs::exists(place)) return;
  const fs::path part = place.string() + ".part-" + std::to_string(getpid());
  fs::create_directories(folder);
  fs::copy(fs::path(program).parent_path(), part);
  fs::rename(part, place);
} catch (const fs::filesystem_error& error) {
  throw Error{std::string("The build of the RTL cannot be shared: ") + error.what() + "."};
}

std::string shared_program(const Dut& dut, const Claim& claim, const Plan& plan, const std::string& folder) {
  const fs::path build = place_of(dut, claim, plan, folder);
  std::error_code none;
  if (!fs::exists(build / built_of, none))
    throw Error{dut.file + ": No build of this DUT file and its sources is in " + folder +
                ": they have changed since it was built, or it is of another claim."};
  States now;
  for (const Dependency& one : parse_dependencies(file_text(build / built_of))) {
    if (!is_as_built(one, now, build))
      throw Error{dut.file + ": " + one.name + " is not what it was when the unit was built into " + folder + "."};
  }
  return (build / "device").string();
}

}  // namespace assay
