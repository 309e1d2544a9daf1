#include "tb/run/shifted.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "tb/scoreboard/scoreboard.hpp"

namespace assay {
namespace {

constexpr std::size_t most_kept = 4096;
constexpr int furthest = 16;       // cases
constexpr std::size_t enough = 8;  // results of another case: fewer may be chance

}  // namespace

void Shifted::see(Code expected, Code got, Result result) {
  if (seen_.size() == most_kept) return;
  const Number number = result_number(*plan_, got);
  seen_.push_back({expected, got, result, number.cls == Class::finite && !number.is_zero()});
}

// The case whose result the i-th would have; nullptr where it would have the same, or is not there.
const Shifted::Pair* Shifted::other(std::size_t i, int by) const {
  const auto at = static_cast<std::ptrdiff_t>(i) - by;
  if (at < 0 || at >= static_cast<std::ptrdiff_t>(seen_.size())) return nullptr;
  const Pair& pair = seen_[static_cast<std::size_t>(at)];
  return pair.expected == seen_[i].expected ? nullptr : &pair;
}

Shifted::Found Shifted::shifted(int by) const {
  Found found{by, 0, 0};
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (!seen_[i].tells || seen_[i].result != Result::wrong) continue;
    ++found.of;
    const Pair* pair = other(i, by);
    found.explained += pair != nullptr && pair->expected == seen_[i].got ? 1 : 0;
  }
  return found;
}

std::size_t Shifted::contradicting(int by) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i)
    count += seen_[i].tells && seen_[i].result == Result::right && other(i, by) != nullptr ? 1 : 0;
  return count;
}

std::optional<Shifted::Found> Shifted::find() const {
  Found best;
  for (int by = 1; by <= furthest; ++by) {
    for (const int signed_by : {by, -by}) {
      const Found found = shifted(signed_by);
      if (found.explained > best.explained) best = found;
    }
  }
  if (best.explained < enough || 2 * best.explained <= best.of) return std::nullopt;
  // Right by chance are results of operands that stood at the unit's ports before they were taken, while it stalled.
  if (2 * contradicting(best.by) > best.explained) return std::nullopt;
  return best;
}

std::string shifted_text(const Shifted::Found& found, const std::string& advice) {
  const int cases = std::abs(found.by);
  const std::string which = cases == 1 ? "the case" : fmt::format("the case {} places", cases);
  const std::string text = fmt::format("wrong latency: {} of {} wrong results are right for {} {}", found.explained,
                                       found.of, which, found.by > 0 ? "before" : "after");
  if (!advice.empty()) return text + "; " + advice;
  return text + fmt::format("; the device gives each result {} {} too {}", cases, cases == 1 ? "case" : "cases",
                            found.by > 0 ? "late" : "early");
}

}  // namespace assay
