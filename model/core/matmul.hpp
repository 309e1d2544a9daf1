// D = A x B + C by dot products: M x N of them, and along K one instruction after the other.
#pragma once

#include <string>
#include <vector>

#include "model/core/dot.hpp"

namespace assay {

// Row-major codes; scales a row for each row of A, a column for each of B: plan.scales for each instruction along K.
struct Matrices {
  int m = 0, n = 0, k = 0;
  std::vector<Code> a;        // m x k
  std::vector<Code> b;        // k x n
  std::vector<Code> c;        // m x n
  std::vector<Code> scale_a;  // m x (k / plan.k x plan.scales)
  std::vector<Code> scale_b;  // (k / plan.k x plan.scales) x n
};

// Empty where dot products of `plan` make up a product of m x k and k x n; else a sentence that says what does not fit.
std::string shape_problem(const Plan& plan, int m, int n, int k);

// Empty where `matmul` can run; else such a sentence.
std::string matmul_problem(const Plan& plan, const Matrices& matrices);

// The m x n codes of D. Where k is several times the instruction's, each instruction's d is the next one's c.
std::vector<Code> matmul(const Plan& plan, const Matrices& matrices);

}  // namespace assay
