#include "tb/run/ahead.hpp"

#include <utility>

namespace assay {

Ahead::Ahead(CaseSource& source, Device& reference, bool trace, int threads)
    : source_(source),
      reference_(reference),
      trace_(trace),
      threaded_(threads > 1),
      depth_(reference.may_be_shared() ? static_cast<std::size_t>(threads) : 1) {}

void Ahead::begin_another() {
  CaseMaker make = source_.next_later();
  ended_ = !make;
  if (ended_) return;
  const auto how = threaded_ ? std::launch::async | std::launch::deferred : std::launch::deferred;
  begun_.push_back(std::async(how, [make = std::move(make), read = source_.read(), this] {
    AnsweredBatch batch{make(), {}, read};
    batch.expected = reference_.run(batch.cases, trace_);
    return batch;
  }));
}

std::optional<AnsweredBatch> Ahead::next() {
  while (!ended_ && begun_.size() < depth_) begin_another();
  if (begun_.empty()) return std::nullopt;
  AnsweredBatch batch = begun_.front().get();
  begun_.pop_front();
  if (threaded_ && !ended_) begin_another();
  return batch;
}

}  // namespace assay
