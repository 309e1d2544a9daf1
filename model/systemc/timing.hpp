// When things happen in the modules; never what happens.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace assay::systemc {

// Names are full ones, as in "unit.step[0].sum.align". Both functions are asked once for what they name.
struct Timing {
  std::function<int(const std::string& input)> depth;  // bundles that the FIFO before an input holds
  // Cycles that a module waits before it works on a case; an empty function: none, ever.
  std::function<int(const std::string& module, std::uint64_t number)> stall;
};

inline constexpr int default_depth = 16;  // deeper FIFOs make a simulation no faster

// All FIFOs alike, and no module ever waits of itself.
Timing steady(int depth = default_depth);

// Half the time none, otherwise 1 to 4 cycles; always the same ones for one seed.
std::function<int(const std::string& module, std::uint64_t number)> random_stalls(std::uint64_t seed);

}  // namespace assay::systemc
