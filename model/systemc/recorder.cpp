#include "model/systemc/recorder.hpp"

#include <algorithm>

namespace assay::systemc {

Recorded Recorder::take(std::uint64_t number) {
  std::vector<Entry> written = std::move(cases_[number]);
  cases_.erase(number);
  std::sort(written.begin(), written.end(),
            [](const Entry& x, const Entry& y) { return x.first_place < y.first_place; });
  Recorded recorded{Trace(plan_), {}};
  for (std::size_t i = 0; i < written.size(); ++i) {
    TraceWriter writer(recorded.trace, written[i].first_place);
    written[i].writer(writer);
    const bool last = i + 1 == written.size();
    const std::size_t end = last ? plan_.places.size() : static_cast<std::size_t>(written[i + 1].first_place);
    recorded.times.resize(end, written[i].time);
  }
  return recorded;
}

}  // namespace assay::systemc
