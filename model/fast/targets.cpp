#include "model/fast/targets.hpp"

#include <hwy/targets.h>

namespace assay {

std::vector<std::int64_t> kernel_targets() { return hwy::SupportedAndGeneratedTargets(); }

std::string kernel_target_name(std::int64_t target) {
  return target == HWY_AVX3 ? "AVX-512" : target == HWY_AVX2 ? "AVX2" : target == HWY_NEON ? "NEON" : "baseline";
}

}  // namespace assay
