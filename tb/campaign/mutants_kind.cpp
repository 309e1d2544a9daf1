#include "tb/campaign/mutants_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/run/comparison.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/run/waivers_file.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::uint64_t tried_at_once = 1024;         // cases; a mutant that is killed by one of them is asked no more
constexpr const char* usual_port = "assay_mutant_i";  // as scripts/mutate_rtl names it

struct MutantSettings {
  const Catalogue& catalogue;
  std::string device, port, builds;
  std::uint64_t count = 0;
  Subject subject;
  CasesChosen cases;
  NanRule nan = NanRule::bits;
  std::vector<Waiver> waivers;
};

class MutantFold : public Fold {
 public:
  explicit MutantFold(std::uint64_t count) : count_(count) {}

  void add(const Portion& portion, const json& record) override {
    for (const json& kill : record.at("killed"))
      killed_[kill.at(0).get<std::uint64_t>()] = kill.at(1).get<std::uint64_t>();
    there_ += portion.units.count;
    for (const json& alive : record.at("alive")) alive_.push_back(alive.get<std::uint64_t>());
  }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    std::sort(alive_.begin(), alive_.end());
    json killed = json::array();
    std::uint64_t last = 0;
    for (const auto& [mutant, number] : killed_) {
      killed.push_back({{"mutant", mutant}, {"case", number}});
      last = std::max(last, number);
    }
    MergedResult outcome;
    outcome.text = fmt::format("{} of {} mutants killed, {} alive{}\n", killed_.size(), there_, alive_.size(),
                               killed_.empty() ? "" : "; the last one killed by case " + grouped(last));
    for (const std::uint64_t mutant : alive_) outcome.text += fmt::format("  alive: mutant {}\n", mutant);
    json all{{"mutants", count_}, {"killed", killed}, {"alive", alive_}};
    outcome.ending = alive_.empty() ? Ending::passed : Ending::mismatch;
    if (!missing.empty()) {
      all["missing"] = missing;
      outcome.text += missing + "\n";
      if (outcome.ending == Ending::passed) outcome.ending = Ending::nothing_compared;
    }
    write_whole_file(folder + "/mutants.json", all.dump(1) + "\n");
    outcome.files = {"mutants.json"};
    return outcome;
  }

 private:
  std::uint64_t count_, there_ = 0;
  std::map<std::uint64_t, std::uint64_t> killed_;
  std::vector<std::uint64_t> alive_;
};

class MutantJob : public Job {
 public:
  explicit MutantJob(const Order& order)
      : settings_{order.catalogue,
                  device_from(order.folder, order.file.at("device").text()),
                  usual_port,
                  order.builds,
                  whole_in(order.file.at("count"), 1, 1'000'000'000),
                  subject_in(order),
                  cases_in(order.file),
                  {},
                  {}},
        log_(order.log) {
    if (const auto port = order.file.find("port")) settings_.port = port->text();
    if (const auto waivers = order.file.find("waivers")) {
      waiver_file_ = path_from(order.folder, waivers->text());
      settings_.waivers = read_waivers(waiver_file_);
    }
    settings_.nan = nan_in(order.file, settings_.subject);
    settings_.cases.generator(settings_.subject.plan);
  }

  std::vector<WorkSeries> series() const override { return {{"mutants of " + settings_.device, settings_.count}}; }

  // A device that takes no mutants is refused here, and not by each shard.
  void prepare() override {
    share_device(settings_.device, settings_.subject, settings_.catalogue, log_, settings_.builds);
    opened(spec_of(0));
  }

  std::vector<Ingredient> ingredients() const override {
    std::vector<Ingredient> all{
        {settings_.device, device_sha256(settings_.device, settings_.subject, settings_.catalogue, settings_.builds)},
        {settings_.subject.name, settings_.subject.header.datapath_sha256}};
    if (!waiver_file_.empty()) all.push_back({waiver_file_, file_sha256(waiver_file_)});
    return all;
  }

  // Of one that lives, which takes longest: mutant 0 is the unit itself.
  double seconds_of_unit(std::size_t) override {
    const auto began = std::chrono::steady_clock::now();
    killer_of(0);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

  Finished run(const Portion& portion, const GoOn& go_on) override {
    Finished finished;
    json killed = json::array(), alive = json::array();
    while (finished.units < portion.units.count) {
      const std::uint64_t mutant = portion.units.first + finished.units + 1;
      if (const auto killer = killer_of(mutant)) {
        killed.push_back({mutant, *killer});
      } else {
        alive.push_back(mutant);
      }
      ++finished.units;
      if (!go_on(0)) break;
    }
    finished.record = {{"killed", killed}, {"alive", alive}};
    return finished;
  }

  std::unique_ptr<Fold> fold() override { return std::make_unique<MutantFold>(settings_.count); }

 private:
  static Subject subject_in(const Order& order) {
    std::vector<Subject> subjects = subjects_in(order);
    if (subjects.empty())
      subjects =
          subjects_of_device(device_from(order.folder, order.file.at("device").text()), order.catalogue, order.log);
    if (subjects.size() != 1) order.file.fail("`instruction` has to name one that the unit claims to be.");
    return std::move(subjects.front());
  }

  std::string spec_of(std::uint64_t mutant) const {
    return fmt::format("{}#{}={:x}", settings_.device, settings_.port, mutant);
  }
  std::unique_ptr<Device> opened(const std::string& spec) const {
    return open_shared_device(spec, settings_.subject, settings_.catalogue, log_, settings_.builds);
  }

  // The first case that does, if one does.
  std::optional<std::uint64_t> killer_of(std::uint64_t mutant) const {
    const std::string spec = spec_of(mutant);
    const auto device = opened(spec);
    const auto model = open_device("model", settings_.subject, settings_.catalogue, log_);
    const std::uint64_t all = settings_.cases.blocks.cases;
    for (std::uint64_t done = 0; done < all; done += tried_at_once) {
      const CaseRange range{done, std::min(tried_at_once, all - done)};
      if (const auto killer = killer_among(range, {"model", *model}, {spec, *device})) return killer;
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> killer_among(CaseRange range, const Party& model, const Party& device) const {
    // Ranges that are named have no history: no smaller case is looked for.
    const GeneratedChoice choice{settings_.cases.seed, settings_.cases.family, {range}, "these"};
    const auto cases = generated_cases(settings_.cases.generator(settings_.subject.plan), choice);
    RunOptions options;
    options.nan = settings_.nan;
    options.max_failures = 1;
    options.waivers = settings_.waivers;
    const Comparison found = compare(settings_.subject, model, device, *cases, options);
    if (found.scoreboard.failures().empty()) return std::nullopt;
    return found.scoreboard.failures().front().given.number;
  }

  MutantSettings settings_;
  std::string waiver_file_;
  std::ostream& log_;
};

}  // namespace

std::unique_ptr<Job> open_mutants(const Order& order) { return std::make_unique<MutantJob>(order); }

}  // namespace assay::campaign
