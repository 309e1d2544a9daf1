// The matrices of one product, who multiplies them, and what they make of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/matmul.hpp"
#include "tb/devices/device.hpp"
#include "tb/generate/generator.hpp"
#include "tb/subject/subject.hpp"

namespace assay::gemm {

struct Extents {
  int m = 0, n = 0, k = 0;
};

struct Types {
  std::string a, b, d;  // d's is c's, too
};

struct GemmProblem {
  std::string operands;           // where they come from: "family gaussian, seed 1"
  std::vector<Subject> subjects;  // two or more, of the same formats; k of each divides K
  Matrices matrices;
};

// The sums' usual format: f32, and what holds everything where that is another one.
std::string usual_d(const Format& a);
// The family of cases that a product's operands usually come from.
std::string usual_family(const Plan& plan);

// Whom each name stands for: a datapath file, an instruction, or of an architecture's instructions of these types one
// on each datapath. Throws Error.
std::vector<Subject> subjects_of(const std::vector<std::string>& names, const Types& types, int k,
                                 const Catalogue& catalogue);

// That all take the same matrices; else a Error.
void check(const std::vector<Subject>& subjects, const Extents& extents);

// Rows of A, and columns of B, are the operands of cases that have nothing to do with each other; C is zero.
Matrices generated(const Plan& plan, const Extents& extents, const Generator& generator);

struct FileOperands {
  Types types;
  Matrices matrices;
};

// The first case of a vector file; nothing where that is no whole matrix. Throws Error and Error.
std::optional<FileOperands> from_file(const std::string& file, const Catalogue& catalogue);

struct GemmProduct {
  std::vector<Code> d;
  std::string path;  // of model/fast: what ran it
};
GemmProduct product(const Plan& plan, const Matrices& matrices, int threads);

// Element (row, column) as one dot product along all of K.
Case element_of(const Plan& plan, const Matrices& matrices, int row, int column);

}  // namespace assay::gemm
