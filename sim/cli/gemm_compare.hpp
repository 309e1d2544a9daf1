// assay compare --gemm: one matrix product on several architectures.
#pragma once

#include "sim/cli/command.hpp"
#include "sim/cli/gemm_operands.hpp"

namespace assay {

struct GemmCompareOptions {
  GemmOptions problem;
  std::uint64_t seed = 1;
  std::string family;
  bool json = false;
  std::string html;  // a file for the page, or empty
};

int compare_gemm(const GemmCompareOptions& options, const Console& console);

}  // namespace assay
