// Bytes as a file that needs no disk, and what a target says where the code breaks its word.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace assay {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    const ssize_t n = write(descriptor_, bytes.data(), bytes.size());
    if (n != static_cast<ssize_t>(bytes.size())) std::abort();
    lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

inline void demand(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", sentence);
  std::abort();
}

}  // namespace assay
