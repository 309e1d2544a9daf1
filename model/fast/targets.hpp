// The instruction sets that the kernels are compiled for and this machine has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

// As Highway numbers them, the best first.
std::vector<std::int64_t> kernel_targets();

// "AVX-512", "AVX2", "NEON" or "baseline".
std::string kernel_target_name(std::int64_t target);

}  // namespace assay
