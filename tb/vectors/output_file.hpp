// A file that appears under its name when it is whole, and not before.
#pragma once

#include <string>

#include "tb/vectors/bytes.hpp"

namespace assay {

// Where something of this name is written until it is whole: a name of its own for each process and attempt, so that an
// earlier one's remains stand in nobody's way.
std::string part_name(const std::string& path, int attempt);
inline constexpr int most_attempts = 1000;

class OutputFile {
 public:
  // Opens a temporary file beside `path`. "-" is standard output; it and whatever is no regular file (a pipe, a device)
  // are written in place. Throws VectorError.
  explicit OutputFile(const std::string& path);

  // Takes the temporary file away again where finish() was not reached.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }  // as messages say it

  // Closed and under its name. Throws VectorError.
  void finish();

 private:
  void open(const std::string& path);
  void close_file();

  std::string name_;
  std::string path_;       // what stands there at the end ...
  std::string temporary_;  // ... and until then; empty where written in place
  int descriptor_ = -1;
};

void write_whole_file(const std::string& path, const std::string& text);

}  // namespace assay
