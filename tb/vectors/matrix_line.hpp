// A whole-matrix case, D = A x B + C, as one line of JSON, both ways; and as its elements, each of them a dot product
// that any device takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/matmul.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {

struct MatrixCase {
  Matrices operands;
  std::optional<std::vector<Code>> d;
  std::string extra;  // as in Case

  int elements() const { return operands.m * operands.n; }
};

// Throws ScanError.
MatrixCase read_matrix_case(std::string_view line, const CaseShape& shape);

// Without the newline.
void append_matrix_case(std::string& out, const MatrixCase& matrix, const CaseShape& shape);

// Element `index`, row by row, as a case of as many terms as the matrix has along K. `into` keeps its memory.
void take_apart(const MatrixCase& matrix, const CaseShape& shape, int index, Case& into);

// The other way: takes the elements one after another, row by row. True with the last one: `into` is whole.
bool put_together(const Case& element, const CaseShape& shape, MatrixCase& into);

}  // namespace assay
