// Cases held against what is promised of a plan.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tb/guarantee/measure.hpp"

namespace assay {

// Of one operation or chain, against both references, for any signs and for terms that are not below zero.
std::vector<guarantee::Promise> promises_of(const Plan& plan, const guarantee::Chain& chain);

class Holding {
 public:
  Holding(const Plan& plan, std::vector<guarantee::Promise> promises);
  Holding(const Plan& plan, const guarantee::Chain& chain);

  // Whether every promise that speaks of the case holds.
  ::testing::AssertionResult hold(const Case& one);

  long cases = 0, compared = 0;

 private:
  ::testing::AssertionResult hold(const guarantee::Promise& promise, const guarantee::Measured& m,
                                  const Case& one) const;

  const Plan& plan_;
  guarantee::Chain chain_;
  std::vector<guarantee::Promise> promises_;
  bool unseen_;
  Registers registers_;
};

}  // namespace assay
