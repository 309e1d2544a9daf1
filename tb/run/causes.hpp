// Which of the changes that explain failures gives a certain one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tb/run/wider.hpp"
#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

class Causes {
 public:
  Causes() = default;
  // `same` is the rule for NaN; `of_device`: it is the device that is explained, not the reference.
  Causes(const Plan& plan, Nearest::Same same, bool of_device, const NearbyChanges& found,
         const WiderExplanation& wide);

  bool any() const { return !all_.empty() || !changes_.empty(); }
  // "adders.sum.add.product.keep were 24 (it is 25)"; empty where none gives just this d.
  std::string of(const Failure& failure) const;

 private:
  Nearest::Same same_;
  bool of_device_ = true;
  std::string all_;                                    // a change that gives every failure
  std::vector<std::pair<std::string, Plan>> changes_;  // the best first
};

}  // namespace assay
