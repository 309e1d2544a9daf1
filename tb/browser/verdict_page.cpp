#include "tb/browser/verdict_page.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "model/base/xml.hpp"
#include "tb/browser/datapath_picture.hpp"
#include "tb/browser/explorer_page.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/explore/report/embedded.hpp"
#include "tb/run/comparison_text.hpp"
#include "tb/run/sign_off.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay::browser {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(const std::string& text) { return "<td class=\"word\">" + xml_text(text) + "</td>"; }
std::string code_cell(const std::string& text) { return "<td class=\"word\"><code>" + xml_text(text) + "</code></td>"; }

std::string table(const std::string& name, const std::vector<std::string>& heads, const std::string& rows) {
  std::string head;
  for (const std::string& one : heads) head += "<th scope=\"col\" class=\"word\">" + xml_text(one) + "</th>";
  return fmt::format(
      "<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>{}</tr></thead><tbody>{}"
      "</tbody></table></div>\n",
      xml_attribute(name), head, rows);
}

// What was counted, without what did not happen.
std::string counts_html(const Summary& s) {
  const std::vector<std::pair<std::string, std::uint64_t>> counts{
      {"compared", s.compared},
      {"d differs", s.differs},
      {"of these in the code of a NaN alone", s.nan_codes},
      {"of these in the sign of a zero alone", s.zero_signs},
      {"d is equal, but a place before it differs", s.masked},
      {"another d in another order of cases", s.unsteady},
      {"no expected d", s.reference_errors},
      {"no d", s.device_errors},
      {"cases without an answer", s.leftovers},
      {"answers without a case", s.surplus},
      {"waived", s.waived()},
      {"known differences", s.known_cases()},
      {"left out, since nobody knows their d", s.unrecorded}};
  std::string rows;
  for (const auto& [name, count] : counts) {
    if (count != 0 || name == "compared") rows += "<tr>" + cell(name) + "<td>" + grouped(count) + "</td></tr>";
  }
  std::string html = table("counts", {"cases", "how many"}, rows);
  if (s.mistrusted())
    html +=
        "<p class=\"warning\">More than nine in ten expected results are zero or NaN: that they agree says "
        "little.</p>\n";
  for (const std::string& complaint : s.complaints) html += "<p class=\"warning\">" + xml_text(complaint) + "</p>\n";
  return html;
}

// Where nothing of a device can be seen but d, all its failures begin there.
std::string picture_html(const Plan& plan, const Summary& s) {
  StageCounts counts;
  std::uint64_t at_places = 0;
  for (const PlaceCount& first : s.first_places) {
    counts[stage_of_place(plan.places.name(first.place))] += first.count;
    at_places += first.count;
  }
  if (s.mismatches() > at_places) counts["d"] += s.mismatches() - at_places;
  return "<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"The datapath, a box for each stage\">" +
         datapath_drawing(plan, "How many failures begin at which stage", counts) + "</div>\n";
}

std::string groups_html(const Summary& s) {
  if (s.groups.empty()) return "";
  std::string rows;
  for (const FailureGroup& group : s.groups)
    rows += "<tr>" + cell(group.first) + cell(std::string(group.family)) + "<td>" + grouped(group.cases) + "</td></tr>";
  return "<h3>By the first place that differs, and by family</h3>\n" +
         table("failures by first place", {"first place", "family of cases", "cases"}, rows);
}

std::string waivers_html(const Summary& s) {
  std::string rows;
  for (const WaiverUse& use : s.waivers)
    rows += "<tr>" + cell(use.waiver.name) + "<td>" + grouped(use.cases) + "</td>" + cell(use.waiver.reason) +
            cell(use.waiver.owner) + "</tr>";
  std::string html =
      rows.empty() ? "" : "<h3>Waived</h3>\n" + table("waivers", {"waiver", "cases", "reason", "owner"}, rows);
  rows.clear();
  for (const KnownUse& use : s.known)
    rows += "<tr>" + cell(use.known.name) + "<td>" + grouped(use.cases) + "</td>" + cell(use.known.reason) + "</tr>";
  if (!rows.empty())
    html += "<h3>Known differences</h3>\n" + table("known differences", {"name", "cases", "reason"}, rows);
  return html;
}

constexpr std::string_view held_to = " held to ";  // in Comparison::devices

// The case in the explorer; beside the model's d that of the side that is not the model.
std::string link_of(const Comparison& found, const Subject& subject, const Failure& failure) {
  const explain::Question question{
      subject.name, std::shared_ptr<const Plan>(std::shared_ptr<const Plan>(), &subject.plan), failure.given};
  const std::size_t between = found.devices.find(held_to);
  const std::string device = found.devices.substr(0, between);
  const bool is_model = device == "model" && between != std::string::npos;
  const Answer& other = is_model ? failure.reference : failure.device;
  Json state = first_state(subject, question);
  if (other.ok()) {
    state["d"] = explain::hex_text(other.d, subject.plan.d);
    state["by"] = is_model ? found.devices.substr(between + held_to.size()) : device;
  }
  if (failure.place != no_place) {
    const std::string place = subject.plan.places.name(failure.place);
    state["at"] = place.substr(0, place.rfind('.'));  // its adder
  }
  return address_of(state);
}

