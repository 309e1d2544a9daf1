#include "tb/campaign/coverage_kind.hpp"

#include <chrono>
#include <optional>

#include "model/base/output_file.hpp"
#include "tb/campaign/coverage_counts.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/coverage/coverage_files.hpp"
#include "tb/coverage/sampler.hpp"
#include "tb/coverage/text.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::uint64_t measured_cases = 512;

class CoverageFold : public Fold {
 public:
  explicit CoverageFold(std::vector<Coverage> empty) : all_(std::move(empty)) {}

  void add(const Portion& portion, const json& record) override { add_counts(all_.at(portion.series), record); }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    MergedResult outcome;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::string name = all_.size() == 1 ? "coverage.json" : "coverage-" + std::to_string(i + 1) + ".json";
      write_whole_file(folder + "/" + name, coverage_json(all_[i]));
      outcome.files.push_back(name);
      outcome.text += coverage_table(all_[i]);
      if (!all_[i].contradictions().empty()) outcome.ending = Ending::mismatch;
    }
    if (!missing.empty()) {
      outcome.text += missing + "\n";
      if (outcome.ending == Ending::passed) outcome.ending = Ending::nothing_compared;
    }
    return outcome;
  }

 private:
  std::vector<Coverage> all_;
};

class CoverageJob : public Job {
 public:
  explicit CoverageJob(const Order& order) : subjects_(subjects_in(order)), cases_(cases_in(order.file)) {
    if (subjects_.empty()) order.file.fail("`instruction` or `datapath` is missing: say what the cases are of.");
    for (const Subject& subject : subjects_) cases_.generator(subject.plan);
  }

  std::vector<WorkSeries> series() const override {
    std::vector<WorkSeries> all;
    for (const Subject& subject : subjects_) all.push_back({subject.name, cases_.blocks.count()});
    return all;
  }

  std::vector<Ingredient> ingredients() const override {
    std::vector<Ingredient> all;
    for (const Subject& subject : subjects_) all.push_back({subject.name, subject.header.datapath_sha256});
    return all;
  }

  double seconds_of_unit(std::size_t series) override {
    const auto began = std::chrono::steady_clock::now();
    sampled(subjects_.at(series), {0, measured_cases});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return seconds * static_cast<double>(cases_.blocks.size) / static_cast<double>(measured_cases);
  }

  Finished run(const Portion& portion, const GoOn&) override {
    Finished finished;
    finished.units = portion.units.count;
    finished.record = counts_of(sampled(subjects_.at(portion.series), cases_.blocks.of(portion.units)));
    return finished;
  }

  std::unique_ptr<Fold> fold() override {
    std::vector<Coverage> empty;
    for (const Subject& subject : subjects_) empty.push_back(sampled(subject, {}));
    return std::make_unique<CoverageFold>(std::move(empty));
  }

 private:
  Coverage sampled(const Subject& subject, CaseRange range) const {
    const Generator generator = cases_.generator(subject.plan);
    Sampler sampler(subject.plan);
    for (std::uint64_t i = 0; i < range.count; ++i) sampler.see(generator.make(range.at(i)));
    Coverage coverage = sampler.coverage();
    coverage.subject = subject.name;
    coverage.datapath_sha256 = subject.header.datapath_sha256;
    return coverage;
  }

  std::vector<Subject> subjects_;
  CasesChosen cases_;
};

}  // namespace

std::unique_ptr<Job> open_coverage(const Order& order) { return std::make_unique<CoverageJob>(order); }

}  // namespace assay::campaign
