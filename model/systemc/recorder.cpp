#include "model/systemc/recorder.hpp"

#include <algorithm>

namespace assay::systemc {

Trace Recorder::take(std::uint64_t number) {
  auto written = std::move(cases_[number]);
  cases_.erase(number);
  std::sort(written.begin(), written.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  Trace trace(plan_);
  trace.begin();
  for (const auto& [place, write] : written) write(trace);
  assert(trace.complete());
  return trace;
}

}  // namespace assay::systemc
