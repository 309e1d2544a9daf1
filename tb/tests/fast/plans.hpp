// The plans that the fast path is held to core on, and the instruction sets it can run on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

// One plan for each choice of datapath, operands and k that some instruction makes, and one for each datapath that
// stands by itself.
const std::vector<Plan>& shipped_plans();

// How many random own datapaths are tried: fewer with assertions and sanitizers.
#ifdef NDEBUG
inline constexpr int own_datapaths = 500;
#else
inline constexpr int own_datapaths = 50;
#endif

// Each shipped datapath on its first operands, with one word changed by one step, for every word: those of them that
// can be planned; with assertions one in ten.
const std::vector<Plan>& changed_plans();

// Random own datapath `number`, the first drawn that can be planned; with assertions one in ten.
Plan own_plan(std::uint64_t number);

std::string plan_text(const Plan& plan);

// For as long as it lives, kernels use this one of hwy::SupportedAndGeneratedTargets().
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target);
  ~OnlyTarget();
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;
};

// Those this machine has and the kernels were compiled for.
std::vector<std::int64_t> targets();

}  // namespace assay
