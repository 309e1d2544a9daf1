// Datapaths for the tests, between them every word of the vocabulary.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay::testing {

struct Example {
  std::string name;
  Datapath datapath;
  int k = 0;
};

// wgmma.m64nNk16.f32.f16.f16: one fused sum of 16 products and c, 25 fraction bits kept.
Datapath fused_f25();

const std::vector<Example>& examples();
const Example& example(const std::string& name);

// The Plan, which these datapaths all have.
Plan planned(const Datapath& datapath, int k);

}  // namespace assay::testing
