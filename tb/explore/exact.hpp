// Every element of a product exactly: c + sum of a x b (x scales), without a bit lost before the end.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tb/explore/workload.hpp"

namespace assay {

struct ExactProduct {
  // The sum is head + tail, with all the bits a double can have in either: head is the nearest double, tail that of
  // what is left. So (d - head) - tail is the error of a d to within a few units in the last place of a double.
  std::vector<double> head, tail;
  std::map<std::string, std::vector<Code>> rounded;  // by the name of a format: to nearest, ties to even

  double error(std::size_t element, double d) const { return (d - head[element]) - tail[element]; }
};

// `results` are the formats to round to. About a nanosecond a product where the values of each matrix lie within 62
// bits of each other and the sums within 126; else in a register that holds them all.
ExactProduct exact_product(const Workload& workload, const OperandFormats& formats, const std::vector<Format>& results);

// The same sums of the reals themselves, before anything was rounded to a format; `rounded` is empty. c counts
// `times_c` times: a product that lacks the scales of its tensors has c in units of theirs.
ExactProduct exact_product(const Reals& reals, double times_c);

}  // namespace assay
