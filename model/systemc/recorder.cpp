#include "model/systemc/recorder.hpp"

#include <algorithm>

namespace assay::systemc {

Recorded Recorder::take(std::uint64_t number) {
  std::vector<Entry> written = std::move(cases_[number]);
  cases_.erase(number);
  std::sort(written.begin(), written.end(),
            [](const Entry& x, const Entry& y) { return x.first_place < y.first_place; });
  Recorded recorded{Trace(plan_), {}};
  recorded.trace.begin();
  for (const Entry& entry : written) {
    entry.writer(recorded.trace);
    recorded.times.resize(recorded.trace.written(), entry.time);
  }
  assert(recorded.trace.complete());
  return recorded;
}

}  // namespace assay::systemc
