#include "tb/campaign/score_kind.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "model/base/output_file.hpp"
#include "tb/campaign/coverage_counts.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/coverage/sampler.hpp"
#include "tb/score/report.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::uint64_t batch =
    1000;  // of cases, as `assay score` takes them: an argument is held to the first of these
constexpr std::uint64_t measured_cases = 512;  // of coverage

struct ScoredSubject {
  Subject subject;
  NanRule nan = NanRule::bits;
  std::vector<Mutant> mutants;
};

struct ScoreSettings {
  std::vector<ScoredSubject> subjects;
  CasesChosen cases;

  bool alone() const { return subjects.size() == 1; }
  // The one behind the mutants of all.
  bool is_coverage(std::size_t series) const { return series == subjects.size(); }
};

Coverage sampled(const ScoreSettings& settings, CaseRange range) {
  const Subject& subject = settings.subjects.front().subject;
  const Generator generator = settings.cases.generator(subject.plan);
  Sampler sampler(subject.plan);
  for (std::uint64_t i = 0; i < range.count; ++i) sampler.see(generator.make(range.at(i)));
  return sampler.coverage();
}

class ScoreFold : public Fold {
 public:
  explicit ScoreFold(const ScoreSettings& settings) : settings_(settings), killers_(settings.subjects.size()) {
    if (settings.alone()) coverage_ = sampled(settings, {});
  }

  void add(const Portion& portion, const json& record) override {
    if (settings_.is_coverage(portion.series)) {
      covered_ += portion.units.count;
      return add_counts(*coverage_, record);
    }
    for (const json& kill : record.at("killed"))
      killers_.at(portion.series)[kill.at(0).get<std::size_t>()] = kill.at(1).get<std::uint64_t>();
  }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    MergedResult outcome;
    json scores = json::array();
    if (covered_ < settings_.cases.blocks.count()) coverage_.reset();  // of a part of the cases it would say too little
    if (!settings_.alone()) outcome.text = score_table_head(false);
    Counts total;
    for (std::size_t i = 0; i < settings_.subjects.size(); ++i) {
      const KillScore score = scored(i);
      const ScoreTitle title = title_of(i);
      const Counts counts = score.counts();
      scores.push_back(score_json(title, score));
      scores.back()["status"] = counts.open == 0 ? 0 : 1;
      outcome.text += settings_.alone() ? score_text(title, score) : score_row(title, score);
      total.killed += counts.killed;
      total.equivalent += counts.equivalent;
      total.open += counts.open;
    }
    if (!settings_.alone()) outcome.text += score_table_foot(total);
    if (total.open != 0) outcome.ending = Ending::mismatch;
    json all{{"scores", scores}, {"status", total.open == 0 ? 0 : 1}};
    if (!missing.empty()) {
      all["missing"] = missing;
      outcome.text += missing + "\n";
      outcome.ending = Ending::nothing_compared;  // what is missing counts as open
    }
    write_whole_file(folder + "/score.json", all.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
    outcome.files = {"score.json"};
    return outcome;
  }

 private:
  KillScore scored(std::size_t i) const {
    const ScoredSubject& one = settings_.subjects[i];
    const Generator generator = settings_.cases.generator(one.subject.plan);
    std::vector<Mutant> mutants = one.mutants;
    for (const auto& [mutant, number] : killers_[i]) mutants.at(mutant).killer = generator.make(number);
    KillScore score(one.subject.plan, one.nan, std::move(mutants), settings_.cases.blocks.cases);
    score.exhaust();
    return score;
  }

  ScoreTitle title_of(std::size_t i) const {
    const Subject& subject = settings_.subjects[i].subject;
    const auto generator = std::make_shared<Generator>(settings_.cases.generator(subject.plan));
    return {subject.name,
            subject.option,
            settings_.cases.text(*generator),
            [generator](const Case& c) { return std::string(generator->family(c.number).name); },
            {},
            coverage_};
  }

