#include "tb/campaign/explore_kind.hpp"

#include <algorithm>
#include <filesystem>

#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "tb/campaign/journals.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/explore/effort.hpp"
#include "tb/explore/findings.hpp"
#include "tb/explore/output.hpp"
#include "tb/explore/report/study_folder.hpp"
#include "tb/explore/runner.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr double most_seconds = 1e12;  // of a study: a campaign is what a long one is for

struct StudySettings {
  Study study;
  Machines machines;
};

// The journals of shards as one, from which the study itself is then finished.
class StudyFold : public Fold {
 public:
  explicit StudyFold(const StudySettings& settings) : settings_(settings) {}

  void add(const Portion& portion, const json& record) override { journals_.add(portion, record); }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    journals_.put_together(folder);
    MergedResult outcome;
    outcome.files = {"journal.jsonl"};
    const Study& study = settings_.study;
    const std::string next = "assay explore " + study.file + " --out " + folder;
    if (!missing.empty() || study.cost || study.budget != 0) {
      outcome.text = missing.empty() ? "Costs and budgets are worked out on one machine: " + next + "\n"
                                     : missing + "\nThis runs what is missing: " + next + "\n";
      outcome.ending = missing.empty() ? Ending::passed : Ending::nothing_compared;
      return outcome;
    }
    const Samples samples = run_study(study, settings_.machines, {folder, 1, {}});
    StudyResult result = result_of(study, settings_.machines, samples, ASSAY_VERSION);
    const Findings findings = findings_of(study, result);
    result.findings = findings.list;
    write_study_folder(folder, result);
    outcome.ending = findings.missed == 0 ? Ending::passed : Ending::mismatch;
    outcome.text = result_table(result) + "\n" + findings_text(result);
    for (const char* file : {"result.json", "table.csv", "report.html"}) outcome.files.emplace_back(file);
    return outcome;
  }

 private:
  const StudySettings& settings_;
  Journals journals_;
};

class StudyJob : public Job {
 public:
  explicit StudyJob(const Order& order) {
    const std::string name = order.file.at("study").text(), file = path_from(order.folder, name);
    const std::vector<std::string> shipped = study_names(order.catalogue);
    const bool is_name = std::find(shipped.begin(), shipped.end(), name) != shipped.end();
    settings_.study = read_study(is_name ? study_path(order.catalogue, name) : file, order.catalogue);
    Study& study = settings_.study;
    study.seeds = static_cast<int>(whole_of(order.file, "seeds", static_cast<std::uint64_t>(study.seeds), 1, 10'000));
    settings_.machines = machines_of(study, order.catalogue, most_seconds);
    check_expectations(study, result_of(study, settings_.machines, Samples(study, settings_.machines), ASSAY_VERSION));
    threads_ = static_cast<int>(whole_of(order.file, "threads", 1, 1, 256));
  }

  std::vector<WorkSeries> series() const override {
    return {{"study " + settings_.study.name, units_of(settings_.study, settings_.machines)}};
  }

  std::vector<Ingredient> ingredients() const override {
    std::vector<Ingredient> all{{settings_.study.file, sha256(settings_.study.text)}};
    for (const StudyInput& input : settings_.study.inputs) {
      if (!input.file.empty()) all.push_back({input.file, file_sha256(input.file)});
    }
    return all;
  }

  double seconds_of_unit(std::size_t) override {
    return measured_effort(settings_.study, settings_.machines).seconds /
           static_cast<double>(units_of(settings_.study, settings_.machines));
  }

  // The journal keeps what is finished: a shard that was killed goes on where it was.
  Finished run(const Portion& portion, const GoOn& go_on) override {
    const RunPlace place{portion.file, threads_, [&](double) { go_on(0); }, portion.units.first, portion.units.count};
    run_study(settings_.study, settings_.machines, place);
    Finished finished;
    finished.units = portion.units.count;
    finished.record = {{"journal", file_sha256(journal_in(portion.file))}};
    return finished;
  }

  std::unique_ptr<Fold> fold() override { return std::make_unique<StudyFold>(settings_); }

 private:
  StudySettings settings_;
  int threads_ = 1;
};

}  // namespace

std::unique_ptr<Job> open_explore(const Order& order) { return std::make_unique<StudyJob>(order); }

}  // namespace assay::campaign
