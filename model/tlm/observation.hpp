// What the analysis ports of the unit publish: the bits that one dot product left at one place of its Plan.
#pragma once

#include <tlm>

#include "model/core/trace.hpp"
#include "model/systemc/mma_unit.hpp"

namespace assay::bus {

struct Observation {
  const Plan* plan = nullptr;
  int context = 0, instruction = 0;
  std::uint64_t operation = 0;  // of the context, since reset
  systemc::DotIndex dot;
  int place = 0;        // in plan->places
  Bits bits;            // as long as `write` runs
  sc_core::sc_time at;  // when they stood there

  Place where() const { return plan->places[static_cast<std::size_t>(place)]; }
};

// A port that knows whether anybody listens: without a listener nothing is collected.
class AnalysisPort : public ::tlm::tlm_analysis_port<Observation> {
 public:
  using ::tlm::tlm_analysis_port<Observation>::tlm_analysis_port;

  void bind(::tlm::tlm_analysis_if<Observation>& listener) override {
    ::tlm::tlm_analysis_port<Observation>::bind(listener);
    ++listeners_;
  }
  bool unbind(::tlm::tlm_analysis_if<Observation>& listener) override {
    const bool was_bound = ::tlm::tlm_analysis_port<Observation>::unbind(listener);
    if (was_bound) --listeners_;
    return was_bound;
  }
  bool has_listeners() const { return listeners_ > 0; }

 private:
  int listeners_ = 0;
};

}  // namespace assay::bus
