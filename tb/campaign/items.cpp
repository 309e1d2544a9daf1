#include "tb/campaign/items.hpp"

#include <map>

#include "model/base/output_file.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr Ending endings[] = {Ending::passed, Ending::mismatch, Ending::nothing_compared};

// What a run took differs from run to run, and is no part of what was found.
json without_seconds(const json& data) {
  if (!data.is_structured()) return data;
  json kept = data.is_array() ? json::array() : json::object();
  for (const auto& [name, value] : data.items()) {
    if (data.is_array()) {
      kept.push_back(without_seconds(value));
    } else if (name != "seconds" && name != "version") {
      kept[name] = without_seconds(value);
    }
  }
  return kept;
}

class ItemFold : public Fold {
 public:
  explicit ItemFold(std::vector<std::string> names) : names_(std::move(names)) {}

  void add(const Portion& portion, const json& record) override { items_[portion.series] = record; }

  MergedResult write(const std::string& folder, const std::string& missing) override {
    MergedResult outcome;
    json items = json::array();
    for (const auto& [item, record] : items_) {
      outcome.text += record.at("text").get<std::string>() + "\n";
      items.push_back({{"name", names_.at(item)}, {"report", record.at("data")}});
      const Ending ending = endings[record.at("ending").get<std::size_t>()];
      if (outcome.ending != Ending::mismatch && ending != Ending::passed) outcome.ending = ending;
    }
    json all{{"items", items}};
    if (!missing.empty()) {
      all["missing"] = missing;
      outcome.text += missing + "\n";
      if (outcome.ending == Ending::passed) outcome.ending = Ending::nothing_compared;
    }
    write_whole_file(folder + "/report.json", all.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
    outcome.files = {"report.json"};
    return outcome;
  }

 private:
  std::vector<std::string> names_;
  std::map<std::size_t, json> items_;
};

}  // namespace

std::vector<WorkSeries> ItemJob::series() const {
  std::vector<WorkSeries> all;
  for (const std::string& name : names()) all.push_back({name, 1});
  return all;
}

double ItemJob::seconds_of_unit(std::size_t) { return usual_seconds(); }

Finished ItemJob::run(const Portion& portion, const GoOn& go_on) {
  const ItemReport found = report(portion.series);
  Finished finished;
  finished.units = 1;
  finished.failures = found.ending == Ending::mismatch ? 1 : 0;
  if (finished.failures != 0) finished.shown = {names().at(portion.series)};
  std::size_t ending = 0;
  while (endings[ending] != found.ending) ++ending;
  finished.record = {{"ending", ending}, {"text", found.text}, {"data", without_seconds(found.data)}};
  go_on(finished.failures);
  return finished;
}

std::unique_ptr<Fold> ItemJob::fold() { return std::make_unique<ItemFold>(names()); }

}  // namespace assay::campaign
