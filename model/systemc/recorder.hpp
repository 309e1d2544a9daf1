// Collects what the modules publish about a case, and writes it down as the Trace that the core would have left.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/core/trace.hpp"

namespace assay::systemc {

class Recorder {
 public:
  // Puts the bits of one or more places into a Trace, the first of which is named beside it.
  using Writer = std::function<void(Trace&)>;

  explicit Recorder(const Plan& plan) : plan_(plan) {}

  void publish(std::uint64_t number, int first_place, Writer writer) {
    cases_[number].emplace_back(first_place, std::move(writer));
  }

  // Once the last module has published: modules work at the same time, a Trace is written in the order of the places.
  Trace take(std::uint64_t number);

 private:
  const Plan& plan_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<int, Writer>>> cases_;
};

}  // namespace assay::systemc
