// --threads: the one option that says how many of them do what several can.
#pragma once

#include <algorithm>
#include <string>

#include "model/base/processors.hpp"
#include "sim/program/number_option.hpp"

namespace assay {

inline constexpr int most_threads = 256;

// As many as the machine runs at once, where nobody says how many.
inline int usual_threads() { return std::min(usable_processors(), most_threads); }

inline CommandOption add_threads(Command command, int& threads) {
  threads = usual_threads();
  return add_number(command, "--threads", threads, {1, most_threads},
                    "Threads (default: as many as the machine runs at once)");
}

}  // namespace assay
