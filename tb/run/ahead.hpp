// Batches of cases with the reference's answers, made while the device is at work on those before them. They come in
// the order of the run, whoever made them: what the device is given, and when, does not change.
#pragma once

#include <deque>
#include <future>
#include <optional>
#include <vector>

#include "tb/run/case_source.hpp"

namespace assay {

struct AnsweredBatch {
  std::vector<Case> cases;
  std::vector<Answer> expected;
  std::uint64_t read = 0;  // by the source, with these
};

class Ahead {
 public:
  // With one thread nothing is made before it is asked for. A reference that several threads may ask at once is asked
  // by so many; any other by one.
  Ahead(CaseSource& source, Device& reference, bool trace, int threads);

  // The next batch; nothing where there was none left. Throws what the source throws.
  std::optional<AnsweredBatch> next();

 private:
  void begin_another();

  CaseSource& source_;
  Device& reference_;
  bool trace_;
  bool threaded_;
  std::size_t depth_;  // batches that are being made
  bool ended_ = false;
  std::deque<std::future<AnsweredBatch>> begun_;
};

}  // namespace assay
