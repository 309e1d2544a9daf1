// Writing a vector file. It appears under its name when it is whole, and not before.
#pragma once

#include <string>

#include "tb/vectors/bytes.hpp"
#include "tb/vectors/case_line.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

class VectorWriter {
 public:
  // Opens a temporary file beside `path` and writes the header. Names ending in .gz and .zst are compressed. "-" is
  // standard output; it and whatever is no regular file (a pipe, a device) are written in place. Throws VectorError.
  VectorWriter(const std::string& path, const VectorHeader& header, const CaseShape& shape);

  // Takes the temporary file away again where finish() was not reached.
  ~VectorWriter();
  VectorWriter(const VectorWriter&) = delete;
  VectorWriter& operator=(const VectorWriter&) = delete;

  void write(const Case& c);

  // Everything written, the file closed and under its name. Throws VectorError.
  void finish();

 private:
  void open(const std::string& path);
  void close_file();

  std::string file_;       // as messages name it
  std::string path_;       // what stands there at the end ...
  std::string temporary_;  // ... and until then; empty where written in place
  int descriptor_ = -1;
  ByteSink sink_;
  CaseShape shape_;
  std::optional<std::uint64_t> promised_;
  std::uint64_t cases_ = 0;
  std::string pending_;
};

}  // namespace assay
