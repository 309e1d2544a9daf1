// assay compare --gemm: one matrix product on several architectures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "tb/gemm/operands.hpp"

namespace CLI {
class Option;
}

namespace assay {

struct GemmOptions {
  std::string gemm;     // "256x256x1024", or a vector file whose first case is a whole matrix
  std::string formats;  // "f16", "e4m3,e5m2", "f16,f16,f16": of A, B and D
  std::vector<std::string> architectures;

  CommandOption add(Command command);
};

// "256x256x1024"; nothing where it is no such text. Throws Error where a matrix would be too large.
std::optional<gemm::Extents> extents_of(const std::string& text);

// Throws Error where they do not go together, and Error.
gemm::GemmProblem gemm_problem(const GemmOptions& options, std::uint64_t seed, const std::string& family,
                               const Catalogue& catalogue);

struct GemmCompareOptions {
  GemmOptions problem;
  std::uint64_t seed = 1;
  std::string family;
  bool seed_given = false;
  bool json = false;
  std::string html;  // a file for the page, or empty
  int threads = 1;
};

int compare_gemm(const GemmCompareOptions& options, const Console& console);

}  // namespace assay
