// How many cycles the stages of a dot product take.
#pragma once

#include <array>
#include <vector>

#include "model/core/plan.hpp"
#include "model/systemc/timing.hpp"

namespace assay::systemc {

inline constexpr int stage_count = 10;  // flags come with encode
static_assert(static_cast<int>(assay::Stage::encode) + 1 == stage_count);

struct Latency {
  std::array<int, stage_count> cycles{};

  int of(assay::Stage stage) const { return cycles[static_cast<std::size_t>(stage)]; }
};

Latency every_stage(int cycles);

// A stall for `Timing`: modules take as long as their stage does; those of no stage (start, gather) take no time.
std::function<int(const std::string& module, std::uint64_t number)> stalls(const Latency& latency);

// The cycle at which what belongs at each place stands there, if the modules begin a dot product at cycle 0 with
// nothing else to do; the last place's is the length of it.
std::vector<int> schedule(const Plan& plan, const Latency& latency);

}  // namespace assay::systemc
