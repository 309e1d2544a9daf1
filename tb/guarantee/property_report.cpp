#include "tb/guarantee/property_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/config/datapath_text.hpp"
#include "model/config/digest.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/subject/command_line.hpp"

namespace assay::guarantee {
namespace {

using Json = nlohmann::ordered_json;

std::string operands_words(const Operands& o) {
  std::string text = fmt::format("a: {}, b: {}, c: {}, d: {}", o.a, o.b, o.c, o.d);
  if (!o.scale.empty()) text += fmt::format(", scale: {{format: {}, block: {}}}", o.scale, o.scale_block);
  return "{" + text + "}";
}

// Writes a datapath file of half the terms.
std::string half_command(const Subject& subject, const Plan& half) {
  if (!subject.instruction) {
    return fmt::format("sed -E 's/^k: *{}/k: {}/' {} > half.yaml", subject.plan.k, half.k, shell_word(subject.name));
  }
  if (!subject.instruction->changes.empty())
    return fmt::format("cat > half.yaml <<'END'\n{}END", yaml_text(half.datapath, half.k));
  return fmt::format("echo '{{name: half, like: {}, k: {}, operands: {}}}' > half.yaml", subject.instruction->datapath,
                     half.k, operands_words(subject.instruction->operands));
}

std::string number_text(const Plan& plan, Code code) {
  const exact::Datum value = explain::exact_value(plan.d, code, plan.datapath.specials);
  const std::string shown = value.kind == exact::Kind::nan        ? "NaN"
                            : value.kind == exact::Kind::infinity ? (value.negative ? "-infinity" : "infinity")
                            : sign(value.value) == 0              ? (value.negative ? "-0" : "+0")
                                                                  : explain::decimal(value.value);
  return fmt::format("{} ({})", explain::hex_text(code, plan.d), shown);
}

std::string failure_text(const Plan& plan, const PropertyFinding& finding) {
  const PropertyPair& pair = *finding.failure;
  const std::string d = "d is " + number_text(plan, pair.d);
  const std::string second = pair.second_d ? number_text(plan, *pair.second_d) : "beyond d's format";
  switch (finding.property.side) {
    case SecondSide::changed: return fmt::format("{}, and of the changed operands {}.", d, second);
    case SecondSide::c: return fmt::format("{}, and c is {}.", d, second);
    case SecondSide::exact: return fmt::format("{}, and the exact sum, rounded to nearest, is {}.", d, second);
    case SecondSide::fma: return fmt::format("{}, and IEEE's is {}.", d, second);
    case SecondSide::halves: return fmt::format("{}, and of two units of half the terms {}.", d, second);
    case SecondSide::none: return d + ".";
  }
  return d;
}

// "4,000 cases: c_below_power 250, ..", the greatest first.
std::string tried_text(const PropertyFinding& finding) {
  if (finding.tried == 0) return "No case met its conditions.";
  std::vector<std::pair<std::string, std::uint64_t>> families = finding.by_family;
  std::stable_sort(families.begin(), families.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
  std::string text =
      fmt::format("Held in {} {}, and no rule proves it", finding.tried, finding.tried == 1 ? "case" : "cases");
  for (std::size_t i = 0; i < families.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? ": " : ", ", families[i].first, families[i].second);
  return text + ".";
}

std::string finding_text(const Subject& subject, const PropertyFinding& finding) {
  std::string text =
      fmt::format("{:6} {:32} {}\n", state_name(finding.state), finding.property.name, finding.property.says);
  const std::string indent(7, ' ');
  switch (finding.state) {
    case HoldState::holds: return text + indent + finding.why + "\n";
    case HoldState::idle: return text + indent + "Says nothing of this unit: " + finding.why + "\n";
    case HoldState::open: return text + indent + tried_text(finding) + "\n";
    case HoldState::fails: break;
  }
  text += indent + failure_text(subject.plan, finding) + "\n";
  for (const std::string& command : commands(subject, finding)) text += indent + command + "\n";
  return text;
}

Json finding_json(const Subject& subject, const PropertyFinding& finding) {
  const Plan& plan = subject.plan;
  Json j{{"property", finding.property.name},           {"says", finding.property.says},
         {"operands", operands_text(finding.property)}, {"results", results_text(finding.property)},
         {"when", conditions_text(finding.property)},   {"state", state_name(finding.state)}};
  if (!finding.why.empty()) j["why"] = finding.why;
  j["tried"] = finding.tried;
  if (!finding.by_family.empty()) {
    Json& families = j["families"];
    for (const auto& [family, count] : finding.by_family) families[family] = count;
  }
  if (!finding.failure) return j;
  const PropertyPair& pair = *finding.failure;
  Json& failure = j["failure"];
  const auto d = [&](Code code) { return explain::hex_text(code, plan.d); };
  failure["first"] = explain::operands_json(plan, pair.first);
  failure["d"] = d(pair.d);
  if (pair.second) failure["second"] = explain::operands_json(plan, *pair.second);
  if (pair.second_d) failure["second_d"] = d(*pair.second_d);
  failure["commands"] = commands(subject, finding);
  return j;
}

// --- the table ---

std::string answers(const PropertySurvey::Form& form) {
  std::string text;
  for (const PropertyFinding& finding : form.findings) text += state_name(finding.state).front();
  return text;
}

std::string_view cell(char answer) {
  switch (answer) {
    case 'h': return "holds";
    case 'f': return "**fails**";
    case 'o': return "open";
    default: return "-";
  }
}

// "hopper 12, ada 3": instructions by their architecture, in order.
std::string by_architecture(const std::vector<const PropertySurvey::Form*>& forms) {
  std::vector<std::pair<std::string, int>> counts;
  for (const PropertySurvey::Form* form : forms) {
    for (const std::string& name : form->instructions) {
      const std::string architecture = name.substr(0, name.find(':'));
      const auto found =
          std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == architecture; });
      if (found == counts.end()) {
        counts.emplace_back(architecture, 1);
      } else {
        ++found->second;
      }
    }
  }
  std::string text;
  for (const auto& [architecture, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", architecture, count);
  return text;
}

}  // namespace

std::string_view state_name(HoldState state) {
  switch (state) {
    case HoldState::holds: return "holds";
    case HoldState::fails: return "fails";
    case HoldState::open: return "open";
    case HoldState::idle: return "idle";
  }
  return "";
}

std::vector<std::string> commands(const Subject& subject, const PropertyFinding& finding) {
  if (!finding.failure) return {};
  const PropertyPair& pair = *finding.failure;
  std::vector<std::string> list{explain_command(subject, pair.first)};
  if (pair.second) list.push_back(explain_command(subject, *pair.second));
  if (!pair.parts.empty()) {
    const std::optional<Plan> half = plan_of_half(subject.plan);
    list.push_back(half_command(subject, *half));
    for (const Case& part : pair.parts)
      list.push_back(explain_command("--datapath half.yaml", *half, part, subject.program));
  }
  return list;
}

std::string properties_text(const Subject& subject, const std::vector<PropertyFinding>& findings) {
  std::string text = fmt::format("Properties of {}, of finite operands where nothing else is said\n\n", subject.name);
  for (const HoldState state : {HoldState::holds, HoldState::fails, HoldState::open, HoldState::idle}) {
    for (const PropertyFinding& finding : findings) {
      if (finding.state == state) text += finding_text(subject, finding);
    }
  }
  return text;
}

Json properties_json(const Subject& subject, const std::vector<PropertyFinding>& findings) {
  Json list = Json::array();
  for (const PropertyFinding& finding : findings) list.push_back(finding_json(subject, finding));
  return {{"subject", subject.name}, {"datapath_sha256", subject.header.datapath_sha256}, {"properties", list}};
}

Guarantee guarantee_of(const Subject& subject, const Chain& chain, const std::vector<PropertyFinding>& findings,
                       const Kappa& kappa) {
  const Asked asked{subject.name, subject.option};
  const std::string problem = chain_problem(subject.plan, chain);
  Guarantee g = problem.empty() ? guarantee(asked, subject.plan, chain) : without_bounds(asked, chain, problem);
  g.sections.push_back(kappa_section(subject, kappa));
  g.sections.push_back(properties_section(subject, findings));
  return g;
}

Section properties_section(const Subject& subject, const std::vector<PropertyFinding>& findings) {
  return {properties_text(subject, findings), "properties", properties_json(subject, findings).at("properties").dump()};
}

Section differences_section(const std::string& other, const std::vector<PropertyDifference>& differences) {
  Json list = Json::array();
  std::string text = fmt::format("Properties in which {} differs\n\n", other);
  for (const PropertyDifference& d : differences) {
    list.push_back(
        {{"property", d.property.name}, {"state", state_name(d.of_one)}, {"of_the_other", state_name(d.of_other)}});
    text += fmt::format("  {:<5}  there {:<5}  {}: {}\n", state_name(d.of_one), state_name(d.of_other), d.property.name,
                        d.property.says);
  }
  return {differences.empty() ? fmt::format("{} has the same properties.\n", other) : text, "differences", list.dump()};
}

PropertySurvey survey(const Catalogue& catalogue, const SearchEffort& effort) {
  PropertySurvey survey;
  std::map<std::string, std::size_t> form_of;  // by digest
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      const Plan plan = catalogue.plan_of(instruction);
      const auto [found, is_new] = form_of.emplace(datapath_sha256(plan), survey.forms.size());
      if (is_new) survey.forms.push_back({{}, property_findings(plan, properties(), effort)});
      survey.forms[found->second].instructions.push_back(instruction.full_name());
    }
  }
  return survey;
}