std::string d_of(const Answer& answer, const Plan& plan) {
  return answer.ok() ? explain::split_code(answer.d, plan.d) : answer.error;
}

bool is_one_dot(const Case& one, const Plan& plan) { return one.a.size() == static_cast<std::size_t>(plan.k); }

std::string failure_html(const Comparison& found, const Subject& subject, const Failure& failure) {
  const Plan& plan = subject.plan;
  const std::string name = case_name(failure.given);
  std::string rows =
      "<tr>" + cell("d") + code_cell(d_of(failure.reference, plan)) + code_cell(d_of(failure.device, plan)) + "</tr>";
  std::string place;
  if (failure.place != no_place) {
    place = plan.places.name(failure.place);
    rows = "<tr>" + cell(place) + code_cell(failure.reference.trace->at(failure.place).hex()) +
           code_cell(failure.device.trace->at(failure.place).hex()) + "</tr>" + rows;
  }
  std::string html = fmt::format("<details><summary>{}: {}{}</summary>\n", xml_text(name),
                                 verdict_name(failure.verdict), place.empty() ? "" : xml_text(", first at " + place));
  html += table(name, {"place", "expected", "got"}, rows);
  if (is_one_dot(failure.given, plan))
    html += fmt::format("<p><a class=\"case\" href=\"{}\">Show {} in the explorer</a></p>\n",
                        xml_attribute(link_of(found, subject, failure)), xml_text(name));
  if (found.repro) html += "<pre>" + xml_text(found.repro(failure.given)) + "</pre>\n";
  return html + "</details>\n";
}

std::string failures_html(const Comparison& found, const Subject& subject) {
  const std::vector<Failure>& failures = found.scoreboard.failures();
  if (failures.empty()) return "";
  std::string html = "<h3>Failures</h3>\n";
  for (const Failure& failure : failures) html += failure_html(found, subject, failure);
  const std::uint64_t all = found.scoreboard.summary().failures();
  if (all > failures.size())
    html += fmt::format("<p class=\"note\">{} more are counted and not shown; --max-failures shows more.</p>\n",
                        grouped(all - failures.size()));
  return html;
}

std::string facts_html(const Comparison& found, const Subject& subject, const PageFacts& further) {
  SignOff sheet = sheet_of(found, subject);
  sheet.facts.insert(sheet.facts.end(), further.begin(), further.end());
  std::string html = "<h3>Sheet</h3>\n<dl>";
  for (const auto& [name, text] : sheet.facts)
    html += "<dt>" + xml_text(name) + "</dt><dd>" + xml_text(text) + "</dd>\n";
  return html + "</dl>\n";
}

std::string explanation_html(const Comparison& found) {
  std::string lines;
  for (const std::string& line : found.explanation) lines += line + "\n";
  return lines.empty() ? "" : "<h3>What explains them</h3>\n<pre>" + xml_text(lines) + "</pre>\n";
}

std::string section(const std::string& title, const std::string& html) {
  return "<section class=\"verdict\">\n<h2>" + xml_text(title) + "</h2>\n" + html + "</section>\n";
}

constexpr std::string_view mark = "<!--verdict-->";  // where they stand in the explorer's page
constexpr std::string_view explorer_heading = "<h1>Explorer</h1>", explorer_title = "<title>Assay: explorer</title>";

void replace_once(std::string& text, std::string_view what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
}

std::string without_explorer(const std::string& title, const std::string& parts) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<header><h1>{0}</h1></header>\n<main>\n<p class=\"note\">The explorer was not built with this program, since "
      "there was no Emscripten: links to cases lead nowhere.</p>\n{2}</main>\n</body>\n</html>\n",
      title, std::string(embedded::page_css) + std::string(drawing_style), parts);
}

}  // namespace

std::string verdict_part(const Comparison& found, const Subject& subject, const PageFacts& facts) {
  const Summary summary = found.scoreboard.summary();
  const std::string why = why_not_passed(found);
  std::string html = fmt::format("<p>{}</p>\n", xml_text(found.devices));
  if (!why.empty()) html += "<p>" + xml_text(why) + "</p>\n";
  if (summary.compared == 0 && !found.nothing.empty()) html += "<p>" + xml_text(found.nothing) + "</p>\n";
  html += counts_html(summary) + explanation_html(found) + picture_html(subject.plan, summary) + groups_html(summary) +
          failures_html(found, subject) + waivers_html(summary) + facts_html(found, subject, facts);
  return section(fmt::format("{}: {}", found.subject, conclusion(summary)), html);
}

std::string not_compared_part(const std::string& subject, const std::string& message) {
  return section(subject + ": not compared", "<p class=\"warning\">" + xml_text(message) + "</p>\n");
}

std::string verdict_page(const std::string& title, const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  const std::string plain = xml_text(title);
  std::string page;
  try {
    page = explorer_html(Json());
  } catch (const Error& e) {
    if (e.ending != Ending::not_here) throw;
    return without_explorer(plain, all);
  }
  replace_once(page, explorer_title, "<title>" + plain + "</title>");
  replace_once(page, explorer_heading, "<h1>" + plain + "</h1>");
  replace_once(page, mark, all);
  return page;
}

}  // namespace assay::browser
