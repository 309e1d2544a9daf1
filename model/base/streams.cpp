#include "model/base/streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "model/base/descriptor.hpp"
#include "model/base/error.hpp"

namespace assay {
namespace {

[[noreturn]] void cannot_be(const char* done, const std::string& file, int error) {
  throw Error{file + " cannot be " + done + ": " + reason_of(error) + "."};
}

}  // namespace

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

ByteSource open_plain_source(const std::string& path, std::uint64_t offset) {
  const std::string file = source_name(path);
  const auto opened =
      std::make_shared<Descriptor>(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened->number() < 0) cannot_be("opened", file, errno);
  if (offset > 0 && lseek(opened->number(), static_cast<off_t>(offset), SEEK_SET) < 0) cannot_be("read", file, errno);
  return [opened, file](char* into, std::size_t size) {
    const ssize_t n = read_some(opened->number(), into, size);
    if (n < 0) cannot_be("read", file, errno);
    return static_cast<std::size_t>(n);
  };
}

ByteSink descriptor_sink(int descriptor, const std::string& path) {
  return [descriptor, path](std::string_view bytes, bool) {
    if (write_fully(descriptor, bytes)) return;
    const bool reader_gone = errno == EPIPE && descriptor == STDOUT_FILENO;
    throw Error{path + " cannot be written: " + reason_of(errno) + ".",
                reader_gone ? Ending::reader_gone : Ending::wrong_use};
  };
}

}  // namespace assay
