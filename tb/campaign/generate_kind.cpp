#include "tb/campaign/generate_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "model/base/json.hpp"
#include "model/base/sha256.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/run/generated_file.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/writer.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::uint64_t measured_cases = 4096;

struct GenerateSettings {
  Subject subject;
  CasesChosen cases;
  bool with_results = false;
  std::string output = "cases.jsonl";

  GeneratedSet set(CaseRange range, const std::string& part) const {
    return {cases.seed, cases.family, range, part, with_results};
  }
};

// The parts one after the other, each of which is read whole.
class GenerateFold : public Fold {
 public:
  explicit GenerateFold(const GenerateSettings& settings) : settings_(settings) {}

  void add(const Portion& portion, const json& record) override {
    parts_[portion.units.first] = {portion.file, record.at("cases").get<std::uint64_t>(),
                                   record.at("sha256").get<std::string>()};
  }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    std::uint64_t cases = 0;
    for (const auto& [first, part] : parts_) cases += part.cases;
    const bool whole = missing.empty();
    VectorHeader header = header_of(settings_.set({0, cases}, ""), settings_.subject);
    if (!whole) header.provenance.push_back({"missing", json_string(missing)});
    const CaseShape shape = case_shape(settings_.subject.plan);
    VectorWriter writer(folder + "/" + settings_.output, header, shape);
    for (const auto& [first, part] : parts_) copy(part, shape, writer);
    writer.finish();
    MergedResult outcome;
    outcome.ending = whole ? Ending::passed : Ending::nothing_compared;
    outcome.text = fmt::format("{} in {}\n", counted(cases, "case"), settings_.output) + missing + (whole ? "" : "\n");
    outcome.files = {settings_.output};
    return outcome;
  }

 private:
  struct Part {
    std::string file;
    std::uint64_t cases = 0;
    std::string sha256;
  };

  static void copy(const Part& part, const CaseShape& shape, VectorWriter& writer) {
    if (file_sha256(part.file) != part.sha256)
      throw Error{
          fmt::format("{} is not what its result says; remove the result, and run its shard again.", part.file)};
    VectorReader reader(part.file);
    for (Case c; reader.next(shape, c);) writer.write(c);
  }

  const GenerateSettings& settings_;
  std::map<std::uint64_t, Part> parts_;  // by the block that each begins with
};

class GenerateJob : public Job {
 public:
  explicit GenerateJob(const Order& order) : settings_(settings_in(order)) {}

  std::vector<WorkSeries> series() const override { return {{settings_.subject.name, settings_.cases.blocks.count()}}; }

  std::vector<Ingredient> ingredients() const override {
    return {{settings_.subject.name, settings_.subject.header.datapath_sha256}};
  }

  double seconds_of_unit(std::size_t) override {
    const auto began = std::chrono::steady_clock::now();
    write("/dev/null", {0, std::min(measured_cases, settings_.cases.blocks.cases)}, "");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return seconds * static_cast<double>(settings_.cases.blocks.size) / static_cast<double>(measured_cases);
  }

  Finished run(const Portion& portion, const GoOn&) override {
    const CaseRange range = settings_.cases.blocks.of(portion.units);
    write(portion.file, range,
          fmt::format("blocks {}-{}", portion.units.first, portion.units.first + portion.units.count));
    Finished finished;
    finished.units = portion.units.count;
    finished.record = {{"cases", range.count}, {"sha256", file_sha256(portion.file)}};
    return finished;
  }

  std::unique_ptr<Fold> fold() override { return std::make_unique<GenerateFold>(settings_); }

 private:
  static GenerateSettings settings_in(const Order& order) {
    std::vector<Subject> subjects = subjects_in(order);
    if (subjects.size() != 1)
      order.file.fail("`instruction` or `datapath` has to name one: a vector file is of one instruction.");
    GenerateSettings settings{std::move(subjects.front()), cases_in(order.file)};
    settings.cases.generator(settings.subject.plan);
    if (const auto results = order.file.find("with_results")) settings.with_results = results->boolean();
    if (const auto output = order.file.find("output")) {
      settings.output = output->text();
      if (settings.output.find('/') != std::string::npos)
        output->fail("this is the name of a file in the folder of the merged results, without a folder of its own.");
    }
    return settings;
  }

  void write(const std::string& path, CaseRange range, const std::string& part) const {
    const GeneratedSet set = settings_.set(range, part);
    VectorWriter writer(path, header_of(set, settings_.subject), case_shape(settings_.subject.plan));
    write_generated(set, settings_.subject, settings_.cases.generator(settings_.subject.plan), writer);
  }

  GenerateSettings settings_;
};

}  // namespace

std::unique_ptr<Job> open_generate(const Order& order) { return std::make_unique<GenerateJob>(order); }

}  // namespace assay::campaign
