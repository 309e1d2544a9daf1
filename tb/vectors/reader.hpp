// Reading a vector file, a case at a time.
#pragma once

#include <string>
#include <vector>

#include "tb/vectors/bytes.hpp"
#include "tb/vectors/header.hpp"
#include "tb/vectors/lines.hpp"
#include "tb/vectors/matrix_line.hpp"

namespace assay {

class VectorReader {
 public:
  // Opens the file ("-": standard input; .gz and .zst are undone) and reads its header. Throws Error.
  explicit VectorReader(const std::string& path);

  // The same of bytes from elsewhere, unpacked; `file` names them in messages.
  VectorReader(std::string file, ByteSource source);

  const VectorHeader& header() const { return header_; }

  // The next case into `into`, which keeps its memory; false at the end, where the header's count is checked. A case's
  // number is its place in the file, from 0. A whole-matrix case comes element by element, row by row, all of one
  // number. Throws Error.
  bool next(const CaseShape& shape, Case& into);

  // Up to `most` further cases into `into`, which keeps its memory; false where there was none left.
  bool next(const CaseShape& shape, std::size_t most, std::vector<Case>& into);

  std::uint64_t line() const { return line_; }  // of the case read last, from 1
  const std::string& file() const { return file_; }

 private:
  bool next_line_with_case(const CaseShape& shape, std::string_view& line);
  void read(std::string_view line, const CaseShape& shape, Case& into);
  bool next_line(std::size_t longest, std::string_view& line);
  [[noreturn]] void fail(const std::string& sentence) const;

  std::string file_;  // as messages name it
  ByteSource source_;
  LineBuffer lines_;
  bool ended_ = false;
  std::uint64_t line_ = 0;
  std::uint64_t cases_ = 0;
  VectorHeader header_;
  MatrixCase matrix_;  // the one being taken apart ...
  int element_ = 0;    // ... and its next element
};

}  // namespace assay
