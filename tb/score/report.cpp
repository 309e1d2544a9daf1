#include "tb/score/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tb/generate/levels.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

std::vector<const Mutant*> of_fate(const KillScore& score, Fate fate) {
  std::vector<const Mutant*> found;
  for (const Mutant& m : score.mutants()) {
    if (m.fate() == fate) found.push_back(&m);
  }
  return found;
}

// In the order in which they were killed.
std::vector<const Mutant*> killed(const KillScore& score) {
  std::vector<const Mutant*> found = of_fate(score, Fate::killed);
  std::stable_sort(found.begin(), found.end(),
                   [](const Mutant* x, const Mutant* y) { return x->killer->number < y->killer->number; });
  return found;
}

std::string case_text(const Case& c) {
  const std::string number = grouped(c.number);
  return c.element ? fmt::format("{} [{},{}]", number, c.element->row, c.element->column) : number;
}

std::string killed_text(const ScoreTitle& title, const KillScore& score) {
  const std::vector<const Mutant*> list = killed(score);
  if (list.empty()) return "";
  std::string text = fmt::format("{:>14}  {}mutant\n", "killed by case", title.family ? "of family         " : "");
  for (const Mutant* m : list) {
    const std::string family = title.family ? fmt::format("{:<18}", title.family(*m->killer)) : "";
    text += fmt::format("{:>14}  {}{}\n", case_text(*m->killer), family, m->name);
  }
  return text + "\n";
}

std::string equivalent_text(const KillScore& score) {
  const std::vector<const Mutant*> list = of_fate(score, Fate::equivalent);
  if (list.empty()) return "";
  std::string text = "unkilled, equivalence shown\n";
  for (const Mutant* m : list) text += fmt::format("  {}\n      {}\n", m->name, m->argument);
  return text + "\n";
}

std::string witness_text(const ScoreTitle& title, const KillScore& score, const Case& witness) {
  const std::string operands = operand_options(score.plan(), witness);
  if (title.option.empty()) return fmt::format("      killed by, if it were there: {}\n", operands);
  return fmt::format("      killed by, if it were there: assay explain {} {}\n", title.option, operands);
}

std::string open_text(const ScoreTitle& title, const KillScore& score) {
  const std::vector<const Mutant*> list = of_fate(score, Fate::open);
  if (list.empty()) return "";
  std::string text = "unkilled, open\n";
  for (const Mutant* m : list) {
    text += fmt::format("  {} (from {} to {})\n", m->name, m->from, m->to);
    if (m->witness) text += witness_text(title, score, *m->witness);
  }
  return text + "\n";
}

std::string raw_text(const RawScore& raw) {
  if (raw.alive.empty())
    return fmt::format("raw random cases: {} {} the same {}\n", grouped(raw.needed), raw.needed == 1 ? "kills" : "kill",
                       counted(raw.wanted, "mutant"));
  std::string text = fmt::format("raw random cases: after {}, {} of those {} are killed; alive are\n",
                                 grouped(raw.limit), raw.killed, raw.wanted);
  for (const std::string& name : raw.alive) text += "  " + name + "\n";
  return text;
}

std::string_view fate_text(Fate fate) {
  switch (fate) {
    case Fate::killed: return "killed";
    case Fate::equivalent: return "equivalent";
    case Fate::open: return "open";
  }
  return "";
}

nlohmann::json mutant_json(const ScoreTitle& title, const KillScore& score, const Mutant& m) {
  nlohmann::json json{{"name", m.name}, {"from", m.from}, {"to", m.to}, {"fate", fate_text(m.fate())}};
  if (m.killer) {
    json["case"] = m.killer->number;
    if (m.killer->element) json["element"] = {m.killer->element->row, m.killer->element->column};
    if (title.family) json["family"] = title.family(*m.killer);
  } else if (!m.argument.empty()) {
    json["argument"] = m.argument;
  } else if (m.witness) {
    json["witness"] = operand_options(score.plan(), *m.witness);
  }
  return json;
}

std::string bins_line(const Coverage& coverage) {
  return fmt::format("{} of {} reachable bins of coverage hit", grouped(coverage.hit()), grouped(coverage.reachable()));
}

}  // namespace

std::string score_headline(const KillScore& score) {
  const Counts n = score.counts();
  const std::vector<const Mutant*> list = killed(score);
  const std::string last = list.empty() ? "" : "; the last one by case " + case_text(*list.back()->killer);
  return fmt::format("{} of {} mutants killed, {} equivalent, {} open{}\n", n.killed, n.all(), n.equivalent, n.open,
                     last);
}

