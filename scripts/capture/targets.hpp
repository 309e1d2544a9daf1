// scripts/capture/targets.txt: which instructions are captured on which machine.
#pragma once

#include <string>
#include <vector>

#include "model/base/error.hpp"

namespace assay::capture {

struct Target {
  std::string name;          // sm_90a, gfx942: as the toolkit calls it
  std::string architecture;  // as vector files call it
  std::string toolkit;       // cuda or hip
  std::vector<std::string> runs_on;
  std::vector<std::string> instructions;
};

std::vector<Target> read_targets(const std::string& file);

// Where the name of an instruction leaves n open, captures take this one.
inline constexpr int open_n = 64;

}  // namespace assay::capture
