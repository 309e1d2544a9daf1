#include "tb/campaign/manifest.hpp"

#include <algorithm>

#include "model/base/sha256.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr int manifest_version = 2;

json json_of(const PlannedSeries& planned) {
  return {{"name", planned.series.name},
          {"units", planned.series.units},
          {"seconds_a_unit", planned.seconds},
          {"shards", planned.shards}};
}

PlannedSeries planned_in(const json& entry) {
  PlannedSeries planned{{entry.at("name").get<std::string>(), entry.at("units").get<std::uint64_t>()},
                        entry.at("seconds_a_unit").get<double>(),
                        entry.at("shards").get<std::uint64_t>()};
  return planned;
}

json with_hash(json all) {
  all["sha256"] = sha256(all.dump());
  return all;
}

}  // namespace

std::uint64_t CampaignManifest::shards() const {
  std::uint64_t sum = 0;
  for (const PlannedSeries& planned : series) sum += planned.shards;
  return sum;
}

std::uint64_t CampaignManifest::units() const {
  std::uint64_t sum = 0;
  for (const PlannedSeries& planned : series) sum += planned.series.units;
  return sum;
}

Portion CampaignManifest::portion(std::uint64_t shard) const {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const PlannedSeries& planned = series[i];
    if (shard <= before + planned.shards)
      return {i, Shard{shard - before, planned.shards}.of(planned.series.units), ""};
    before += planned.shards;
  }
  return {};
}

double CampaignManifest::seconds(const Portion& portion) const {
  return series.at(portion.series).seconds * static_cast<double>(portion.units.count);
}

std::string manifest_json(const CampaignManifest& m) {
  json ingredients = json::array(), series = json::array();
  for (const Ingredient& one : m.ingredients) ingredients.push_back({{"name", one.name}, {"sha256", one.sha256}});
  for (const PlannedSeries& planned : m.series) series.push_back(json_of(planned));
  const json all{{"assay_campaign", manifest_version},
                 {"name", m.name},
                 {"kind", m.kind},
                 {"file", m.file},
                 {"text", m.text},
                 {"version", m.version},
                 {"program", m.program},
                 {"program_sha256", m.program_sha256},
                 {"catalogue_sha256", m.catalogue_sha256},
                 {"ingredients", ingredients},
                 {"until_failures", m.until_failures},
                 {"threads", m.threads},
                 {"series", series}};
  return with_hash(all).dump(1) + "\n";
}

CampaignManifest manifest_in(const std::string& text, const std::string& name) try {
  const json all = json::parse(text);
  if (all.at("assay_campaign").get<int>() != manifest_version)
    throw Error{name + ": This manifest is of another version; plan the campaign anew."};
  CampaignManifest m{all.at("name").get<std::string>(),
                     all.at("kind").get<std::string>(),
                     all.at("text").get<std::string>(),
                     all.at("file").get<std::string>(),
                     all.at("version").get<std::string>(),
                     all.at("program").get<std::string>(),
                     all.at("program_sha256").get<std::string>(),
                     all.at("catalogue_sha256").get<std::string>(),
                     {},
                     all.at("until_failures").get<std::uint64_t>(),
                     all.at("threads").get<int>(),
                     {},
                     sha256(text)};
  for (const json& one : all.at("ingredients"))
    m.ingredients.push_back({one.at("name").get<std::string>(), one.at("sha256").get<std::string>()});
  for (const json& entry : all.at("series")) m.series.push_back(planned_in(entry));
  // One whose numbers were changed plans other work than its own text, for hours and without a word.
  if (manifest_json(m) != text)
    throw Error{name +
                ": This manifest was changed since it was planned; change the campaign's file and plan it anew."};
  return m;
} catch (const json::exception&) {
  throw Error{name + ": This is no manifest of a campaign; `assay campaign plan` writes one."};
}

}  // namespace assay::campaign
