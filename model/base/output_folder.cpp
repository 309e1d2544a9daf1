#include "model/base/output_folder.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "model/base/descriptor.hpp"
#include "model/base/error.hpp"
#include "model/base/output_file.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& folder, const std::string& sentence) { throw Error{folder + " " + sentence}; }

// The name without slashes at its end, beside which another name can stand.
std::string trimmed(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

void refuse_what_stands_there(const std::string& path) {
  std::error_code none;
  const fs::file_status there = fs::symlink_status(path, none);
  if (!fs::exists(there)) return;
  if (!fs::is_directory(there)) fail(path, "cannot be written: it is there already and is no folder; name a new one.");
  if (!fs::is_empty(path, none)) fail(path, "cannot be written: it is there already and not empty; name a new folder.");
}

}  // namespace

OutputFolder::OutputFolder(const std::string& path) : path_(without_links(trimmed(path))) {
  refuse_what_stands_there(path_);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    temporary_ = part_name(path_, attempt);
    leftover_ = Leftover::folder(temporary_);
    if (::mkdir(temporary_.c_str(), 0777) == 0) return;
    if (errno != EEXIST) break;
  }
  temporary_.clear();
  fail(path_, "cannot be written: " + reason_of(errno) + ".");
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

std::vector<std::string> OutputFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(temporary_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void OutputFolder::finish() {
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail(path_, "cannot be put in place: " + reason_of(errno) + ".");
  leftover_.forget();
  temporary_.clear();
}

}  // namespace assay
