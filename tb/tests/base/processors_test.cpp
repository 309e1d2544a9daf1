// Thread counts follow what the process was given, not what the machine has.
#include "model/base/processors.hpp"
#include "tb/tests/scratch.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace assay {
namespace {

namespace fs = std::filesystem;

// Control groups as files.
class Groups {
 public:
  void put(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }
  int granted() const { return granted_processors(root_.string()); }

 private:
  const Scratch scratch_;
  const fs::path root_ = scratch_.path();
};

constexpr int no_machine = 100000;

TEST(Processors, FollowTheAffinity) {
  const pid_t child = fork();
  if (child == 0) {
    cpu_set_t mine, one;
    sched_getaffinity(0, sizeof mine, &mine);
    int first = 0;
    while (!CPU_ISSET(first, &mine)) ++first;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
    _exit(usable_processors());
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

TEST(Processors, NothingLimitsWhereThereAreNoGroups) { EXPECT_GT(Groups().granted(), no_machine); }

TEST(Processors, FollowTheGroupAndThoseAboveIt) {
  Groups groups;
  groups.put("proc/self/cgroup", "0::/farm/job7");
  groups.put("sys/fs/cgroup/farm/job7/cpu.max", "max 100000");
  EXPECT_GT(groups.granted(), no_machine);
  groups.put("sys/fs/cgroup/farm/cpu.max", "800000 100000");
  EXPECT_EQ(groups.granted(), 8);
  groups.put("sys/fs/cgroup/farm/job7/cpu.max", "250000 100000");
  EXPECT_EQ(groups.granted(), 3);  // two and a half
  groups.put("sys/fs/cgroup/farm/job7/cpu.max", "1000 100000");
  EXPECT_EQ(groups.granted(), 1);
}

TEST(Processors, FollowGroupsOfTheFirstVersion) {
  Groups groups;
  groups.put("proc/self/cgroup", "5:memory:/other\n4:cpu,cpuacct:/job");
  groups.put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1");
  groups.put("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  groups.put("sys/fs/cgroup/cpu/other/cpu.cfs_quota_us", "100000");
  groups.put("sys/fs/cgroup/cpu/other/cpu.cfs_period_us", "100000");
  EXPECT_GT(groups.granted(), no_machine);
  groups.put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "400000");
  EXPECT_EQ(groups.granted(), 4);
}

TEST(Processors, TextThatIsNoLimitLimitsNothing) {
  Groups groups;
  groups.put("proc/self/cgroup", "nonsense\n0::/");
  groups.put("sys/fs/cgroup/cpu.max", "a b");
  EXPECT_GT(groups.granted(), no_machine);
  groups.put("sys/fs/cgroup/cpu.max", "200000 0");
  EXPECT_GT(groups.granted(), no_machine);
  groups.put("sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_EQ(groups.granted(), 2);
}

}  // namespace
}  // namespace assay
