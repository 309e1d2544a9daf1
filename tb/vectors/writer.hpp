// Writing a vector file. It appears under its name when it is whole, and not before.
#pragma once

#include <string>

#include "model/base/output_file.hpp"
#include "tb/vectors/bytes.hpp"
#include "tb/vectors/case_writer.hpp"
#include "tb/vectors/header.hpp"
#include "tb/vectors/matrix_line.hpp"

namespace assay {

class VectorWriter : public CaseWriter {
 public:
  // Opens the file, as OutputFile does, and writes the header. Names ending in .gz and .zst are compressed. Throws
  // Error.
  VectorWriter(const std::string& path, const VectorHeader& header, const CaseShape& shape);

  // The elements of a matrix come one after another, row by row, and are written as one case.
  void write(const Case& c) override;
  std::optional<std::string> text_of(const std::vector<Case>& cases) const override;
  void write_text(std::string_view text, std::size_t cases) override;
  void finish() override;

 private:
  void give_on();

  OutputFile file_;
  ByteSink sink_;
  CaseShape shape_;
  MatrixCase matrix_;  // as much of it as has come
  std::optional<std::uint64_t> promised_;
  std::uint64_t cases_ = 0;
  std::string pending_;
};

}  // namespace assay
