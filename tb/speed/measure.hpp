// Multiply-accumulates a second of an instruction's datapath, beside what the same core does in single precision.
#pragma once

#include <string>
#include <vector>

#include "model/config/catalogue.hpp"
#include "tb/speed/sgemm.hpp"

namespace assay::speed {

constexpr int core_size = 64;  // of a matrix that core multiplies in less than a tenth of a second

struct SpeedEffort {
  int size = 512;        // rows, columns and, as far as an instruction allows, K
  int threads = 1;       // measured as well, where they are more
  double seconds = 0.2;  // that each instruction is measured at least
};

// Multiply-accumulates a second, the best seen; 0: not measured.
struct Rates {
  double core = 0, fast = 0, sgemm = 0;
  double threaded = 0, walled = 0;  // by the clock on the wall: several threads, and one
};

struct SpeedRow {
  const Instruction* instruction = nullptr;
  std::string path;
  int size = 0;
  double memory = 0;  // with what the fast path allocates, as a multiple of the matrices
  Rates rates;
};

// For each datapath and size of operands in memory the first instruction that has them.
std::vector<const Instruction*> one_of_each_form(const Catalogue& catalogue);

// `sgemm` may be nullptr.
SpeedRow measured(const Catalogue& catalogue, const Instruction& instruction, const SpeedEffort& effort, Sgemm* sgemm);

}  // namespace assay::speed
