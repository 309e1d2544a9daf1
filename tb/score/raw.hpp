// How random codes do on the mutants that a set of cases kills.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tb/score/score.hpp"

namespace assay {

struct RawScore {
  std::uint64_t limit = 0;  // no more were tried
  std::size_t wanted = 0, killed = 0;
  std::uint64_t needed = 0;        // cases, for those that were killed
  std::vector<std::string> alive;  // the names of the others
};

// Tries up to `limit` cases of the family "raw" under the seed; `done` hears how many were tried.
RawScore raw_score(const KillScore& score, std::uint64_t seed, std::uint64_t limit,
                   const std::function<void(std::uint64_t)>& done);

}  // namespace assay
