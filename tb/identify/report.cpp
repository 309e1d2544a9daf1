#include "tb/identify/report.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "model/config/datapath_text.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay::identify {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_classes_shown = 8;
constexpr std::size_t most_words_shown = 12;

std::string code_text(const Plan& plan, Code d) { return fmt::format("{:0{}x}", d, plan.d.hex_digits()); }

std::string case_text(const Plan& plan, const Case& given) { return operands_text(given, case_shape(plan)); }

// "25: not 24 (question 7), 26 (question 9); 31 computes the same: ..; no case tried tells 30 apart"
std::string sentence(const Settled& word, const std::string& question) {
  std::vector<std::string> excluded, open, untold;
  std::map<std::string, std::vector<std::string>> argued;
  for (const Settled::Other& o : word.others) {
    if (o.excluded) {
      excluded.push_back(fmt::format("{} ({} {})", o.value, question, *o.excluded));
    } else if (!o.argument.empty()) {
      argued[o.argument].push_back(o.value);
    } else {
      (o.open ? open : untold).push_back(o.value);
    }
  }
  std::vector<std::string> parts;
  if (!excluded.empty()) parts.push_back("not " + joined(excluded, ", "));
  for (const auto& [argument, values] : argued)
    parts.push_back("the same with " + joined(values, ", ") + ": " + argument.substr(0, argument.rfind('.')));
  if (!open.empty()) parts.push_back("open: it could be " + joined(open, ", "));
  if (!untold.empty()) parts.push_back("no case that was tried tells it from " + joined(untold, ", "));
  return fmt::format("{} {}: {}", word.word, word.value, joined(parts, "; "));
}

// Where a word stands in the text of a datapath: the adder it is of, and its key there.
struct Line {
  std::string adder, key;  // "adders.sum", "add"; without an adder the first is empty
};

std::string until(const std::string& text, const char* ends) { return text.substr(0, text.find_first_of(ends)); }

Line line_of(const std::string& word) {
  const std::string list = until(word, ".[");
  if (list != "adders" && list != "finish") return {"", list};
  const std::string adder = until(word.substr(list.size() + 1), ".");
  const std::size_t rest = list.size() + adder.size() + 2;
  return {list + "." + adder, rest < word.size() ? until(word.substr(rest), ".[") : ""};
}

// The file, each line below what speaks for its words.
std::string file_text(const Identified& found, int k, const std::string& question) {
  const Datapath& words = found.classes.front().first.plan->datapath;
  std::map<std::pair<std::string, std::string>, std::vector<const Settled*>> said;
  for (const Settled& s : found.settled) {
    const Line line = line_of(s.word);
    said[{line.adder, line.key}].push_back(&s);
  }
  std::string text, list, adder;
  for (const std::string& line : split(yaml_text(words, k), '\n')) {
    if (line.empty()) continue;
    const std::size_t indent = line.find_first_not_of(" -");
    const std::string key = indent == std::string::npos ? "" : until(line.substr(indent), ":");
    if (indent == 0) {
      list = key;
      adder.clear();
    } else if (key == "name") {
      adder = list + "." + line.substr(line.find(": ") + 2);
    }
    const auto words_here = said.find({adder, key});
    if (words_here != said.end()) {
      for (const Settled* s : words_here->second)
        text += std::string(indent, ' ') + "# " + sentence(*s, question) + "\n";
      said.erase(words_here);
    }
    text += line + "\n";
  }
  if (!said.empty()) text += "# Left out above, and as it is then:\n";
  for (const auto& [line, left] : said) {
    for (const Settled* s : left) text += "# " + sentence(*s, question) + "\n";
  }
  return text;
}

class Told {
 public:
  Told(const Subject& subject, const Identified& found, const ReportNames& names)
      : plan_(subject.plan), found_(found), names_(names) {}

  std::string all() {
    switch (found_.outcome) {
      case IdentifyOutcome::found: one_class(); break;
      case IdentifyOutcome::undecided: several(); break;
      case IdentifyOutcome::no_word: no_word(); break;
      case IdentifyOutcome::inconsistent: inconsistent(); break;
    }
    return std::move(text_);
  }

 private:
  void say(const std::string& line) { text_ += "# " + line + "\n"; }

  void count() {
    if (found_.confirmed > 0)
      say(fmt::format("{} before confirmation, and {} that confirm it; {} tried.",
                      counted(found_.before_confirming, "question"), counted(found_.confirmed, "case"),
                      counted(found_.tried, "datapath")));
    else
      say(fmt::format("{}; {} tried.", counted(found_.questions, names_.question), counted(found_.tried, "datapath")));
  }

  void one_class() {
    say(fmt::format("{}: one class of datapaths agrees with every answer. Found from {}.", names_.unit,
                    found_.classes.front().first.from));
    count();
    also(found_.classes.front());
    text_ += file_text(found_, plan_.k, names_.question);
  }

