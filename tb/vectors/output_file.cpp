#include "tb/vectors/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace assay {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file, const std::string& sentence) {
  throw VectorError{file, 0, file + " " + sentence};
}

// Links are followed, so that the file they point to is replaced and not the link.
std::string resolved(const std::string& path) {
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  return none ? path : real.string();
}

bool written_in_place(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

std::string part_name(const std::string& path, int attempt) {
  return path + ".part-" + std::to_string(getpid()) + "-" + std::to_string(attempt);
}

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "standard output" : path) { open(path); }

OutputFile::~OutputFile() {
  if (descriptor_ > STDOUT_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open(const std::string& path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  path_ = resolved(path);
  if (fs::is_directory(path_)) fail(name_, "cannot be written: it is a directory.");
  if (written_in_place(path_)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    for (int attempt = 0; descriptor_ < 0 && attempt < most_attempts; ++attempt) {
      temporary_ = part_name(path_, attempt);
      descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
  }
  if (descriptor_ >= 0) return;
  temporary_.clear();
  fail(name_, std::string("cannot be written: ") + std::strerror(errno) + ".");
}

void OutputFile::finish() {
  close_file();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail(name_, std::string("cannot be put in place: ") + std::strerror(errno) + ".");
  }
  temporary_.clear();
}

// Some file systems say only now that the disk is full.
void OutputFile::close_file() {
  if (descriptor_ <= STDOUT_FILENO) return;
  const int status = ::close(descriptor_);
  descriptor_ = -1;
  if (status != 0) fail(name_, std::string("cannot be written: ") + std::strerror(errno) + ".");
}

void write_whole_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  descriptor_sink(file.descriptor(), file.name())(text, true);
  file.finish();
}

}  // namespace assay
