// assay cache and assay doctor.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tb/doctor/doctor.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/variable.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

class CliUpkeep : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "cost/whole");
    fs::create_directories(folder_ / "cost/hurt");
    std::ofstream(folder_ / "cost/whole/cost") << "26248 763197 159 18.5\n";
    std::ofstream(folder_ / "cost/hurt/cost") << "26248 76";
    setenv("ASSAY_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("ASSAY_CACHE");
    unsetenv("ASSAY_CACHE_LIMIT");
  }
  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(CliUpkeep, ListsWhatIsKept) {
  const nlohmann::json json = nlohmann::json::parse(run({"cache", "--json"}).out);
  EXPECT_EQ(json["place"], folder_.string());
  EXPECT_EQ(json["limit"], std::uint64_t{20} << 30);
  EXPECT_EQ(json["entries"].size(), 2u);
  const Ran ran = run({"cache"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("2 entries, "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" in " + folder_.string() + "; the limit is 20.0 GiB."), std::string::npos) << ran.out;
}

TEST_F(CliUpkeep, VerifiesAndCleans) {
  const Ran found = run({"cache", "verify"});
  EXPECT_EQ(found.status, mismatch);
  EXPECT_EQ(found.out, (folder_ / "cost/hurt").string() +
                           ": its four numbers are damaged.\n"
                           "1 of 2 entries are whole; assay cache clean removes the others.\n");
  const Ran cleaned = run({"cache", "clean"});
  EXPECT_EQ(cleaned.status, passed) << cleaned.err;
  EXPECT_EQ(cleaned.out.find("Removed 1 ("), 0u) << cleaned.out;
  EXPECT_EQ(run({"cache", "verify"}).status, passed);
  EXPECT_TRUE(fs::exists(folder_ / "cost/whole/cost"));
  EXPECT_EQ(run({"cache", "clean", "--all"}).out.find("Removed 1 ("), 0u);
  EXPECT_FALSE(fs::exists(folder_ / "cost/whole"));
}

TEST_F(CliUpkeep, RefusesWhatIsNoSize) {
  const Ran limit = run({"cache", "clean", "--limit", "2X"});
  EXPECT_EQ(limit.status, wrong_use);
  EXPECT_EQ(limit.err, "assay: --limit is '2X', and has to be a size such as 20G or 500M.\n");
  const Ran elsewhere = run({"cache", "list", "--all"});
  EXPECT_EQ(elsewhere.status, wrong_use);
  EXPECT_EQ(elsewhere.err, "assay: --all, --days and --limit are for assay cache clean.\n");
}

// What a missing part would give, and the reason why a place cannot be used.
TEST_F(CliUpkeep, TheDoctorSaysWhatIsMissing) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const Ran ran = run({"doctor"});
  setenv("ASSAY_CACHE", "nowhere", 1);
  const nlohmann::json json = nlohmann::json::parse(run({"doctor", "--json"}).out);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("\nVerilator    missing verilator cannot be started; it is looked for on PATH\n"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("\nVerilator    RTL as a device: rtl:DUT.yaml"), std::string::npos) << ran.out;
  for (const nlohmann::json& part : json) {
    if (part["part"] != "cache") continue;
    EXPECT_EQ(part["found"], false);
    EXPECT_EQ(part["what"], "ASSAY_CACHE is 'nowhere', and has to be the absolute path of a folder.");
  }
  EXPECT_EQ(json[0]["part"], "catalogue");
  EXPECT_EQ(json[0]["found"], true);
}

// Programs that say they are too old, and a folder in which no emulator is.
TEST_F(CliUpkeep, DoctorKnowsVersions) {
  const fs::path old = folder_ / "old";
  fs::create_directories(old);
  const auto program = [&](const std::string& name, const std::string& says) {
    std::ofstream(old / name) << "#!/bin/sh\necho '" + says + "'\n";
    fs::permissions(old / name, fs::perms::owner_all);
  };
  const std::string path = getenv("PATH");
  const auto found = [&](const std::string& verilator, const std::string& yosys) {
    program("verilator", "Verilator " + verilator);
    program("yosys", "Yosys " + yosys + " (git sha1 0000)");
    setenv("PATH", (old.string() + ":/bin").c_str(), 1);
    const nlohmann::json json = nlohmann::json::parse(run({"doctor", "--json"}).out);
    setenv("PATH", path.c_str(), 1);
    std::string parts;
    for (const nlohmann::json& part : json) {
      const std::string name = part["part"];
      if ((name == "Verilator" || name == "yosys") && part["found"] == true) parts += name + " ";
    }
    return parts;
  };
  EXPECT_EQ(found("4.100 2021-01-01", "0.9"), "");
  EXPECT_EQ(found("4.200 2021-03-12", "0.23"), "Verilator yosys ");
  EXPECT_EQ(found("5.006", "0.9+4081"), "Verilator ");
}

TEST_F(CliUpkeep, DoctorWaitsForNoProgramThatGivesNoAnswer) {
  const auto program = [&](const std::string& name, const std::string& does) {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" + does + "\n";
    fs::permissions(folder_ / name, fs::perms::owner_all);
  };
  program("yosys", "exec sleep 100");
  program("make", "exit 0");
  program("ccache", "echo has no home >&2; exit 9");
  const Variable path("PATH", folder_.string() + ":/bin");
  std::map<std::string, FoundPart> parts;
  for (const FoundPart& part : look_around(std::chrono::seconds(1))) parts[part.name] = part;
  EXPECT_EQ(parts["yosys"].what, "yosys gave no answer within 1 s");
  EXPECT_EQ(parts["make"].what, "make says nothing of itself");
  EXPECT_EQ(parts["ccache"].what, "ccache ended with status 9: has no home");
  for (const char* name : {"yosys", "make", "ccache"}) EXPECT_FALSE(parts[name].found) << name;
}

}  // namespace
}  // namespace assay
