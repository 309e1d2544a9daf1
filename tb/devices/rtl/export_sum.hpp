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

// With its probes, in the order of their places.
Wire wire_sum(Sheet& sheet, Stages& stages, const SumNames& names, const AdderPlan& adder,
              const std::vector<SumEntry>& entries, const std::optional<ScalePair>& scales);

}  // namespace assay
