#include "tb/run/nearest_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t most_alike = 3;  // changes that explain the same failures

constexpr const char* first = "nearest explanation: ";
constexpr const char* further = "                     ";

// "366 of 366", "300 of the first 300"
std::string share(std::size_t part, const Nearest& nearest) {
  const bool all = nearest.failures() == nearest.failures_seen();
  return fmt::format("{} of {}{}", part, all ? "" : "the first ", nearest.failures());
}

// "if X, or if Y, or with 3 other changes"
std::string any_of(const NearbyChange& best, const std::vector<std::string>& as_well) {
  std::string text = "if " + best.change;
  const std::size_t shown = std::min(most_alike, as_well.size());
  for (std::size_t i = 0; i < shown; ++i) text += ", or if " + as_well[i];
  if (as_well.size() > shown) text += fmt::format(", or with {} other changes", as_well.size() - shown);
  return text;
}

std::vector<std::string> too_few(const NearbyChanges& found) {
  const bool one = found.failures == 1;
  const std::string cases = one ? "one failing case is" : fmt::format("{} failing cases are", found.failures);
  if (found.agree.empty()) {
    return {fmt::format("none; no change of one word of the datapath gives the {}",
                        one ? "one wrong result" : fmt::format("{} wrong results", found.failures))};
  }
  return {fmt::format("{} too few to conclude from; {} {}", cases, one ? "it agrees" : "all agree",
                      any_of(found.agree.front(), found.as_well))};
}

// With what explains as much as the first does.
std::vector<std::string> agreeing(const NearbyChanges& found, const Nearest& nearest) {
  std::vector<std::string> lines;
  for (const NearbyChange& e : found.agree) {
    const std::string part = lines.empty() ? share(e.explained, nearest) : fmt::format("another {}", e.explained);
    lines.push_back(fmt::format("{} failures agree if {}", part, e.change));
  }
  std::vector<std::string> alike;
  const std::size_t shown = std::min(most_alike, found.as_well.size());
  for (std::size_t i = 0; i < shown; ++i) alike.push_back("the same if " + found.as_well[i]);
  if (found.as_well.size() > shown)
    alike.push_back(fmt::format("the same with {} other changes", found.as_well.size() - shown));
  if (!lines.empty()) lines.insert(lines.begin() + 1, alike.begin(), alike.end());
  return lines;
}

std::vector<std::string> nearly(const NearbyChanges& found, const Nearest& nearest) {
  std::vector<std::string> lines;
  for (const NearbyChange& e : found.nearly) {
    lines.push_back(fmt::format("{} failures agree if {}, but {} of {} right results tried would be wrong",
                                share(e.explained, nearest), e.change, e.broken, found.right));
  }
  return lines;
}

// What there is to say, the most important first.
std::vector<std::string> said(const NearbyChanges& found, const Nearest& nearest) {
  std::vector<std::string> lines = agreeing(found, nearest);
  const std::vector<std::string> less = nearly(found, nearest);
  lines.insert(lines.end(), less.begin(), less.end());
  if (2 * found.explained() > found.failures) {
    const std::size_t left = found.failures - found.explained();
    if (left > 0) lines.push_back(fmt::format("{} failures agree with none of these", share(left, nearest)));
    return lines;
  }
  lines.insert(lines.begin(), less.empty()
                                  ? fmt::format("none; no change of a word or two of the datapath gives most of the {} "
                                                "wrong results",
                                                found.failures)
                                  : "no change of a word or two of the datapath fits all; the nearest are");
  return lines;
}

}  // namespace

std::vector<std::string> nearest_lines(const Nearest& nearest, std::size_t made) {
  if (nearest.failures() == 0) return {};
  const NearbyChanges found = nearest.find();
  std::vector<std::string> lines = found.conclusive() ? said(found, nearest) : too_few(found);
  if (made > 0)
    lines.push_back(fmt::format("of these failures {} {} made from the first by leaving parts of it out", made,
                                made == 1 ? "was" : "were"));
  for (std::string& line : lines) line.insert(0, &line == &lines.front() ? first : further);
  return lines;
}

}  // namespace assay
