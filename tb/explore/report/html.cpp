#include <fmt/format.h>

#include <map>

#include "model/base/sha256.hpp"
#include "model/base/xml.hpp"
#include "tb/explore/report/data.hpp"
#include "tb/explore/report/embedded.hpp"
#include "tb/explore/report/report.hpp"

namespace assay {
namespace {

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

std::string findings_html(const StudyResult& study) {
  if (study.findings.empty()) return "<p>This study asks for no findings; its numbers are below.</p>";
  std::string items;
  for (const StudyFinding& finding : study.findings) {
    items += "<li>" + xml_text(finding.text) + numbers_html(finding) + "</li>\n";
  }
  return "<ol class=\"findings\">\n" + items + "</ol>";
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
  return filled(page_html, {{"title", xml_text(study.title)},
                            {"description", xml_text(study.description)},
                            {"findings", findings_html(study)},
                            {"facts", facts_html(study)},
                            {"text", xml_text(study.text)},
                            {"data", data_json(study)},
                            {"script_hashes", allowed(uplot_js) + " " + allowed(page_js)},
                            {"style_hashes", allowed(uplot_css) + " " + allowed(page_css)},
                            {"uplot_css", std::string(uplot_css)},
                            {"uplot_licence", std::string(uplot_licence)},
                            {"uplot_js", std::string(uplot_js)},
                            {"page_css", std::string(page_css)},
                            {"page_js", std::string(page_js)}});
}

}  // namespace assay
