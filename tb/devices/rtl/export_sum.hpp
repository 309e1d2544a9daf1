// The wiring of one sum of a circuit: term, window, align, reduce, then what its adder's results make of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/devices/rtl/export_stages.hpp"

namespace assay {

// Numbers of one shape that enter a sum one after the other, with the words of one input.
struct SumEntry {
  Wire numbers;
  const Input* words;
};

struct SumNames {
  std::string place;  // step[0].pairs[1]
  std::string cut;    // of its registers, which sums side by side share: step[0].pairs
};

// What a sum is multiplied by: the pair of its block, then scales of one side in turn.
struct SumScales {
  std::optional<ScalePair> pair;
  std::vector<Wire> sides;
};

// With its probes, in the order of their places. `random`: a word for each of its stochastic results.
Wire wire_sum(Sheet& sheet, Stages& stages, const SumNames& names, const AdderPlan& adder,
              const std::vector<SumEntry>& entries, const SumScales& scales, const std::vector<BitRange>& random);

}  // namespace assay
