// Whether results are worth anything: a set that is mostly zero or NaN agrees with much.
#pragma once

#include <string>

#include "model/core/plan.hpp"

namespace assay {

class Tally {
 public:
  explicit Tally(const Plan& plan) : plan_(&plan) {}
  void see(Code d);
  // A sentence where more than nine in ten results are zero or NaN, else empty.
  std::string warning() const;

 private:
  const Plan* plan_;
  std::uint64_t results_ = 0, zeros_ = 0, nans_ = 0;
};

}  // namespace assay
