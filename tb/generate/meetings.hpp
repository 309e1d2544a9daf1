// Where two products first meet on their way to d.
#pragma once

#include <vector>

#include "model/core/plan.hpp"

namespace assay {

enum class Meeting {
  group,   // in one sum of the first adder that takes products
  groups,  // in one step, but from two of those sums
  steps,   // in one lane, but from two steps
  lanes,   // in the finish
};
inline constexpr int meetings = 4;

class Meetings {
 public:
  explicit Meetings(const Plan& plan);

  Meeting of(int i, int j) const;   // indices in k
  bool any(Meeting meeting) const;  // whether some two products meet there
  int step(int i) const { return at_[static_cast<std::size_t>(i)].step; }
  int lane(int i) const { return at_[static_cast<std::size_t>(i)].lane; }

 private:
  struct At {
    int lane, step, group;
  };
  std::vector<At> at_;  // of each index in k
};

}  // namespace assay
