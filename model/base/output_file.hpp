// A file that appears under its name when it is whole, and not before.
#pragma once

#include <sys/stat.h>

#include <string>

#include "model/base/leftover.hpp"

namespace assay {

// The temporary name under which `path` is written until it is whole. Each process and attempt has its own, so that a
// file which an earlier one left behind is not in the way.
std::string part_name(const std::string& path, int attempt);
inline constexpr int most_attempts = 1000;

// What the symbolic links at `path` lead to, whether anything is there or not: that is replaced, and not the link.
std::string without_links(const std::string& path);

class OutputFile {
 public:
  // Opens a temporary file beside `path`, with the mode of the file that it will replace. "-" is standard output; it
  // and whatever is no regular file (a pipe, a device, /dev/stdout) are written in place. Throws Error.
  explicit OutputFile(const std::string& path);

  // Takes the temporary file away again where finish() was not reached.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }  // as messages say it

  // Closed and under its name. Throws Error.
  void finish();

 private:
  void open(const std::string& path);
  void open_beside(const struct stat* replaced);
  void close_file();

  std::string name_;
  std::string path_;       // what stands there at the end ...
  std::string temporary_;  // ... and until then; empty where written in place
  Leftover leftover_;
  int descriptor_ = -1;
};

void write_whole_file(const std::string& path, const std::string& text);

}  // namespace assay
