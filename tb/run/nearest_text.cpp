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
std::string share(std::size_t part, std::size_t of, const Nearest& nearest) {
  return fmt::format("{} of {}{}", part, of == nearest.failures_seen() ? "" : "the first ", of);
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
            ? fmt::format("{} failures agree if {}", share(e.explained, nearest.failures(), nearest), e.change)
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

std::string list_of(const std::vector<int>& numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : " and ") + std::to_string(n);
  return (numbers.size() == 1 ? "element " : "elements ") + text;
}

// "element 5 alone is wrong: .."
std::vector<std::string> lone_lines(const LoneElements& lone) {
  const bool one = lone.elements.size() == 1;
  std::vector<std::string> lines{fmt::format(
      "{} alone {} wrong: {} failing cases pass with {} zero, and in {} of {} trials what failed in {} place passed in "
      "another",
      list_of(lone.elements), one ? "is" : "are", lone.cases, one ? "its product" : "their products", lone.moved,
      lone.moved, one ? "its" : "their")};
  if (lone.failed_alone == 0) return lines;
  const std::string there =
      fmt::format("with all other products zero {} of {} cases fail", lone.failed_alone, lone.alone);
  if (lone.changes.empty()) {
    lines.push_back(there + ", and no change of a word or two gives all of them");
    return lines;
  }
  lines.push_back(there + ", and all agree if there " + lone.changes.front());
  for (std::size_t i = 1; i < std::min(most_alike + 1, lone.changes.size()); ++i)
    lines.push_back("the same if there " + lone.changes[i]);
  return lines;
}

// All that the others of the catalogue give, which may be what was built.
std::vector<std::string> claim_lines(const WiderExplanation& wide, const Nearest& nearest) {
  const bool by_name = !wide.claims.instructions.empty();
  const std::vector<std::string>& all = by_name ? wide.claims.instructions : wide.claims.datapaths;
  if (all.empty()) return {};
  const std::size_t shown = std::min(most_alike, all.size());
  std::string names;
  for (std::size_t i = 0; i < shown; ++i) names += (i == 0 ? "" : ", ") + all[i];
  if (shown < all.size()) names += " and " + counted(all.size() - shown, "other");
  return {fmt::format("the unit gives what {}{} {}: {} failures and {} right ones agree", by_name ? "" : "datapath ",
                      names, all.size() == 1 ? "does" : "do", share(wide.wrong, wide.wrong, nearest), wide.right)};
}

// Of changes of a word or two.
std::vector<std::string> said_of_words(const NearbyChanges& found, const Nearest& nearest) {
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

// What there is to say, the most important first.
std::vector<std::string> said(const NearbyChanges& found, const Nearest& nearest, const WiderExplanation& wide) {
  std::vector<std::string> lines;
  const auto all_agree = [&](const std::string& change) {
    lines.push_back(lines.empty()
                        ? fmt::format("{} failures agree if {}", share(wide.wrong, wide.wrong, nearest), change)
                        : "the same if " + change);
  };
  if (!wide.together.empty()) all_agree(joined(wide.together, " and "));
  for (std::size_t i = 0; i < std::min(most_alike, wide.misread.size()); ++i) all_agree(wide.misread[i]);
  if (lines.empty() && wide.lone) lines = lone_lines(*wide.lone);
  if (lines.empty()) lines = said_of_words(found, nearest);
  const std::vector<std::string> claims = claim_lines(wide, nearest);
  lines.insert(lines.end(), claims.begin(), claims.end());
  return lines;
}

}  // namespace

std::vector<std::string> nearest_lines(const Nearest& nearest, const NearbyChanges& found, const WiderExplanation& wide,
                                       std::size_t made) {
  std::vector<std::string> lines = found.conclusive() ? said(found, nearest, wide) : too_few(found);
  if (made > 0)
    lines.push_back(fmt::format("of these failures {} {} made from the first by leaving parts of it out", made,
                                made == 1 ? "was" : "were"));
  for (std::string& line : lines) line.insert(0, &line == &lines.front() ? first : further);
  return lines;
}

}  // namespace assay
