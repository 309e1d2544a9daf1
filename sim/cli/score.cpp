// assay score: how good a set of cases is, as the mutants it kills.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "sim/cli/generate_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "sim/cli/threads_option.hpp"
#include "sim/cli/verdict.hpp"
#include "tb/score/quality.hpp"
#include "tb/score/report.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::uint64_t batch = 1000;

struct Options {
  std::vector<std::string> files;
  SubjectOptions subject;
  GenerateOptions generate;
  std::uint64_t raw = 0;  // random cases to try; 0: none
  NanOption nan;
  ThreadsOption threads;
  bool json = false;
};

// One set of cases, scored and shown.
struct Scored {
  std::string text, row;
  nlohmann::json json;
  Counts counts;
  int status = passed;
};

int status_of(const KillScore& score) {
  if (score.cases() == 0) return nothing_compared;
  return score.counts().open == 0 ? passed : mismatch;
}

Scored scored(const ScoreTitle& title, const KillScore& score) {
  Scored s{score_text(title, score), score_row(title, score), score_json(title, score), score.counts(),
           status_of(score)};
  s.json["status"] = s.status;
  return s;
}

// Coverage is of the one set that is asked for: a table of hundreds has no room for its time.
QualityAsked asked(bool alone) { return {true, alone}; }

Scored finished(ScoreTitle title, KillScore& score, const Options& options, const Console& console) {
  score.exhaust();
  if (options.raw != 0) {
    Progress progress(console, options.raw);
    title.raw = raw_score(score, options.generate.seed, options.raw, [&](std::uint64_t done) { progress.at(done); });
  }
  return scored(title, score);
}

Scored score_generated(const Subject& subject, bool alone, const Options& options, const Console& console) {
  const Generator generator = options.generate.open(subject.plan);
  CaseQuality quality(subject.plan, options.nan.rule_for(subject), asked(alone), options.threads.count());
  options.generate.each_batch(generator, options.threads.count(), console,
                              [&](const std::vector<Case>& cases) { quality.see(cases); });
  ScoreTitle title{subject.name,
                   subject.option,
                   options.generate.text(generator),
                   [&](const Case& c) { return std::string(generator.family(c.number).name); },
                   {},
                   quality.coverage()};
  return finished(std::move(title), *quality.score(), options, console);
}

Scored score_file(const std::string& file, bool alone, const Options& options, const Catalogue& catalogue,
                  const Console& console) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(catalogue, reader.header(), file);
  warn(subject.warning, console);
  CaseQuality quality(subject.plan, options.nan.rule_for(subject), asked(alone), options.threads.count());
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  Progress progress(console, reader.header().cases.value_or(0));
  for (std::vector<Case> cases; reader.next(shape, batch, cases);) {
    quality.see(cases);
    progress.at(quality.score()->cases());
  }
  ScoreTitle title{fmt::format("{}, {}", reader.file(), subject.name),
                   subject.option,
                   grouped(quality.score()->cases()) + (quality.score()->cases() == 1 ? " case" : " cases"),
                   {},
                   {},
                   quality.coverage()};
  return finished(std::move(title), *quality.score(), options, console);
}

// One instruction, those of an architecture, or all of the catalogue.
std::vector<Subject> subjects(const SubjectOptions& options, const Catalogue& catalogue) {
  const std::string& name = options.instruction;
  if (name.empty()) return {options.open(catalogue)};
  if (const auto one = catalogue.find_instruction(name)) return {subject_of(catalogue, *one)};
  std::vector<Subject> found;
  for (const Architecture& a : catalogue.architectures()) {
    if (name != "all" && &catalogue.architecture(name) != &a) continue;
    for (const Instruction& i : a.instructions) found.push_back(subject_of(catalogue, i));
  }
  return found;
}

class Display {
 public:
  Display(const Options& options, const Console& console, bool table)
      : options_(options), console_(console), table_(table) {
    if (table_ && !options_.json) console_.out << score_table_head(options_.raw != 0);
  }

  void show(const Scored& s) {
    if (options_.json) {
      scores_.push_back(s.json);
    } else {
      console_.out << (table_ ? s.row : s.text) << std::flush;
    }
    total_.killed += s.counts.killed;
    total_.equivalent += s.counts.equivalent;
    total_.open += s.counts.open;
    if (s.status == nothing_compared || status_ == passed) status_ = s.status;
  }

  int end() {
    if (table_ && !options_.json) console_.out << score_table_foot(total_);
    if (options_.json) {
      show_json({{"scores", scores_}, {"status", status_}}, console_);
    }
    return status_;
  }

 private:
  const Options& options_;
  const Console& console_;
  bool table_;
  nlohmann::json scores_ = nlohmann::json::array();
  Counts total_;
  int status_ = passed;
};

int score(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  if (!options.files.empty()) {
    const bool alone = options.files.size() == 1;
    Display display(options, console, !alone);
    for (const std::string& file : options.files) display.show(score_file(file, alone, options, catalogue, console));
    return display.end();
  }
  const std::vector<Subject> list = subjects(options.subject, catalogue);
  const bool alone = list.size() == 1;
  Display display(options, console, !alone);
  for (const Subject& subject : list) display.show(score_generated(subject, alone, options, console));
  return display.end();
}

}  // namespace

void add_score(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("score", "Says which mutants of a datapath a set of cases kills, and with which case.");
  command.footer("Example:  assay score --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --cases 5000");
  CommandOption files = command.add_option("FILE", options->files, "Vector files, in place of generated cases");
  options->subject.add(command);
  options->generate.add(command);
  command.option("--instruction").excludes(files);
  command.option("--datapath").excludes(files);
  GenerateOptions::exclude(command, files, false);  // a seed is --raw's, too
  add_number(command, "--raw", options->raw, {0, most_cases},
             "Also tries up to this many random codes on the mutants that were killed");
  options->nan.add(command);
  options->threads.add(command);
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console, &status] { status = score(*options, console); });
}

}  // namespace assay
