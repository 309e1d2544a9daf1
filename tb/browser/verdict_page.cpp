#include "tb/browser/verdict_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "model/base/xml.hpp"
#include "tb/browser/datapath_picture.hpp"
#include "tb/browser/explorer_page.hpp"
#include "tb/coverage/text.hpp"
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
    const std::string adder = place.substr(0, place.rfind('.'));
    if (subject.plan.find_place(adder + ".reduce") >= 0) state["at"] = adder;
  }
  return address_of(state);
}

std::string d_of(const Answer& answer, const Plan& plan) {
  return answer.ok() ? explain::split_code(answer.d, plan.d) : answer.error;
}

bool is_one_dot(const Case& one, const Plan& plan) { return one.a.size() == static_cast<std::size_t>(plan.k); }

std::string case_link(const Comparison& found, const Subject& subject, const Failure& failure,
                      const std::string& words) {
  return fmt::format("<p><a class=\"case\" href=\"{}\">{}</a></p>\n", xml_attribute(link_of(found, subject, failure)),
                     xml_text(words));
}

std::string failure_html(const Comparison& found, const Subject& subject, const Failure& failure) {
  const Plan& plan = subject.plan;
  const std::string name = case_name(failure.given);
  std::string rows =
      "<tr>" + cell("d") + code_cell(d_of(failure.reference, plan)) + code_cell(d_of(failure.device, plan)) + "</tr>";
  if (failure.place != no_place) {
    rows = "<tr>" + cell(plan.places.name(failure.place)) +
           code_cell(failure.reference.trace->at(failure.place).hex()) +
           code_cell(failure.device.trace->at(failure.place).hex()) + "</tr>" + rows;
  }
  std::string html = fmt::format("<details><summary>{}: {}</summary>\n", xml_text(name), verdict_name(failure.verdict));
  html += table(name, {"place", "expected", "got"}, rows);
  if (is_one_dot(failure.given, plan)) html += case_link(found, subject, failure, "Show " + name + " in the explorer");
  if (found.repro) html += "<pre>" + xml_text(found.repro(failure.given)) + "</pre>\n";
  return html + "</details>\n";
}

// Failures that begin at one place.
struct Beginning {
  std::string first;
  std::uint64_t cases = 0;
  std::string families;                                             // "far 80, near 33"
  std::vector<std::pair<std::string, std::vector<Failure>>> shown;  // by what explains them
};

bool is_same_case(const Case& x, const Case& y) {
  const auto place = [](const Case& c) {
    return c.element ? std::pair(c.element->row, c.element->column) : std::pair(0, 0);
  };
  return x.number == y.number && place(x) == place(y);
}

// What is shown: the failures that were kept, and of places that have none among these the first.
std::vector<Failure> shown_failures(const Scoreboard& scoreboard) {
  std::vector<Failure> shown = scoreboard.failures();
  for (const Failure& example : scoreboard.examples()) {
    const bool is_there =
        std::any_of(shown.begin(), shown.end(), [&](const Failure& f) { return is_same_case(f.given, example.given); });
    if (!is_there) shown.push_back(example);
  }
  return shown;
}

// What stands above failures that are explained alike; nothing where nothing was found, and above errors.
std::string explained_so(const Comparison& found, const Failure& failure) {
  if (failure.verdict == Verdict::masked) return "d is right all the same:";
  if (!found.cause || failure.verdict != Verdict::differs) return "";
  const std::string cause = found.cause(failure);
  return cause.empty() ? "No change of the datapath that was found gives just this:"
                       : "It gives just this if " + cause + ":";
}

// Those with most failures first.
std::vector<Beginning> beginnings(const Comparison& found, const Plan& plan) {
  std::vector<Beginning> all;
  const auto of = [&](const std::string& first) -> Beginning& {
    const auto there = std::find_if(all.begin(), all.end(), [&](const Beginning& b) { return b.first == first; });
    return there != all.end() ? *there : all.emplace_back(Beginning{first, 0, "", {}});
  };
  for (const FailureGroup& group : found.scoreboard.summary().groups) {
    Beginning& b = of(group.first);
    b.cases += group.cases;
    if (group.family.empty()) continue;
    b.families += fmt::format("{}{} {}", b.families.empty() ? "" : ", ", group.family, grouped(group.cases));
  }
  for (const Failure& failure : shown_failures(found.scoreboard)) {
    auto& shown = of(first_difference(plan, failure.place, failure.verdict)).shown;
    const std::string words = explained_so(found, failure);
    auto there = std::find_if(shown.begin(), shown.end(), [&](const auto& one) { return one.first == words; });
    if (there == shown.end()) there = shown.insert(shown.end(), {words, {}});
    there->second.push_back(failure);
  }
  std::stable_sort(all.begin(), all.end(), [](const Beginning& x, const Beginning& y) { return x.cases > y.cases; });
  return all;
}