  const ScoreSettings& settings_;
  std::vector<std::map<std::size_t, std::uint64_t>> killers_;  // by mutant: the first case
  std::optional<Coverage> coverage_;
  std::uint64_t covered_ = 0;  // blocks
};

class ScoreJob : public Job {
 public:
  explicit ScoreJob(const Order& order) {
    settings_.cases = cases_in(order.file);
    for (Subject& subject : subjects_in(order)) {
      settings_.cases.generator(subject.plan);
      const NanRule nan = nan_in(order.file, subject);
      std::vector<Mutant> mutants = mutants_of(subject.plan, nan);
      settings_.subjects.push_back({std::move(subject), nan, std::move(mutants)});
    }
    if (settings_.subjects.empty()) order.file.fail("`instruction` or `datapath` is missing: say what is scored.");
  }

  std::vector<WorkSeries> series() const override {
    std::vector<WorkSeries> all;
    for (const ScoredSubject& one : settings_.subjects)
      all.push_back({"mutants of " + one.subject.name, one.mutants.size()});
    if (settings_.alone())
      all.push_back({"coverage of " + settings_.subjects.front().subject.name, settings_.cases.blocks.count()});
    return all;
  }

  std::vector<Ingredient> ingredients() const override {
    std::vector<Ingredient> all;
    for (const ScoredSubject& one : settings_.subjects)
      all.push_back({one.subject.name, one.subject.header.datapath_sha256});
    return all;
  }

  // Most mutants die in the first batch: the second one says what the others take.
  double seconds_of_unit(std::size_t series) override {
    const double cases = static_cast<double>(settings_.cases.blocks.cases);
    if (settings_.is_coverage(series)) {
      const double seconds = timed([&] { sampled(settings_, {0, measured_cases}); });
      return seconds * static_cast<double>(settings_.cases.blocks.size) / static_cast<double>(measured_cases);
    }
    const ScoredSubject& one = settings_.subjects.at(series);
    const Generator generator = settings_.cases.generator(one.subject.plan);
    KillScore score(one.subject.plan, one.nan, one.mutants);
    const double first = timed([&] { score.see(made(generator, 0)); });
    const double second = timed([&] { score.see(made(generator, batch)); });
    return (first + second * std::max(0.0, cases / batch - 1)) / static_cast<double>(one.mutants.size());
  }

  Finished run(const Portion& portion, const GoOn& go_on) override {
    Finished finished;
    finished.units = portion.units.count;
    if (settings_.is_coverage(portion.series)) {
      finished.record = counts_of(sampled(settings_, settings_.cases.blocks.of(portion.units)));
      return finished;
    }
    const ScoredSubject& one = settings_.subjects.at(portion.series);
    const auto first = one.mutants.begin() + static_cast<std::ptrdiff_t>(portion.units.first);
    KillScore score(one.subject.plan, one.nan, {first, first + static_cast<std::ptrdiff_t>(portion.units.count)});
    const Generator generator = settings_.cases.generator(one.subject.plan);
    for (std::uint64_t done = 0; done < settings_.cases.blocks.cases; done += batch) {
      score.see(made(generator, done));
      go_on(0);
    }
    json killed = json::array();
    for (std::size_t i = 0; i < score.mutants().size(); ++i) {
      const auto& killer = score.mutants()[i].killer;
      if (killer) killed.push_back({portion.units.first + i, killer->number});
    }
    finished.record = {{"killed", killed}};
    return finished;
  }

  std::unique_ptr<Fold> fold() override { return std::make_unique<ScoreFold>(settings_); }

 private:
  template <class Action>
  static double timed(Action action) {
    const auto began = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

  std::vector<Case> made(const Generator& generator, std::uint64_t from) const {
    std::vector<Case> cases;
    const std::uint64_t end = std::min(from + batch, settings_.cases.blocks.cases);
    for (std::uint64_t i = from; i < end; ++i) cases.push_back(generator.make(i));
    return cases;
  }

  ScoreSettings settings_;
};

}  // namespace

std::unique_ptr<Job> open_score(const Order& order) { return std::make_unique<ScoreJob>(order); }

}  // namespace assay::campaign
