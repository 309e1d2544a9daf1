#include "tb/campaign/compare_kind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "tb/campaign/comparison_sum.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/run/device_speed.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/run/waivers_file.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::size_t most_kept = 200;  // failures of a block, of all places together
constexpr std::size_t most_shown = 3;   // failures that a shard says in a line each
constexpr double measured_seconds = 1;

// A device on an instruction.
struct Pairing {
  std::string device;
  Subject subject;
};

// What stays the same from block to block.
struct CompareSettings {
  const Catalogue& catalogue;
  std::string reference, builds;
  CasesChosen cases;
  std::vector<Waiver> waivers;
  int threads = 1;
};

// Pairs of devices, open for one comparison.
struct OpenPair {
  OpenPair(const CompareSettings& s, const Pairing& p, std::ostream& log)
      : reference(open_shared_device(s.reference, p.subject, s.catalogue, log, s.builds)),
        device(open_shared_device(p.device, p.subject, s.catalogue, log, s.builds)) {}

  std::unique_ptr<Device> reference, device;
};

// "case 17 differs first at step[0].sum.round"
std::vector<std::string> shown_failures(const ComparisonSum& sum) {
  std::vector<std::string> lines;
  for (const auto& [key, alike] : sum.alike()) {
    if (lines.size() == most_shown) break;
    const std::string where = alike.kept.empty() ? "" : fmt::format("case {}: ", alike.kept.begin()->first);
    lines.push_back(fmt::format("{}{}, {} alike{}", where, key.first, alike.cases,
                                key.changes.empty() ? "" : ", as if " + key.changes));
  }
  return lines;
}

class CompareFold : public Fold {
 public:
  // `title` says which devices; `empty` is the summary of nothing.
  struct Entry {
    const Pairing* pairing;
    std::string title;
    Summary empty;
    ComparisonSum sum;
  };

  explicit CompareFold(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  void add(const Portion& portion, const json& record) override { entries_.at(portion.series).sum.add(record); }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    MergedResult outcome;
    json comparisons = json::array();
    for (const Entry& entry : entries_) {
      const Plan& plan = entry.pairing->subject.plan;
      const Summary summary = entry.sum.summary(plan, entry.empty);
      outcome.text += (outcome.text.empty() ? "" : "\n") + text_of(entry, summary);
      comparisons.push_back(json_of(entry, summary));
      outcome.ending = worse(outcome.ending, summary.ending());
    }
    if (!missing.empty()) outcome.text += "\n" + missing + "\n";
    if (!missing.empty()) outcome.ending = worse(outcome.ending, Ending::nothing_compared);
    write_whole_file(folder + "/report.txt", outcome.text);
    json report{{"comparisons", comparisons}};
    if (!missing.empty()) report["missing"] = missing;
    write_whole_file(folder + "/report.json", report.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
    outcome.files = {"report.txt", "report.json"};
    return outcome;
  }

 private:
  static Ending worse(Ending x, Ending y) {
    for (const Ending e : {Ending::mismatch, Ending::nothing_compared}) {
      if (x == e || y == e) return e;
    }
    return Ending::passed;
  }

  static std::string text_of(const AlikeKey& key, const AlikeFailures& alike) {
    std::string text = fmt::format("{} alike: they begin at {}{}\n", counted(alike.cases, "failure"), key.first,
                                   key.changes.empty() ? "" : ", and agree if " + key.changes);
    if (!alike.kept.empty()) text += alike.kept.begin()->second.text;
    text += alike.kept.empty() ? "" : "  to see again:\n";
    for (const auto& [number, failure] : alike.kept) text += "    " + failure.again + "\n";
    for (const std::string& line : alike.explanation) text += "  " + line + "\n";
    return text + "\n";
  }

  static std::string text_of(const Entry& entry, const Summary& summary) {
    std::string text = fmt::format("{}: {}\n", entry.pairing->subject.name, entry.title);
    for (const auto& [key, alike] : entry.sum.alike()) text += text_of(key, alike);
    return text + summary_text(entry.pairing->subject.plan, summary);
  }

  static json json_of(const Entry& entry, const Summary& summary) {
    json alike = json::array();
    for (const auto& [key, failures] : entry.sum.alike()) {
      json cases = json::array();
      for (const auto& [number, failure] : failures.kept) cases.push_back({{"case", number}, {"again", failure.again}});
      alike.push_back({{"first", key.first},
                       {"changes", key.changes},
                       {"cases", failures.cases},
                       {"kept", cases},
                       {"explanation", failures.explanation}});
    }
    return {{"subject", entry.pairing->subject.name},
            {"devices", entry.title},
            {"summary", summary_json(entry.pairing->subject.plan, summary)},
            {"alike", alike}};
  }

  std::vector<Entry> entries_;
};

class CompareJob : public Job {
 public:
  explicit CompareJob(const Order& order)
      : settings_{order.catalogue,      "model", order.builds,
                  cases_in(order.file), {},      static_cast<int>(whole_of(order.file, "threads", 1, 1, 256))},
        log_(order.log) {
    if (const auto reference = order.file.find("reference"))
      settings_.reference = device_from(order.folder, reference->text());
    if (const auto waivers = order.file.find("waivers")) {
      waiver_file_ = path_from(order.folder, waivers->text());
      settings_.waivers = read_waivers(waiver_file_);
    }
    pair(order);
    for (const Pairing& pairing : pairings_) {
      settings_.cases.generator(pairing.subject.plan);  // a family that does not suit is an error now
      rules_.push_back(nan_in(order.file, pairing.subject));
    }
  }

