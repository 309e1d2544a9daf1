#include "tb/probe/asker.hpp"

#include <algorithm>

namespace assay::probe {

std::vector<Code> Asker::codes(const std::vector<Case>& cases) {
  constexpr std::size_t batch = 1024;
  std::vector<Code> results;
  for (std::size_t first = 0; first < cases.size(); first += batch) {
    const auto begin = cases.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<Case> some(begin, begin + static_cast<std::ptrdiff_t>(std::min(batch, cases.size() - first)));
    for (Case& c : some) c.number = asked_++;
    for (const Answer& answer : device_->run(some, false)) {
      if (!answer.ok()) throw Error{device_->name() + " gave no d to a question: " + answer.error, Ending::mismatch};
      results.push_back(answer.d);
    }
  }
  return results;
}

std::vector<exact::Datum> Asker::numbers(const std::vector<Case>& cases) {
  std::vector<exact::Datum> results;
  for (const Code code : codes(cases)) results.push_back(exact::decode(plan_->d, code));
  return results;
}

}  // namespace assay::probe
