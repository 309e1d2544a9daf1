// The matrices of one product, and who multiplies them: `assay compare --gemm`.
#pragma once

#include <string>
#include <vector>

#include "model/core/matmul.hpp"
#include "sim/cli/subject.hpp"
#include "tb/devices/device.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace assay {

struct GemmOptions {
  std::string gemm;     // "256x256x1024", or a vector file whose first case is a whole matrix
  std::string formats;  // "f16", "e4m3,e5m2", "f16,f16,f16": of A, B and D
  std::vector<std::string> architectures;
  int threads = 1;

  CLI::Option* add(CLI::App& command);
};

struct GemmProblem {
  std::string operands;           // where they come from: "family gaussian, seed 1"
  std::vector<Subject> subjects;  // two or more, of the same formats; k of each divides K
  Matrices matrices;
};

// Throws ConfigError where they do not go together, and VectorError.
GemmProblem gemm_problem(const GemmOptions& options, std::uint64_t seed, const std::string& family,
                         const Catalogue& catalogue);

// D, by model/fast. `path` becomes the name of what ran it.
std::vector<Code> gemm_product(const Plan& plan, const Matrices& matrices, int threads, std::string& path);

// Element (row, column) as one dot product along all of K.
Case gemm_element(const Plan& plan, const Matrices& matrices, int row, int column);

}  // namespace assay
