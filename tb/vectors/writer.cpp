#include "tb/vectors/writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = 1 << 18;

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

VectorWriter::VectorWriter(const std::string& path, const VectorHeader& header, const CaseShape& shape)
    : file_(path == "-" ? "standard output" : path), shape_(shape), promised_(header.cases) {
  open(path);
  sink_ = compressed(descriptor_sink(descriptor_, file_), compression_of(path), file_);
  pending_ = print_header(header) + "\n";
}

VectorWriter::~VectorWriter() {
  if (descriptor_ > STDOUT_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void VectorWriter::open(const std::string& path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  path_ = resolved(path);
  if (fs::is_directory(path_)) fail(file_, "cannot be written: it is a directory.");
  if (written_in_place(path_)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    // A name of its own for each process and attempt: an earlier one's remains stand in nobody's way.
    for (int attempt = 0; descriptor_ < 0 && attempt < 1000; ++attempt) {
      temporary_ = path_ + ".part-" + std::to_string(getpid()) + "-" + std::to_string(attempt);
      descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
  }
  if (descriptor_ >= 0) return;
  temporary_.clear();
  fail(file_, std::string("cannot be written: ") + std::strerror(errno) + ".");
}

void VectorWriter::write(const Case& c) {
  append_case(pending_, c, shape_);
  pending_ += '\n';
  ++cases_;
  if (pending_.size() < chunk) return;
  sink_(pending_, false);
  pending_.clear();
}

void VectorWriter::finish() {
  if (promised_ && *promised_ != cases_) {
    fail(file_, "was not written: its header promises " + std::to_string(*promised_) + " cases, but " +
                    std::to_string(cases_) + " came.");
  }
  sink_(pending_, true);
  pending_.clear();
  close_file();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail(file_, std::string("cannot be put in place: ") + std::strerror(errno) + ".");
  }
  temporary_.clear();
}

// Some file systems say only now that the disk is full.
void VectorWriter::close_file() {
  if (descriptor_ <= STDOUT_FILENO) return;
  const int status = ::close(descriptor_);
  descriptor_ = -1;
  if (status != 0) fail(file_, std::string("cannot be written: ") + std::strerror(errno) + ".");
}

}  // namespace assay
