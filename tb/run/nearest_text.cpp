#include "tb/run/nearest_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/text.hpp"

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
  if (as_well.size() > shown) text += ", or with " + counted(as_well.size() - shown, "other change");
  return text;
}

std::string with_verb(std::size_t n, const char* noun, const char* one, const char* more) {
  return counted(n, noun) + " " + (n == 1 ? one : more);
}

// "270 of 300 explained, 12 of 300 right ones broken, if .."
std::string nearly(const NearbyChange& change, const NearbyChanges& found) {
  return fmt::format("{} of {} explained, {} of {} right ones broken, if {}", change.explained, change.of,
                     change.broken, found.right, change.change);
}

std::vector<std::string> too_few(const NearbyChanges& found) {
  const bool one = found.failures == 1;
  const std::string cases =
      fmt::format("{} too few to conclude from; ",
                  one ? "one failing case is" : fmt::format("{} failing cases are", found.failures));
  if (!found.agree.empty())
    return {fmt::format("{}{} {}", cases, one ? "it agrees" : "all agree", any_of(found.agree.front(), found.as_well))};
  std::vector<std::string> lines;
  for (const NearbyChange& change : found.nearly)
    lines.push_back((lines.empty() ? cases : "or ") + nearly(change, found));
  if (!lines.empty()) return lines;
  return {fmt::format("none; no change of one word of the datapath gives {}",
                      one ? "the one wrong result" : fmt::format("most of the {} wrong results", found.failures))};
}

// With what explains as much as the first does.
std::vector<std::string> agreeing(const NearbyChanges& found, const Nearest& nearest) {
  std::vector<std::string> lines;
  for (const NearbyChange& e : found.agree) {
    lines.push_back(
        lines.empty() && e.of == found.failures
            ? fmt::format("{} failures agree if {}", share(e.explained, nearest), e.change)
            : fmt::format("another {} if {}", with_verb(e.explained, "failure", "agrees", "agree"), e.change));
  }
  std::vector<std::string> alike;
  const std::size_t shown = std::min(most_alike, found.as_well.size());
  for (std::size_t i = 0; i < shown; ++i) alike.push_back("the same if " + found.as_well[i]);
  if (found.as_well.size() > shown)
    alike.push_back("the same with " + counted(found.as_well.size() - shown, "other change"));
  if (!lines.empty()) lines.insert(lines.begin() + 1, alike.begin(), alike.end());
  return lines;
}

// What there is to say, the most important first.
std::vector<std::string> said(const NearbyChanges& found, const Nearest& nearest) {
  const std::vector<std::string> agree = agreeing(found, nearest);
  std::vector<std::string> less;
  for (const NearbyChange& change : found.nearly) less.push_back(nearly(change, found));
  // Parts that break nothing come first, unless the search had to begin with one that does.
  const bool begins_with_less = !found.nearly.empty() && found.nearly.front().of == found.failures;
  std::vector<std::string> lines;
  if (begins_with_less) lines.emplace_back("no change of a word or two of the datapath fits all; the nearest are");
  if (agree.empty() && less.empty())
    return {fmt::format("none; no change of a word or two of the datapath gives most of the {} wrong results",
                        found.failures)};
  const auto& sooner = begins_with_less ? less : agree;
  const auto& later = begins_with_less ? agree : less;
  lines.insert(lines.end(), sooner.begin(), sooner.end());
  lines.insert(lines.end(), later.begin(), later.end());
  if (found.left > 0)
    lines.push_back(fmt::format("{} of {} {} with none of these", found.left, counted(found.failures, "failure"),
                                found.left == 1 ? "agrees" : "agree"));
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
