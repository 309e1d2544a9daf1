// The cache that many machines share: where it lies, locks whose holder died, what is damaged, what is too much.
#include "tb/devices/rtl/cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "model/base/error.hpp"
#include "tb/devices/rtl/cache_upkeep.hpp"
#include "tb/devices/rtl/dependencies.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/variable.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// A cache of the test's own, named by ASSAY_CACHE.
class Cache : public testing::Test {
 protected:
  void SetUp() override { unsetenv("ASSAY_CACHE_LIMIT"); }
  void TearDown() override { unsetenv("ASSAY_CACHE_LIMIT"); }

  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  // A whole build of a unit: its program, and the list that has the program's hash.
  fs::path put_build(const std::string& name, const std::string& program) const {
    const fs::path part = folder_ / "rtl" / name / "new";
    put("rtl/" + name + "/new/device", program);
    const Dependency device{Dependency::Kind::made, "device", ""};
    const std::string list = print_dependencies({{device.kind, device.name, States().of(device, part)}});
    put("rtl/" + name + "/new/made_of", list);
    const fs::path build = part.parent_path() / sha256_of_all({list});
    fs::rename(part, build);
    return build;
  }
  void used_hours_ago(const std::string& entry, int hours) const {
    fs::last_write_time(folder_ / entry, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const CacheEntry& entry : cache_entries()) all.push_back(entry.kind + "/" + entry.name);
    return all;
  }
  std::string trouble(const std::string& name) const {
    for (const CacheEntry& entry : cache_entries()) {
      if (entry.name == name) return trouble_of(entry);
    }
    return "there is no such entry";
  }

  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
  const Variable cache_{"ASSAY_CACHE", folder_.string()};
};

using Names = std::vector<std::string>;

TEST_F(Cache, LiesWhereItsVariableSays) {
  EXPECT_EQ(cache_place("rtl"), folder_ / "rtl");
  setenv("ASSAY_CACHE", "below/here", 1);
  try {
    cache_place("rtl");
    FAIL() << "A relative path was taken.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, "ASSAY_CACHE is 'below/here', and has to be the absolute path of a folder.");
  }
}

TEST_F(Cache, ALockIsWaitedForWhileItsHolderLives) {
  const Lease lease{milliseconds(50), milliseconds(400)};
  std::optional<FileLock> holder(std::in_place, folder_ / "lock", lease);
  ASSERT_TRUE(holder->is_held());
  EXPECT_EQ(holder->writer(), "");
  const auto begin = Clock::now();
  std::thread end([&] {
    std::this_thread::sleep_for(milliseconds(1200));  // three times as long as anybody waits for the dead
    holder.reset();
  });
  const FileLock other(folder_ / "lock", lease);
  EXPECT_TRUE(other.is_held());
  EXPECT_GE(Clock::now() - begin, milliseconds(1100));
  end.join();
}