std::string failures_html(const Comparison& found, const Subject& subject) {
  const std::uint64_t all = found.scoreboard.summary().failures();
  std::string html;
  std::uint64_t shown = 0;
  for (const Beginning& b : beginnings(found, subject.plan)) {
    html += fmt::format("<h4>{}: {} {}</h4>\n", xml_text(b.first), grouped(b.cases), b.cases == 1 ? "case" : "cases");
    if (!b.families.empty()) html += fmt::format("<p class=\"note\">By family: {}.</p>\n", xml_text(b.families));
    for (const auto& [words, failures] : b.shown) {
      if (!words.empty()) html += "<p>" + xml_text(words) + "</p>\n";
      for (const Failure& failure : failures) html += failure_html(found, subject, failure);
      shown += failures.size();
    }
  }
  if (html.empty()) return "";
  if (all > shown)
    html += fmt::format("<p class=\"note\">{} more are counted and not shown; --max-failures shows more.</p>\n",
                        grouped(all - shown));
  return "<h3>Failures, by the first place that differs</h3>\n" + html;
}

std::string coverage_html(const Coverage& coverage) {
  std::string rows;
  for (const Point& p : coverage.points) {
    rows += fmt::format("<tr>{}<td>{}</td><td>{}</td>{}<td class=\"word long\">{}</td></tr>", cell(p.name), p.hit(),
                        p.reachable(), cell(p.about), xml_text(joined(open_names(p), "; ")));
  }
  return fmt::format("<h3>Coverage: {} of {} reachable bins hit</h3>\n", grouped(coverage.hit()),
                     grouped(coverage.reachable())) +
         table("coverage", {"point", "hit", "reachable", "bins of", "neither hit nor out of reach"}, rows);
}

std::string score_html(const KillScore& score) {
  const Counts n = score.counts();
  std::string open, killed;
  for (const Mutant& m : score.mutants()) {
    if (m.fate() == Fate::open)
      open += "<tr>" + cell(m.name) + cell(m.from) + cell(m.to) + "</tr>";
    else if (m.fate() == Fate::killed)
      killed += "<tr>" + cell(m.name) + "<td>" + grouped(m.killer->number) + "</td></tr>";
  }
  std::string html = fmt::format("<h3>Kill score: {} of {} mutants killed, {} equivalent, {} open</h3>\n", n.killed,
                                 n.all(), n.equivalent, n.open);
  if (!open.empty()) html += table("mutants that no case killed", {"open mutant", "from", "to"}, open);
  if (!killed.empty())
    html += "<details><summary>Which case killed which</summary>\n" +
            table("killed mutants", {"mutant", "first killed by case"}, killed) + "</details>\n";
  return html;
}

std::string quality_html(const CaseQuality& quality) {
  const auto coverage = quality.coverage();
  return (quality.score() != nullptr ? score_html(*quality.score()) : "") + (coverage ? coverage_html(*coverage) : "");
}

std::string facts_html(const Comparison& found, const Subject& subject, const PageFacts& further) {
  SignOff sheet = sheet_of(found, subject);
  sheet.facts.insert(sheet.facts.end(), further.begin(), further.end());
  std::string html = "<h3>Sheet</h3>\n<dl>";
  for (const auto& [name, text] : sheet.facts)
    html += "<dt>" + xml_text(name) + "</dt><dd>" + xml_text(text) + "</dd>\n";
  return html + "</dl>\n";
}

std::string explanation_html(const Comparison& found, const Subject& subject) {
  std::string lines;
  for (const std::string& line : found.explanation) lines += line + "\n";
  if (lines.empty()) return "";
  std::string html = "<h3>What explains them</h3>\n<pre>" + xml_text(lines) + "</pre>\n";
  if (found.smallest && is_one_dot(found.smallest->given, subject.plan))
    html += case_link(found, subject, *found.smallest, "Show the smallest failing case in the explorer");
  return html;
}

std::string section(const std::string& title, const std::string& html) {
  return "<section class=\"verdict\">\n<h2>" + xml_text(title) + "</h2>\n" + html + "</section>\n";
}

constexpr std::string_view mark = "<!--verdict-->";  // where they stand in the explorer's page
constexpr std::string_view explorer_heading = "<h1>Explorer</h1>", explorer_title = "<title>Assay: explorer</title>";

constexpr std::string_view explorer_begins =
    "<section><h2>The explorer</h2>\n<p class=\"note\">A case from above is shown here when its link is followed; "
    "before "
    "that, an example is.</p></section>\n";

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

std::string verdict_part(const Comparison& found, const Subject& subject, const CaseQuality& quality,
                         const PageFacts& facts) {
  const Summary summary = found.scoreboard.summary();
  const std::string why = why_not_passed(found);
  std::string html = fmt::format("<p>{}</p>\n", xml_text(found.devices));
  if (!why.empty()) html += "<p>" + xml_text(why) + "</p>\n";
  if (summary.compared == 0 && !found.nothing.empty()) html += "<p>" + xml_text(found.nothing) + "</p>\n";
  html += counts_html(summary) + explanation_html(found, subject) + picture_html(subject.plan, summary) +
          failures_html(found, subject) + waivers_html(summary) + quality_html(quality) +
          facts_html(found, subject, facts);
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
  replace_once(page, mark, all + std::string(explorer_begins));
  return page;
}

}  // namespace assay::browser
