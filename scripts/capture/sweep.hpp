// Sweeps: the GPU makes random operands, executes the instruction on them, computes the model's d beside it, and says
// where the two differ. Thousands of millions of cases take seconds, since nothing but differences leaves the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scripts/capture/sweep_plan.hpp"
#include "scripts/capture/unit.hpp"

namespace assay::capture {

struct SweepTask {
  std::string instruction;
  Every every = Every::none;
  std::uint64_t seed = 1;
  std::uint64_t cases = 0;  // at least so many; of every code, all however many that are
  double seconds = 0;       // ends sooner where these are over; 0: does not
  std::uint64_t elements_a_launch = std::uint64_t{1} << 23;
};

struct Swept {
  std::uint64_t cases = 0, differing = 0;
  double seconds = 0;
  std::vector<std::string> lines;  // cases that differ, with the instruction's d, as a vector file has them
};

// Whether every code of these formats can be swept so.
bool fits(const layout::NamedShape& shape, Every every);

// Throws Error.
Swept sweep(Accelerator& accelerator, const SweepTask& task);

}  // namespace assay::capture
