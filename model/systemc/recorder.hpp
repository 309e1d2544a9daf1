// Collects what the modules publish about a case, and writes it down as the Trace that the core would have left, with
// the times at which it did.
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/core/trace.hpp"

namespace assay::systemc {

struct Recorded {
  Trace trace;
  std::vector<sc_core::sc_time> times;  // of each place
};

class Recorder {
 public:
  // Puts the bits of one or more places into a Trace, the first of which is named beside it.
  using Writer = std::function<void(TraceWriter&)>;

  explicit Recorder(const Plan& plan) : plan_(plan) {}

  void publish(std::uint64_t number, int first_place, Writer writer) {
    cases_[number].push_back({first_place, sc_core::sc_time_stamp(), std::move(writer)});
  }

  // Once the last module has published.
  Recorded take(std::uint64_t number);

  // Forgets the cases that a reset cut short.
  void clear() { cases_.clear(); }

 private:
  struct Entry {
    int first_place = 0;
    sc_core::sc_time time;
    Writer writer;
  };

  const Plan& plan_;
  std::unordered_map<std::uint64_t, std::vector<Entry>> cases_;
};

}  // namespace assay::systemc
