#include "model/base/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "model/base/descriptor.hpp"
#include "model/base/error.hpp"
#include "model/base/streams.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file, const std::string& sentence) { throw Error{file + " " + sentence}; }

// The descriptor of ours that /dev/stdout, /dev/fd/N or /proc/self/fd/N names.
std::optional<int> own_descriptor(const fs::path& path) {
  std::error_code none;
  const fs::path ours = fs::canonical("/proc/self/fd", none);
  if (none || fs::canonical(path.parent_path(), none) != ours || none) return std::nullopt;
  const std::string number = path.filename().string();
  int descriptor = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), descriptor);
  if (error != std::errc{} || end != number.data() + number.size()) return std::nullopt;
  return descriptor;
}

}  // namespace

std::string without_links(const std::string& path) {
  constexpr int most_links = 40;  // as the system has it
  fs::path at = path;
  std::error_code none;
  for (int links = 0; links < most_links && !own_descriptor(at); ++links) {
    const fs::path next = fs::read_symlink(at, none);
    if (none) break;
    at = at.parent_path() / next;
  }
  return at.string();
}

std::string part_name(const std::string& path, int attempt) {
  return path + ".part-" + std::to_string(getpid()) + "-" + std::to_string(attempt);
}

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "standard output" : path) { open(path); }

OutputFile::~OutputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open(const std::string& path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  path_ = without_links(path);
  if (const auto descriptor = own_descriptor(path_)) {
    descriptor_ = *descriptor <= STDERR_FILENO ? *descriptor : ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
  } else {
    struct stat there {};
    const bool exists = ::stat(path_.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) fail(name_, "cannot be written: it is a directory.");
    if (!exists && errno != ENOENT) fail(name_, "cannot be written: " + reason_of(errno) + ".");
    if (exists && !S_ISREG(there.st_mode)) {
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
      open_beside(exists ? &there : nullptr);
    }
  }
  if (descriptor_ < 0) fail(name_, "cannot be written: " + reason_of(errno) + ".");
}

// What is written has the mode of the file it replaces, from its first byte on, and its owner where that may be.
void OutputFile::open_beside(const struct stat* replaced) {
  if (replaced != nullptr && ::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) return;
  const mode_t mode = replaced == nullptr ? 0666 : replaced->st_mode & 0600;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::string name = part_name(path_, attempt);
    Leftover leftover = Leftover::file(name);
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) return;
    temporary_ = name;
    leftover_ = std::move(leftover);
    break;
  }
  if (descriptor_ < 0 || replaced == nullptr) return;
  // Only root can change the owner. Where the group cannot be kept either, the new group does not get the old one's
  // rights.
  const bool group_kept = ::fchown(descriptor_, replaced->st_uid, replaced->st_gid) == 0 ||
                          ::fchown(descriptor_, static_cast<uid_t>(-1), replaced->st_gid) == 0;
  if (::fchmod(descriptor_, replaced->st_mode & (group_kept ? 0777 : 0707)) != 0)
    fail(name_, "cannot be given its mode: " + reason_of(errno) + ".");
}

void OutputFile::finish() {
  close_file();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail(name_, "cannot be put in place: " + reason_of(errno) + ".");
  leftover_.forget();
  temporary_.clear();
}

// Some file systems say only now that the disk is full.
void OutputFile::close_file() {
  if (descriptor_ <= STDERR_FILENO) return;
  const int status = ::close(descriptor_);
  descriptor_ = -1;
  if (status != 0) fail(name_, "cannot be written: " + reason_of(errno) + ".");
}

void write_whole_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  descriptor_sink(file.descriptor(), file.name())(text, true);
  file.finish();
}

}  // namespace assay
