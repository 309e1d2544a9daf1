#include "tb/devices/rtl/cache_upkeep.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "model/base/error.hpp"
#include "model/base/files.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/dependencies.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::uint64_t disk_bytes(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 ? static_cast<std::uint64_t>(found.st_blocks) * 512 : 0;
}

// What another process removes meanwhile is passed over.
std::uint64_t bytes_below(const fs::path& path) {
  std::uint64_t bytes = disk_bytes(path);
  std::error_code gone;
  for (auto at = fs::recursive_directory_iterator(path, gone); !gone && at != fs::recursive_directory_iterator();
       at.increment(gone))
    bytes += disk_bytes(at->path());
  return bytes;
}

void add_entries(const std::string& kind, const fs::path& folder, std::vector<CacheEntry>& all) {
  std::error_code none, gone;
  for (const fs::path& path : entries_of(folder, none)) {
    if (path.filename() == "proved") continue;
    const auto used = fs::last_write_time(path, gone);
    if (!gone) all.push_back({kind, path.filename().string(), path, bytes_below(path), used});
  }
}

// --- what is whole ---

// A build is named by the hash of its list, which has the hashes of what was made.
std::string trouble_of_build(const fs::path& build) {
  std::error_code none;
  if (!fs::is_regular_file(build / "made_of", none)) return "a build of it has no list of what it was made of";
  const std::string text = file_text(build / "made_of");
  if (sha256_of_all({text}) != build.filename()) return "the list of what a build of it was made of is damaged";
  States now;
  for (const Dependency& one : parse_dependencies(text)) {
    if (one.kind == Dependency::Kind::made && now.of(one, build) != one.state)
      return "the file " + one.name + " of a build of it is damaged";
  }
  return "";
}

bool is_unfinished(const std::string& name) {
  return starts_with(name, "objects") || starts_with(name, "part") || starts_with(name, "work") ||
         starts_with(name, "build.log");
}

std::string trouble_of_builds(const fs::path& folder) {
  std::error_code none;
  bool any = false;
  for (const fs::path& path : entries_of(folder, none)) {
    const std::string name = path.filename().string();
    if (name == "lock") continue;
    if (is_unfinished(name)) return "it was begun and not finished";
    const std::string trouble = trouble_of_build(path);
    if (!trouble.empty()) return trouble;
    any = true;
  }
  return any ? "" : "there is no build in it";
}

std::string trouble_of_netlist(const fs::path& folder) {
  std::error_code none;
  for (const char* name : {"whole", "unit.aig", "unit.map"}) {
    if (!fs::is_regular_file(folder / name, none)) return "it was begun and not finished";
  }
  const std::string sum = sha256_of_all({file_text(folder / "unit.aig"), file_text(folder / "unit.map")});
  return file_text(folder / "whole") == sum ? "" : "what yosys read is damaged";
}

// Four numbers: cells, area, depth, delay.
std::string trouble_of_cost(const fs::path& folder) {
  std::error_code none;
  if (!fs::is_regular_file(folder / "cost", none)) return "it was begun and not finished";
  std::istringstream text(file_text(folder / "cost"));
  double number = 0;
  int numbers = 0;
  while (text >> number) ++numbers;
  return text.eof() && numbers == 4 ? "" : "its four numbers are damaged";
}

// --- removing ---

// Whether somebody writes there. Who cannot say, on a file server that knows no locks, says no.
bool is_in_use(const fs::path& folder) {
  const int file = open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return locked;
}

void remove_entry(const CacheEntry& entry, Cleaned& cleaned) {
  if (is_in_use(entry.path)) {
    ++cleaned.in_use;
    cleaned.bytes_kept += entry.bytes;
    return;
  }
  std::error_code error;
  fs::remove_all(entry.path, error);
  if (error) {
    cleaned.refused.push_back(entry.path.string() + " cannot be removed (" + error.message() + ").");
    cleaned.bytes_kept += entry.bytes;
    return;
  }
  ++cleaned.removed;
  cleaned.bytes_removed += entry.bytes;
}

}  // namespace

std::vector<CacheEntry> cache_entries() {
  std::vector<CacheEntry> all;
  for (const char* kind : {"rtl", "prove", "cost"}) add_entries(kind, cache_place(kind), all);
  add_entries("proved", cache_place("prove") / "proved", all);
  std::stable_sort(all.begin(), all.end(), [](const CacheEntry& x, const CacheEntry& y) { return x.used > y.used; });
  return all;
}

std::string trouble_of(const CacheEntry& entry) {
  if (entry.kind == "proved") return file_text(entry.path).empty() ? "it is empty" : "";
  if (starts_with(entry.name, "scratch.")) {
    const bool lives = fs::file_time_type::clock::now() - entry.used < std::chrono::hours(24);
    return lives ? "" : "it was left behind by a process that did not end well";
  }
  if (entry.kind == "rtl") return trouble_of_builds(entry.path);
  return entry.kind == "prove" ? trouble_of_netlist(entry.path) : trouble_of_cost(entry.path);
}

Cleaned clean_cache(const CacheBounds& bounds) {
  Cleaned cleaned;
  if (!bounds.most_bytes && !bounds.longest && !bounds.damaged) return cleaned;
  const auto now = fs::file_time_type::clock::now();
  for (const CacheEntry& entry : cache_entries()) {
    const bool too_much = bounds.most_bytes && cleaned.bytes_kept + entry.bytes > *bounds.most_bytes;
    const bool too_old = bounds.longest && now - entry.used > *bounds.longest;
    if (too_much || too_old || (bounds.damaged && !is_in_use(entry.path) && !trouble_of(entry).empty())) {
      remove_entry(entry, cleaned);
    } else {
      cleaned.bytes_kept += entry.bytes;
      ++cleaned.kept;
    }
  }
  return cleaned;
}

std::optional<std::uint64_t> bytes_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const std::size_t power = unit.empty() ? 0 : std::string("KMGT").find(unit) + 1;
  const bool good = error == std::errc() && unit.size() <= 1 && (unit.empty() || power > 0);
  if (!good || number > (~std::uint64_t{0} >> 10 * power)) return std::nullopt;
  return number << 10 * power;
}

std::optional<std::uint64_t> cache_limit() {
  const char* given = std::getenv("ASSAY_CACHE_LIMIT");
  if (given == nullptr || *given == '\0') return std::uint64_t{20} << 30;
  if (std::string(given) == "none") return std::nullopt;
  if (const auto bytes = bytes_of(given)) return bytes;
  throw Error{"ASSAY_CACHE_LIMIT is '" + std::string(given) + "', and has to be a size such as 20G or 500M, or none."};
}

}  // namespace assay
