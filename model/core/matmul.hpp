// D = A x B + C by dot products: M x N of them, and along K one instruction after the other.
//
// What a case brings besides goes along: of side a a row of codes for each row of A, of side b a column for each column
// of B, of random words a row for each element of D. Each instruction along K has its own.
#pragma once

#include <string>
#include <vector>

#include "model/core/dot.hpp"

namespace assay {

// Row-major codes; scales a row for each row of A, a column for each of B: plan.scales for each instruction along K.
struct Matrices {
  int m = 0, n = 0, k = 0;
  std::vector<Code> a;                       // m x k
  std::vector<Code> b;                       // k x n
  std::vector<Code> c;                       // m x n
  std::vector<Code> scale_a;                 // m x (k / plan.k x plan.scales)
  std::vector<Code> scale_b;                 // (k / plan.k x plan.scales) x n
  std::vector<std::vector<Code>> more = {};  // of each of plan.more, as `matrix_size` has it
};

// What of a product an operand of plan.more belongs to.
enum class Owner { row, column, element };  // of A, of B, of D

Owner owner_of(const CaseOperand& operand);

struct MatrixSize {
  int rows = 0, columns = 0;

  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }
};

// Of the matrix of an operand with `codes` for each owner: as many as all instructions along K take.
MatrixSize matrix_size(Owner owner, int m, int n, int codes);

// Where in that matrix the code `index` of element (row, column) stands.
struct MatrixPlace {
  int row = 0, column = 0;
};
MatrixPlace matrix_place(Owner owner, const MatrixPlace& element, int n, int index);

// The same, counted row by row.
std::size_t code_place(Owner owner, const MatrixPlace& element, int n, int codes, int index);

// What instruction `step` of element (row, column) takes of plan.more, one list after the other.
std::vector<Code> more_of(const Plan& plan, const Matrices& matrices, const MatrixPlace& element, int step);

// Empty where dot products of `plan` make up a product of m x k and k x n; else a sentence that says what does not fit.
std::string shape_problem(const Plan& plan, int m, int n, int k);

// Empty where `matmul` can run; else such a sentence.
std::string matmul_problem(const Plan& plan, const Matrices& matrices);

// The m x n codes of D. Where k is several times the instruction's, each instruction's d is the next one's c.
std::vector<Code> matmul(const Plan& plan, const Matrices& matrices);

}  // namespace assay