  void also(const AgreeingClass& c) {
    if (c.as_well.empty()) return;
    const std::size_t shown = std::min<std::size_t>(3, c.as_well.size());
    std::vector<std::string> some(c.as_well.begin(), c.as_well.begin() + static_cast<std::ptrdiff_t>(shown));
    say(fmt::format("{} more computed the same in every case that was tried: {}{}",
                    counted(c.as_well.size(), "datapath"), joined(some, "; "),
                    shown < c.as_well.size() ? "; .." : "."));
  }

  void several() {
    say(fmt::format("{}: undecided between {} classes of datapaths, which agree with every answer:", names_.unit,
                    found_.classes.size()));
    for (std::size_t i = 0; i < std::min(most_classes_shown, found_.classes.size()); ++i)
      say("  " + found_.classes[i].first.from);
    if (found_.classes.size() > most_classes_shown) say("  ..");
    count();
    say("Of the first of them:");
    for (const Settled& s : found_.settled) say("  " + sentence(s, names_.question));
    say(fmt::format("{} would part them further (--next FILE writes them).", counted(found_.next.size(), "case")));
  }

  void no_word() {
    say(fmt::format("{}: no word for this: no datapath of the vocabulary that was tried agrees with every answer.",
                    names_.unit));
    count();
    if (!found_.nearest || !found_.against) return;
    say(fmt::format("The nearest, {}, contradicts {} of {}.", found_.nearest->from, found_.nearest->wrong,
                    counted(found_.answers.size(), "answer")));
    Registers registers;
    say(fmt::format("{} of the {} nearest contradict this one: the unit gave {}, the nearest has {}.",
                    found_.contradicted_by, found_.of, code_text(plan_, found_.against->d),
                    code_text(plan_, dot(*found_.nearest->plan, found_.against->given.operand(), registers))));
    say("  " + case_text(plan_, found_.against->given));
    std::vector<std::string> words = found_.points_at;
    if (words.size() > most_words_shown) words.resize(most_words_shown);
    if (!words.empty()) say("It points at " + joined(words, ", ") + ".");
  }

  void inconsistent() {
    const std::string one = code_text(plan_, found_.against->d), other = code_text(plan_, *found_.other_answer);
    const bool is_recorded = names_.question == "case";
    say(is_recorded
            ? fmt::format("{}: inconsistent: two cases have these operands, and d {} and {}.", names_.unit, one, other)
            : fmt::format("{}: inconsistent: it gave {} for this case and, asked again, {}. It is no function of its "
                          "operands; look for state that one case leaves to the next.",
                          names_.unit, one, other));
    say("  " + case_text(plan_, found_.against->given));
    count();
  }

  const Plan& plan_;
  const Identified& found_;
  const ReportNames& names_;
  std::string text_;
};

Json case_json(const Plan& plan, const Case& given) { return Json::parse("{" + case_text(plan, given) + "}"); }

Json settled_json(const Settled& s) {
  Json j{{"word", s.word}, {"value", s.value}, {"others", Json::array()}};
  for (const Settled::Other& o : s.others) {
    Json other{{"value", o.value}};
    if (o.excluded) other["excluded_by"] = *o.excluded;
    if (!o.argument.empty()) other["argument"] = o.argument;
    other["open"] = o.open;
    j["others"].push_back(std::move(other));
  }
  return j;
}

}  // namespace

std::string_view outcome_word(IdentifyOutcome outcome) {
  switch (outcome) {
    case IdentifyOutcome::found: return "found";
    case IdentifyOutcome::undecided: return "undecided";
    case IdentifyOutcome::no_word: return "no word";
    case IdentifyOutcome::inconsistent: return "inconsistent";
  }
  return {};
}

std::string as_text(const Subject& subject, const Identified& found, const ReportNames& names) {
  return Told(subject, found, names).all();
}

Json as_json(const Subject& subject, const Identified& found, const ReportNames& names) {
  const Plan& plan = subject.plan;
  Json j{{"unit", names.unit},           {"outcome", outcome_word(found.outcome)},
         {"questions", found.questions}, {"before_confirming", found.before_confirming},
         {"confirmed", found.confirmed}, {"datapaths_tried", found.tried}};
  j["classes"] = Json::array();
  for (const AgreeingClass& c : found.classes)
    j["classes"].push_back(
        {{"from", c.first.from}, {"datapath", yaml_text(c.first.plan->datapath, plan.k)}, {"as_well", c.as_well}});
  j["words"] = Json::array();
  for (const Settled& s : found.settled) j["words"].push_back(settled_json(s));
  j["next"] = Json::array();
  for (const Case& c : found.next) j["next"].push_back(case_json(plan, c));
  if (found.nearest) j["nearest"] = {{"from", found.nearest->from}, {"contradicts", found.nearest->wrong}};
  if (found.against) {
    j["case"] = case_json(plan, found.against->given);
    j["case"]["d"] = code_text(plan, found.against->d);
    if (found.other_answer) j["case"]["asked_again"] = code_text(plan, *found.other_answer);
  }
  j["points_at"] = found.points_at;
  return j;
}

}  // namespace assay::identify
