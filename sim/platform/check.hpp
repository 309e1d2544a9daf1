// Cases through the platform, held to the core: d and every bundle that the analysis ports publish.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/tlm/mma_target.hpp"

namespace assay {

struct CheckOptions {
  std::string file;         // of vectors; or generated cases for one of these two:
  std::string instruction;  // "architecture:instruction"
  std::string datapath;     // a file
  std::uint64_t cases = 1000;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> only;  // the number of one case
  std::string wave;                   // a VCD file; empty: none
  bool json = false;
  bus::UnitOptions unit;
  int quantum_ns = 0;
};

// The exit status of the program. Throws Error or ScanError.
int check(const CheckOptions& options);

}  // namespace assay
