// What one point gave on one seed of an input and a shape, and what all seeds say together.
#pragma once

#include <vector>

#include "tb/explore/exact.hpp"
#include "tb/explore/machine.hpp"

namespace assay {

struct Sample {
  double normwise = 0, elementwise = 0, greatest = 0, bias = 0, shrink = 0, value = 0;  // as in Measures
  double quantisation = 0, total = 0;
  std::uint64_t correct = 0, results = 0, special = 0;  // elements
  std::uint64_t swamped = 0, products = 0;              // of those looked at
  Histogram histogram{};
};

// What a D is held against.
struct Right {
  ExactProduct exact;       // of the operands as rounded, without the scales of whole tensors
  ExactProduct of_reals;    // of the reals that they were rounded from
  double tensor_scale = 1;  // what `exact` lacks
};
Right right_of(const Reals& reals, const Workload& workload, const OperandFormats& formats,
               const std::vector<Format>& results);

// What an input of one seed and shape is to plans with the same operands.
struct Prepared {
  Workload workload;
  Right right;
};
Prepared prepared_for(const Reals& reals, const OperandFormats& formats, const std::vector<Format>& results);

// Those in which the results of machines with these operands (OperandFormats::key) are measured.
std::vector<Format> results_for(const Machines& machines, const std::string& key);

// `codes` are in `result`, one of the formats that `right` was rounded to.
Sample sample_of(const std::vector<Code>& codes, const Right& right, const Format& result);

// Counts the swamped ones among some 512 products, of instructions along K of one element of D, drawn by `key`, or of
// several where K is less. A product is swamped where the adder it enters is given zero in its place.
void count_swamped(const Machine& machine, const Workload& workload, const RealsKey& key, Sample& sample);

Measures measures_of(const std::vector<Sample>& seeds);

// The mean and its 95 % confidence interval by Student's t; infinite throughout where any value is.
Estimate estimate_of(const std::vector<double>& values);

}  // namespace assay
