// A program that a device needs and that is not there: what is said of it.
#include "tb/devices/kinds/helper_program.hpp"

#include <sys/wait.h>

#include <cstdlib>

#include "model/config/catalogue.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/host/units.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

class HelperPrograms : public InFolder {
 protected:
  HelperPrograms() : host_{"assay-host", "The devices host:UNIT need", ""} {}

  std::string complaint(const HelperProgram& program) const {
    try {
      helper_in(path("bin"), program);
      return "it was found";
    } catch (const Error& error) {
      EXPECT_EQ(error.ending, Ending::not_here);
      return error.message;
    }
  }

  const HelperProgram host_;
  const HelperProgram systemc_{"assay-systemc", "The device systemc needs", "-DASSAY_SYSTEMC=ON"};
  const HelperProgram other_{"assay-host-other", "The device qemu:other needs", "", "g++-other"};
};

TEST_F(HelperPrograms, StandBesideTheCommand) {
  fs::create_directories(path("bin"));
  file("bin/assay-host", "");
  EXPECT_EQ(helper_in(path("bin"), host_), path("bin/assay-host"));
}

TEST_F(HelperPrograms, OfABuildAreBuilt) {
  file("CMakeCache.txt", "");
  const std::string build = fs::path(path("bin")).parent_path().string();
  EXPECT_EQ(complaint(host_),
            "The devices host:UNIT need the program assay-host beside assay, and this build has none yet; build it: "
            "cmake --build " +
                build + " --target assay-host");
  EXPECT_EQ(complaint(systemc_),
            "The device systemc needs the program assay-systemc beside assay, and this build has none yet; build it: "
            "cmake -DASSAY_SYSTEMC=ON " +
                build + " && cmake --build " + build + " --target assay-systemc");
  EXPECT_EQ(complaint(other_),
            "The device qemu:other needs the program assay-host-other beside assay, and this build has none yet; build "
            "it: apt-get install g++-other && cmake " +
                build + " && cmake --build " + build + " --target assay-host-other");
}

TEST_F(HelperPrograms, OfAnInstallationAreInstalled) {
  const std::string prefix = fs::path(path("bin")).parent_path().string();
  EXPECT_EQ(complaint(host_),
            "The devices host:UNIT need the program assay-host beside assay, and it is missing from this installation; "
            "install a whole build again: cmake --install BUILD --prefix " +
                prefix);
  EXPECT_EQ(complaint(other_),
            "The device qemu:other needs the program assay-host-other beside assay, and it is missing from this "
            "installation; install a whole build with g++-other again: cmake --install BUILD --prefix " +
                prefix);
  EXPECT_EQ(complaint(systemc_),
            "The device systemc needs the program assay-systemc beside assay, and it is missing from this "
            "installation; install a whole build with -DASSAY_SYSTEMC=ON again: cmake --install BUILD --prefix " +
                prefix);
}

// The command itself, without what is built beside it. Of a unit that this machine has not, that is said first.
TEST_F(HelperPrograms, AreNamedByTheCommand) {
  fs::create_directories(path("bin"));
  fs::copy_file(ASSAY_PROGRAM, path("bin/assay"));
  file("CMakeCache.txt", "");
  const auto said = [&](const std::string& instruction, const std::string& device) {
    const std::string command = "ASSAY_HOME=" + source_dir() + " " + path("bin/assay") + " compare --cases 10" +
                                " --instruction " + instruction + " --device " + device + " 2>" + path("said");
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), cannot_here) << device;
    return text_of(path("said"));
  };
  EXPECT_EQ(said("tdpbf16ps", "systemc"), "assay: " + complaint(systemc_) + "\n");
  const Catalogue catalogue = shipped_catalogue();
  for (const HostUnit& unit : host_units()) {
    if (catalogue.named(without_architecture(unit.instructions.front().name)).empty()) continue;
    const HostFinding finding = look_for(unit);
    const std::string expected =
        finding.executes ? complaint(host_) : finding_sentence(unit, finding, processor_name());
    EXPECT_EQ(said(unit.instructions.front().name, "host:" + unit.name), "assay: " + expected + "\n");
  }
}

}  // namespace
}  // namespace assay