// As a file server keeps the lock of a machine that lost its power.
TEST_F(Cache, ALockWhoseHolderDiedIsNotWaitedForLong) {
  const int dead = open((folder_ / "lock").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(flock(dead, LOCK_EX), 0);
  const auto begin = Clock::now();
  const FileLock other(folder_ / "lock", {milliseconds(50), milliseconds(400)});
  EXPECT_FALSE(other.is_held());
  EXPECT_LT(Clock::now() - begin, milliseconds(5000));
  EXPECT_NE(other.writer().find("." + std::to_string(getpid())), std::string::npos);
  close(dead);
}

TEST_F(Cache, LocksHaveTheModeThatTheUserWants) {
  const mode_t before = umask(0002);
  { const FileLock lock(folder_ / "lock"); }
  umask(before);
  struct stat found {};
  ASSERT_EQ(stat((folder_ / "lock").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0664u);
}

TEST_F(Cache, SaysWhatIsDamaged) {
  const fs::path whole = put_build("whole", "program"), hurt = put_build("hurt", "program");
  put_build("begun", "program");
  put("rtl/begun/objects.node7.12/Vdut.cpp", "");
  put("rtl/empty/lock", "");
  EXPECT_EQ(trouble("whole"), "");
  EXPECT_EQ(trouble("begun"), "it was begun and not finished");
  EXPECT_EQ(trouble("empty"), "there is no build in it");
  std::ofstream(hurt / "device") << "prograM";
  EXPECT_EQ(trouble("hurt"), "the file device of a build of it is damaged");
  std::ofstream(whole / "made_of", std::ios::app) << "\n";
  EXPECT_EQ(trouble("whole"), "the list of what a build of it was made of is damaged");

  put("prove/net/unit.aig", "a");
  put("prove/net/unit.map", "b");
  EXPECT_EQ(trouble("net"), "it was begun and not finished");
  put("prove/net/whole", sha256_of_all({"a", "b"}));
  EXPECT_EQ(trouble("net"), "");
  put("prove/net/unit.map", "c");
  EXPECT_EQ(trouble("net"), "what yosys read is damaged");

  put("cost/gates", "");
  fs::remove(folder_ / "cost/gates");
  put("cost/gates/cost", "26248 763197 159 18.5\n");
  EXPECT_EQ(trouble("gates"), "");
  put("cost/gates/cost", "26248 763197 1");
  EXPECT_EQ(trouble("gates"), "its four numbers are damaged");
}

TEST_F(Cache, CleaningTakesWhatIsDamagedAndLeavesTheRest) {
  put_build("whole", "program");
  std::ofstream(put_build("hurt", "program") / "device") << "x";
  const Cleaned cleaned = clean_cache({std::nullopt, std::nullopt, true});
  EXPECT_EQ(cleaned.removed, 1u);
  EXPECT_EQ(names(), Names{"rtl/whole"});
}

TEST_F(Cache, TheLimitTakesWhatWasUsedLongestAgo) {
  const std::string program(100000, 'x');
  for (const char* name : {"old", "new", "middle"}) put_build(name, program);
  used_hours_ago("rtl/old", 30);
  used_hours_ago("rtl/middle", 20);
  used_hours_ago("rtl/new", 10);
  EXPECT_EQ(names(), (Names{"rtl/new", "rtl/middle", "rtl/old"}));
  const std::uint64_t one = cache_entries().front().bytes;
  EXPECT_GE(one, 100000u);
  EXPECT_EQ(clean_cache({2 * one + one / 2, std::nullopt, false}).removed, 1u);
  EXPECT_EQ(names(), (Names{"rtl/new", "rtl/middle"}));
  EXPECT_EQ(clean_cache({std::nullopt, std::chrono::hours(15), false}).removed, 1u);
  EXPECT_EQ(names(), Names{"rtl/new"});
  mark_used(folder_ / "rtl/new");
  EXPECT_EQ(clean_cache({std::nullopt, std::chrono::hours(1), false}).removed, 0u);
}

TEST_F(Cache, WhatSomebodyWritesStays) {
  put_build("busy", "program");
  const FileLock writer(folder_ / "rtl/busy/lock");
  const Cleaned cleaned = clean_cache({0, std::nullopt, true});
  EXPECT_EQ(cleaned.in_use, 1u);
  EXPECT_EQ(names(), Names{"rtl/busy"});
}

TEST_F(Cache, LimitsAreSizes) {
  EXPECT_EQ(bytes_of("1000"), 1000u);
  EXPECT_EQ(bytes_of("3K"), 3072u);
  EXPECT_EQ(bytes_of("2G"), std::uint64_t{2} << 30);
  for (const char* wrong : {"", "G", "-1", "2X", "2GB", "99999999999T", "1.5G"})
    EXPECT_EQ(bytes_of(wrong), std::nullopt) << wrong;
  EXPECT_EQ(cache_limit(), std::uint64_t{20} << 30);
  setenv("ASSAY_CACHE_LIMIT", "none", 1);
  EXPECT_EQ(cache_limit(), std::nullopt);
  setenv("ASSAY_CACHE_LIMIT", "plenty", 1);
  try {
    cache_limit();
    FAIL() << "It was taken.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, "ASSAY_CACHE_LIMIT is 'plenty', and has to be a size such as 20G or 500M, or none.");
  }
}

}  // namespace
}  // namespace assay
