// What a step adds up before its one rounding, where nothing is lost on the way there.
#pragma once

#include <optional>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

// A product, or what was accumulated, and all that multiplies it between there and the rounding.
struct ScaledItem {
  int index = 0;            // in k; -1: what was accumulated
  std::vector<int> scales;  // of Plan::more, ascending; -1: the pair of its block

  bool operator==(const ScaledItem& o) const { return index == o.index && scales == o.scales; }
};

// Of each step of each lane, ascending; nothing where a sum before the last one rounds, or anything is cut off before.
//
//   p0 p1   p2 p3
//    \ /     \ /             p0 x s0 x t
//    x s0    x s1            p1 x s0 x t
//      \     /       ==      p2 x s1 x t
//       \   /                p3 x s1 x t
//        x t
std::optional<std::vector<std::vector<ScaledItem>>> exact_steps(const Plan& plan);

}  // namespace assay
