// What would explain a device's failures: the datapath with one of its words changed by one step.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

struct NearbyChange {
  std::string change;         // "adders.sum.add.product.keep were 24 (it is 25)"
  std::size_t explained = 0;  // kept failures that the changed datapath computes as the device did
};

// Collects a device's results and looks for datapaths that have them.
class Nearest {
 public:
  explicit Nearest(const Plan& plan) : plan_(&plan) {}

  // `right`: the device gave what the reference did. The first few hundred of either kind are kept.
  void see(const Case& given, Code d, bool right);

  std::size_t failures() const { return wrong_.size(); }

  // Each agrees with every kept result that was right. The first explains the most failures, each further one some that
  // those before it do not. Empty: no one-step change explains any.
  std::vector<NearbyChange> find() const;

 private:
  struct Result {
    Case given;
    Code d = 0;
  };

  const Plan* plan_;
  std::vector<Result> right_, wrong_;
};

}  // namespace assay
