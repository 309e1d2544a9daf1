#include "sim/cli/explanation.hpp"

#include <fmt/format.h>

namespace assay {
std::vector<std::string> explanation_lines(const Nearest& nearest) {
  if (nearest.failures() == 0) return {};
  std::vector<std::string> lines;
  const std::vector<NearbyChange> found = nearest.find();
  for (const NearbyChange& e : found) {
    lines.push_back(fmt::format("{} {} of {} failures agree if {}",
                                lines.empty() ? "nearest explanation:" : "           and then:", e.explained,
                                nearest.failures(), e.change));
  }
  if (found.empty())
    lines.push_back(
        fmt::format("nearest explanation: none; no one-step change of the datapath's words gives any of the {} "
                    "wrong results",
                    nearest.failures()));
  return lines;
}

}  // namespace assay
