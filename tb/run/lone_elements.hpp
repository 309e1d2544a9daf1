// Whether one element of the dot product is computed otherwise than the others, by asking: lane 5, of sixteen.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/fit/nearest.hpp"

namespace assay {

// How a case ends that is asked beside the run.
struct BesideAnswer {
  bool answered = false;  // by both devices
  bool right = false;
  Code d = 0;  // the device's
};
using AskBeside = std::function<std::vector<BesideAnswer>(const std::vector<Case>&)>;

struct LoneElements {
  std::vector<int> elements;  // one or two
  std::size_t cases = 0;      // that failed; all pass with these elements zero ..
  std::size_t moved = 0;      // .. and with their operands in the place of other elements, which so often were asked
  // In cases in which all other products are zero: what explains the failures, and how many of them there were.
  std::vector<std::string> changes;
  std::size_t alone = 0, failed_alone = 0;
};

// `failing` are cases that failed, `fresh` any others. Asks a few hundred cases, fewer where nothing is found. Nothing
// where no one or two elements are alone.
std::optional<LoneElements> lone_elements(const Plan& plan, const Nearest::Same& same, const std::vector<Case>& failing,
                                          const std::function<Case(std::uint64_t)>& fresh, std::uint64_t fresh_cases,
                                          const AskBeside& ask);

}  // namespace assay
