#include "tb/campaign/design_kind.hpp"

#include <fmt/format.h>

#include "model/base/sha256.hpp"
#include "tb/campaign/journals.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/design/design.hpp"
#include "tb/design/pieces.hpp"

namespace assay::campaign {
namespace {

using design::KnownPoints;
using nlohmann::json;

// A limit may be missed by infinity, which JSON has not.
std::string number_text(double number) { return fmt::format("{}", number); }

json cost_json(const CostAnswer& answer) {
  if (!answer.cost) return {{"none", answer.no_cost}};
  const Cost& c = *answer.cost;
  return {{"cells", c.cells},  {"area", c.area},     {"depth", c.depth},
          {"delay", c.delay},  {"energy", c.energy}, {"clocked_area", c.clocked_area},
          {"tables", c.tables}};
}

CostAnswer cost_in(const json& data) {
  if (data.contains("none")) return {std::nullopt, data.at("none").get<std::string>()};
  return {Cost{data.at("cells").get<int>(), data.at("area").get<double>(), data.at("depth").get<int>(),
               data.at("delay").get<double>(), data.at("energy").get<double>(), data.at("clocked_area").get<double>(),
               data.at("tables").get<int>()},
          ""};
}

json json_of(const KnownPoints& known) {
  json costs = json::object(), judgements = json::array();
  for (const auto& [wiring, answer] : known.costs) costs[wiring] = cost_json(answer);
  for (const auto& [what, judgement] : known.judgements)
    judgements.push_back({{"point", what.first},
                          {"limit", what.second},
                          {"met", judgement.met},
                          {"found", judgement.found},
                          {"excess", number_text(judgement.excess)}});
  return {{"costs", costs}, {"judgements", judgements}};
}

void add(const json& record, KnownPoints& known) {
  const json& costs = record.at("costs");
  for (auto cost = costs.begin(); cost != costs.end(); ++cost) known.costs[cost.key()] = cost_in(cost.value());
  for (const json& data : record.at("judgements"))
    known.judgements[{data.at("point").get<int>(), data.at("limit").get<std::size_t>()}] = {
        data.at("met").get<bool>(), data.at("found").get<std::string>(),
        std::stod(data.at("excess").get<std::string>())};
}

// Journals, costs and judgements of shards as one, from which the answer is then made.
class DesignFold : public Fold {
 public:
  DesignFold(std::string spec, const Catalogue& catalogue) : spec_(std::move(spec)), catalogue_(catalogue) {}

  void add(const Portion& portion, const json& record) override {
    journals_.add(portion, record);
    campaign::add(record, known_);
  }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    journals_.put_together(folder);
    MergedResult outcome;
    outcome.files = {"journal.jsonl"};
    if (!missing.empty()) {
      outcome.text =
          missing + "\nThis runs what is missing: assay design " + spec_ + " --exhaust --out " + folder + "\n";
      outcome.ending = Ending::nothing_compared;
      return outcome;
    }
    design::SearchAllowance effort;
    effort.exhaust = true;
    const design::FinishedDesign d = design::design(spec_, catalogue_, {folder, ASSAY_VERSION, &known_}, effort, {});
    outcome.ending = d.answer.chosen.empty() ? Ending::mismatch : Ending::passed;
    outcome.text = d.spec.study.title + "\n" + design::answer_text(d.spec, d.space, d.found, d.answer);
    for (const char* file : {"answer.json", "points.csv", "report.html"}) outcome.files.emplace_back(file);
    return outcome;
  }

 private:
  std::string spec_;
  const Catalogue& catalogue_;
  Journals journals_;
  KnownPoints known_;
};

class DesignJob : public Job {
 public:
  explicit DesignJob(const Order& order)
      : spec_(path_from(order.folder, order.file.at("spec").text())),
        catalogue_(order.catalogue),
        pieces_(spec_, order.catalogue),
        threads_(static_cast<int>(whole_of(order.file, "threads", 1, 1, 256))) {}

  std::vector<WorkSeries> series() const override { return {{"design " + pieces_.spec().study.name, pieces_.count()}}; }

  std::vector<Ingredient> ingredients() const override {
    const design::Spec& spec = pieces_.spec();
    std::vector<Ingredient> all{{spec_, sha256(spec.study.text)}};
    for (const StudyInput& input : spec.study.inputs) {
      if (!input.file.empty()) all.push_back({input.file, file_sha256(input.file)});
    }
    for (const design::DesignLimit& limit : spec.limits) {
      if (!limit.file.empty()) all.push_back({limit.file, file_sha256(limit.file)});
    }
    const Synthesis& synthesis = pieces_.synthesis();
    if (spec.needs_gates()) all.push_back({synthesis.version, sha256(synthesis.version + synthesis.sha256)});
    return all;
  }

  double seconds_of_unit(std::size_t) override { return pieces_.seconds_of_one(); }

  // The journal keeps what is finished: a shard that was killed goes on where it was.
  Finished run(const Portion& portion, const GoOn& go_on) override {
    const auto [units, known] =
        pieces_.ask(portion.units.first, portion.units.count, portion.file, threads_, [&] { return go_on(0); });
    Finished finished;
    finished.units = units;
    finished.record = json_of(known);
    finished.record["journal"] = file_sha256(journal_in(portion.file));
    return finished;
  }

  std::unique_ptr<Fold> fold() override { return std::make_unique<DesignFold>(spec_, catalogue_); }

 private:
  std::string spec_;
  const Catalogue& catalogue_;
  design::DesignPieces pieces_;
  int threads_ = 1;
};

}  // namespace

std::unique_ptr<Job> open_design(const Order& order) { return std::make_unique<DesignJob>(order); }

}  // namespace assay::campaign
