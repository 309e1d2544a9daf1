#include "model/base/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

namespace assay {
namespace {

constexpr int unlimited = 1 << 20;

// Microseconds of processor time in a period of so many; "max" or a negative quota limits nothing.
int granted(std::istream& quota_then_period) {
  double quota = 0, period = 0;
  if (!(quota_then_period >> quota >> period) || quota <= 0 || period <= 0) return unlimited;
  return static_cast<int>(std::clamp(std::ceil(quota / period), 1.0, 1.0 * unlimited));
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// Version 1 has the two numbers in files of their own.
int granted_in(const std::string& folder) {
  std::istringstream second_version(text_of(folder + "/cpu.max"));
  std::istringstream first_version(text_of(folder + "/cpu.cfs_quota_us") + " " +
                                   text_of(folder + "/cpu.cfs_period_us"));
  return std::min(granted(second_version), granted(first_version));
}

// Of a group and of all that hold it.
int granted_up_from(const std::string& top, std::string group) {
  int least = granted_in(top);
  for (; group.size() > 1; group.resize(group.rfind('/'))) least = std::min(least, granted_in(top + group));
  return least;
}

int in_affinity() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());  // more processors than such a set has room for
}

bool names_processors(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

// A line is NUMBER:CONTROLLERS:GROUP; version 2 names no controllers.
int granted_processors(const std::string& root) {
  const std::string top = root + "/sys/fs/cgroup";
  int least = unlimited;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) least = std::min(least, granted_up_from(top, group));
    if (names_processors(controllers)) least = std::min(least, granted_up_from(top + "/cpu", group));
  }
  return least;
}

int usable_processors() { return std::max(1, std::min(in_affinity(), granted_processors(""))); }

}  // namespace assay