// What the mutants say nothing of: each stands for a word or a rule, and a bin that was not hit is a place where a
// fault would not show.
std::string uncovered_text(const Coverage& coverage, const std::string& option) {
  const std::uint64_t open = coverage.reachable() - coverage.hit();
  std::string text = bins_line(coverage);
  if (open == 0) return text + "\n";
  text += fmt::format("; in the other {} a fault would not show, whichever mutants are killed:\n", grouped(open));
  for (const Point& p : coverage.points) {
    const auto first = std::find_if(p.bins.begin(), p.bins.end(), [](const Bin& b) { return b.open(); });
    if (first == p.bins.end()) continue;
    text += fmt::format("  {}: {}, such as {}\n", p.name, p.reachable() - p.hit(), first->name);
  }
  if (option.empty()) return text;
  return text + fmt::format("assay coverage {} --open lists those of generated cases\n", option);
}

nlohmann::json uncovered_json(const Coverage& coverage) {
  nlohmann::json open = nlohmann::json::array();
  for (const Point& p : coverage.points) {
    for (const Bin& b : p.bins) {
      if (b.open()) open.push_back({{"point", p.name}, {"bin", b.name}});
    }
  }
  return {{"reachable", coverage.reachable()}, {"hit", coverage.hit()}, {"open", open}};
}

std::string score_text(const ScoreTitle& title, const KillScore& score) {
  return fmt::format("{}: {}\n\n{}{}{}{}{}{}", title.subject, title.cases, killed_text(title, score),
                     equivalent_text(score), open_text(title, score), score_headline(score),
                     title.coverage ? uncovered_text(*title.coverage, title.option) : "",
                     title.raw ? raw_text(*title.raw) : "");
}

nlohmann::json score_json(const ScoreTitle& title, const KillScore& score) {
  const Counts n = score.counts();
  nlohmann::json json{{"subject", title.subject},   {"cases", score.cases()}, {"killed", n.killed},
                      {"equivalent", n.equivalent}, {"open", n.open},         {"mutants", nlohmann::json::array()}};
  for (const Mutant& m : score.mutants()) json["mutants"].push_back(mutant_json(title, score, m));
  if (title.raw) {
    json["raw"] = {{"limit", title.raw->limit},
                   {"wanted", title.raw->wanted},
                   {"killed", title.raw->killed},
                   {"needed", title.raw->needed},
                   {"alive", title.raw->alive}};
  }
  if (title.coverage) json["coverage"] = uncovered_json(*title.coverage);
  return json;
}

std::string quality_text(const ScoreTitle& title, const CaseQuality& quality) {
  const auto coverage = quality.coverage();
  return (quality.score() != nullptr ? score_headline(*quality.score()) + open_text(title, *quality.score()) : "") +
         (coverage ? uncovered_text(*coverage, title.option) : "");
}

void add_quality(const ScoreTitle& title, const CaseQuality& quality, nlohmann::json& report) {
  if (quality.score() != nullptr) report["score"] = score_json(title, *quality.score());
  if (const auto coverage = quality.coverage()) report["coverage"] = uncovered_json(*coverage);
}

std::vector<std::pair<std::string, std::string>> quality_facts(const CaseQuality& quality) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (quality.score() != nullptr) {
    std::string line = score_headline(*quality.score());
    line.pop_back();
    facts.emplace_back("kill score", line);
  }
  if (const auto coverage = quality.coverage()) facts.emplace_back("coverage", bins_line(*coverage));
  return facts;
}

std::string score_table_head(bool raw) {
  return fmt::format("{:>6}  {:>10}  {:>4}  {:>12}  {}{}\n", "killed", "equivalent", "open", "last by case",
                     raw ? "raw random cases     " : "", "of");
}

std::string score_row(const ScoreTitle& title, const KillScore& score) {
  const Counts n = score.counts();
  const std::vector<const Mutant*> list = killed(score);
  std::string raw;
  if (title.raw && title.raw->alive.empty()) raw = grouped(title.raw->needed);
  if (title.raw && !title.raw->alive.empty()) {
    raw = fmt::format("{} kill {}", grouped(title.raw->limit), title.raw->killed);
  }
  return fmt::format("{:>6}  {:>10}  {:>4}  {:>12}  {}{}\n", n.killed, n.equivalent, n.open,
                     list.empty() ? "-" : case_text(*list.back()->killer), title.raw ? fmt::format("{:<21}", raw) : "",
                     title.subject);
}

std::string score_table_foot(const Counts& total) {
  return fmt::format("{:>6}  {:>10}  {:>4}  {:>12}  of {} mutants in all\n", total.killed, total.equivalent, total.open,
                     "", total.all());
}

}  // namespace assay