  std::vector<WorkSeries> series() const override {
    std::vector<WorkSeries> all;
    for (const Pairing& pairing : pairings_)
      all.push_back({pairing.device + ", " + pairing.subject.name, settings_.cases.blocks.count()});
    return all;
  }

  void prepare() override {
    for (const Pairing& p : pairings_) {
      for (const std::string& device : {settings_.reference, p.device})
        share_device(device, p.subject, settings_.catalogue, log_, settings_.builds);
    }
  }

  std::vector<Ingredient> ingredients() const override {
    std::vector<Ingredient> all;
    for (const Pairing& p : pairings_) {
      for (const std::string& device : {settings_.reference, p.device}) {
        const std::string hash = device_sha256(device, p.subject, settings_.catalogue, settings_.builds);
        if (!hash.empty()) all.push_back({device + " as " + p.subject.name, hash});
      }
      all.push_back({p.subject.name, p.subject.header.datapath_sha256});
    }
    if (!waiver_file_.empty()) all.push_back({waiver_file_, file_sha256(waiver_file_)});
    return all;
  }

  double seconds_of_unit(std::size_t series) override {
    const Pairing& pairing = pairings_.at(series);
    const OpenPair open(settings_, pairing, log_);
    const bool places = open.reference->offers_trace() && open.device->offers_trace();
    const DeviceSpeed speed = speed_of(pairing.subject, {settings_.reference, *open.reference},
                                       {pairing.device, *open.device}, measured_seconds, places, settings_.threads);
    return static_cast<double>(settings_.cases.blocks.size) / speed.a_second;
  }

  Finished run(const Portion& portion, const GoOn& go_on) override {
    const Pairing& pairing = pairings_.at(portion.series);
    const OpenPair open(settings_, pairing, log_);
    ComparisonSum sum;
    Finished finished;
    while (finished.units < portion.units.count) {
      const std::uint64_t block = portion.units.first + finished.units;
      sum.add(compared(pairing, open, block, rules_.at(portion.series)), block);
      ++finished.units;
      finished.failures = sum.failures();
      if (!go_on(finished.failures)) break;
    }
    finished.shown = shown_failures(sum);
    finished.record = sum.record();
    return finished;
  }

  std::unique_ptr<Fold> fold() override {
    std::vector<CompareFold::Entry> entries;
    for (std::size_t i = 0; i < pairings_.size(); ++i) {
      const Pairing& p = pairings_[i];
      const OpenPair open(settings_, p, log_);
      Scoreboard board(p.subject.plan, rules_[i]);
      board.waive(settings_.waivers);
      board.expect_known(open.reference->known_differences(), open.device->known_differences());
      entries.push_back({&p, open.device->name() + " held to " + open.reference->name(), board.summary(), {}});
    }
    return std::make_unique<CompareFold>(std::move(entries));
  }

 private:
  // Every device on every instruction; where none is named, on what the device itself computes.
  void pair(const Order& order) {
    const std::vector<Subject> subjects = subjects_in(order);
    const std::vector<std::string> devices = words_of(order.file, "device");
    if (devices.empty()) order.file.fail("`device` is missing: name the device to compare, or a list of them.");
    for (const std::string& word : devices) {
      const std::string device = device_from(order.folder, word);
      const std::vector<Subject> own =
          subjects.empty() ? subjects_of_device(device, order.catalogue, order.log) : subjects;
      if (own.empty())
        order.file.fail("`instruction` or `datapath` is missing: " + word + " computes whatever it is asked for.");
      for (const Subject& subject : own) pairings_.push_back({device, subject});
    }
  }

  Comparison compared(const Pairing& pairing, const OpenPair& open, std::uint64_t block, NanRule nan) const {
    const CasesChosen& from = settings_.cases;
    const auto cases =
        generated_cases(from.generator(pairing.subject.plan), {from.seed, from.family, {from.blocks.at(block)}, ""});
    RunOptions options;
    options.nan = nan;
    options.max_failures = most_kept;
    options.max_alike = most_alike;
    options.waivers = settings_.waivers;
    // Only the model says what a word of the datapath does.
    options.explained = settings_.reference == "model" ? Explained::device : Explained::nobody;
    options.catalogue = &settings_.catalogue;
    options.threads = settings_.threads;
    Comparison found = compare(pairing.subject, {settings_.reference, *open.reference}, {pairing.device, *open.device},
                               *cases, options);
    // The source of its cases ends with this function.
    std::map<std::uint64_t, std::string> commands;
    for (const Failure& failure : found.scoreboard.failures())
      commands[failure.given.number] = found.repro(failure.given);
    found.repro = [commands](const Case& c) { return commands.at(c.number); };
    return found;
  }

  CompareSettings settings_;
  std::string waiver_file_;
  std::ostream& log_;
  std::vector<Pairing> pairings_;
  std::vector<NanRule> rules_;
};

}  // namespace

std::unique_ptr<Job> open_compare(const Order& order) { return std::make_unique<CompareJob>(order); }

}  // namespace assay::campaign
