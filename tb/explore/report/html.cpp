#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/base/sha256.hpp"
#include "model/base/xml.hpp"
#include "tb/explore/report/budgets.hpp"
#include "tb/explore/report/data.hpp"
#include "tb/explore/report/embedded.hpp"
#include "tb/explore/report/pictures.hpp"
#include "tb/explore/report/report.hpp"

namespace assay {
namespace {

constexpr std::size_t findings_first = 3, sentences_first = 5;  // on the first screen
constexpr std::size_t reasons_said = 5;                         // why points have no cost

int digit_value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

// Hexadecimal digits as base64: three of them, 12 bits, are two characters.
std::string base64(std::string hex) {
  constexpr std::string_view characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t bytes = hex.size() / 2;
  while (hex.size() % 3 != 0) hex += '0';
  std::string text;
  for (std::size_t i = 0; i < hex.size(); i += 3) {
    const int bits = digit_value(hex[i]) << 8 | digit_value(hex[i + 1]) << 4 | digit_value(hex[i + 2]);
    text += characters[static_cast<std::size_t>(bits >> 6)];
    text += characters[static_cast<std::size_t>(bits & 63)];
  }
  text.resize((bytes * 8 + 5) / 6);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

// What a browser lets run although the page allows nothing: a script or a style of exactly these bytes.
std::string allowed(std::string_view text) { return "'sha256-" + base64(sha256(text)) + "'"; }

// The template with {{name}} replaced; what is put in is not looked at again.
std::string filled(std::string_view text, const std::map<std::string, std::string, std::less<>>& values) {
  std::string result;
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{")) {
    const std::size_t close = text.find("}}", open);
    result += text.substr(0, open);
    result += values.find(text.substr(open + 2, close - open - 2))->second;
    text.remove_prefix(close + 2);
  }
  return result + std::string(text);
}

// A measured number by itself is in the sentence.
std::string numbers_html(const StudyFinding& finding) {
  if (!finding.expected || !finding.measured) return "";
  return fmt::format(" <span class=\"numbers\">(measured {:.6g}, published {:.6g})</span>", *finding.measured,
                     *finding.expected);
}

std::size_t sentences_of(const std::string& text) {
  std::size_t count = 1;
  for (std::size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1)) {
    count += at + 2 < text.size() && text[at + 2] >= 'A' && text[at + 2] <= 'Z' ? 1 : 0;
  }
  return count;
}

// As many as a reader takes in at once, one at least.
std::size_t said_first(const std::vector<StudyFinding>& findings) {
  std::size_t first = 0, sentences = 0;
  while (first < std::min(findings.size(), findings_first)) {
    sentences += sentences_of(findings[first].text);
    if (first > 0 && sentences > sentences_first) break;
    ++first;
  }
  return first;
}

using Found = std::vector<const StudyFinding*>;

std::string list_html(const Found& findings, std::size_t start) {
  std::string items;
  for (const StudyFinding* finding : findings) {
    items += "<li>" + xml_text(finding->text) + numbers_html(*finding) + "</li>\n";
  }
  return fmt::format("<ol class=\"findings\" start=\"{}\">\n{}</ol>\n", start, items);
}

// Under a heading for what they are about, in the order in which each is first spoken of.
std::string groups_html(const Found& findings, std::size_t start) {
  std::vector<std::pair<std::string, Found>> groups;
  for (const StudyFinding* finding : findings) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == finding->about; });
    if (group == groups.end()) group = groups.insert(group, {finding->about, {}});
    group->second.push_back(finding);
  }
  std::string html;
  for (const auto& [about, list] : groups) {
    if (!about.empty()) html += "<h3>" + xml_text(about) + "</h3>\n";
    html += list_html(list, start);
    start += list.size();
  }
  return html;
}

// The first ones, and the others where somebody asks for them; on paper all.
std::string findings_html(const StudyResult& study) {
  if (study.findings.empty()) return "<p>This study asks for no findings; its numbers are below.</p>";
  const std::size_t all = study.findings.size(), first = said_first(study.findings);
  Found begin, rest;
  for (std::size_t i = 0; i < all; ++i) (i < first ? begin : rest).push_back(&study.findings[i]);
  if (rest.empty()) return list_html(begin, 1);
  return list_html(begin, 1) + fmt::format("<details class=\"rest\"><summary>All {} findings</summary>\n{}</details>\n",
                                           all, groups_html(rest, first + 1));
}

// Nothing where nobody asked what anything costs.
std::string cost_html(const StudyResult& study, const Pictures& pictures) {
  std::set<std::string> reasons;
  bool any = false;
  for (const StudyPoint& point : study.points) {
    any = any || point.cost;
    if (!point.cost && !point.no_cost.empty()) reasons.insert(point.no_cost);
  }
  if (!any && reasons.empty()) return "";
  std::string why;
  std::size_t said = 0;
  for (const std::string& reason : reasons) {
    if (said++ < reasons_said) why += " " + xml_text(reason);
  }
  const char* const before = any ? "Without a cost:" : "No point of this study has a cost.";
  return "<section aria-labelledby=\"h-cost\">\n<h2 id=\"h-cost\">Error against area</h2>\n" +
         (why.empty() ? "" : "<p>" + std::string(before) + why + "</p>\n") +
         (any ? "<figure class=\"plot\" id=\"cost\"><div class=\"pictures\">\n" + pictures.costs() + "</div></figure>\n"
              : "") +
         "</section>\n";
}

std::string facts_html(const StudyResult& study) {
  const std::vector<std::pair<std::string, std::string>> facts{
      {"study", study.name},
      {"its text, SHA-256", study.digest},
      {"Assay", study.version},
      {"seeds", fmt::format("{}", study.seeds)},
      {"points", fmt::format("{}", study.points.size())},
      {"intervals", study.seeds > 1 ? "95 % over seeds, about each mean" : "none: there is one seed"}};
  std::string html;
  for (const auto& [name, value] : facts) html += "<dt>" + name + "</dt><dd>" + xml_text(value) + "</dd>\n";
  return html;
}

}  // namespace

std::string report_html(const StudyResult& study) {
  using namespace embedded;
  const Pictures pictures(study);
  return filled(page_html, {{"title", xml_text(study.title)},
                            {"description", xml_text(study.description)},
                            {"findings", findings_html(study)},
                            {"error", pictures.errors()},
                            {"bias", pictures.biases()},
                            {"ulps", pictures.distances()},
                            {"budget", budgets_html(study)},
                            {"cost", cost_html(study, pictures)},
                            {"frames", pictures.frames()},
                            {"facts", facts_html(study)},
                            {"text", xml_text(study.text)},
                            {"data", data_json(study)},
                            {"script_hash", allowed(page_js)},
                            {"style_hash", allowed(page_css)},
                            {"page_css", std::string(page_css)},
                            {"page_js", std::string(page_js)}});
}

}  // namespace assay