std::string survey_table(const PropertySurvey& survey) {
  std::map<std::string, std::vector<const PropertySurvey::Form*>> groups;
  for (const PropertySurvey::Form& form : survey.forms) groups[answers(form)].push_back(&form);
  std::string text = fmt::format(
      "{} distinct forms.\n\n| | property | holds | fails | open | says nothing |\n|---|---|---|---|---|---|\n",
      survey.forms.size());
  const std::vector<Property>& rows = properties();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::map<char, int> counts;
    for (const PropertySurvey::Form& form : survey.forms) ++counts[state_name(form.findings[i].state).front()];
    text += fmt::format("| {} | `{}` | {} | {} | {} | {} |\n", i + 1, rows[i].name, counts['h'], counts['f'],
                        counts['o'], counts['i']);
  }
  // The largest group first; of two alike the one whose answers come first.
  std::vector<std::pair<std::string, std::vector<const PropertySurvey::Form*>>> sorted(groups.begin(), groups.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& x, const auto& y) { return x.second.size() > y.second.size(); });
  for (const auto& [answer, forms] : sorted) {
    text += fmt::format("\n{} forms of {}; the first is `{}`:\n\n", forms.size(), by_architecture(forms),
                        forms.front()->instructions.front());
    for (const char wanted : {'h', 'f', 'o', 'i'}) {
      std::string list;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (answer[i] == wanted) list += fmt::format("{}`{}`", list.empty() ? "" : ", ", rows[i].name);
      }
      if (!list.empty()) text += fmt::format("- {}: {}\n", wanted == 'i' ? "says nothing" : cell(wanted), list);
    }
  }
  return text;
}

}  // namespace assay::guarantee
