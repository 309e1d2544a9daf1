#include "tb/campaign/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "model/base/files.hpp"
#include "model/base/sha256.hpp"
#include "model/config/digest.hpp"
#include "model/config/home.hpp"
#include "tb/campaign/settings.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

constexpr double usual_minutes = 5;
constexpr std::uint64_t most_shards = 1'000'000;

const std::vector<std::string_view> common_keys{"campaign", "kind", "shards", "shard_minutes", "until_failures"};

void check_keys(const YamlValue& file, const CampaignKind& kind) {
  std::vector<std::string_view> keys = common_keys;
  keys.insert(keys.end(), kind.keys.begin(), kind.keys.end());
  file.only(keys);
}

// As many shards as make each last about so long; no shard is less than a unit.
std::uint64_t shards_of(const PlannedSeries& planned, double seconds) {
  const double shards = std::ceil(static_cast<double>(planned.series.units) * planned.seconds / seconds);
  const double most = static_cast<double>(std::min(planned.series.units, most_shards));
  return static_cast<std::uint64_t>(std::clamp(shards, 1.0, std::max(1.0, most)));
}

// So many in all, each series its part, none of it without a shard.
void share_out(std::vector<PlannedSeries>& all, std::uint64_t shards) {
  std::uint64_t units = 0;
  for (const PlannedSeries& planned : all) units += planned.series.units;
  for (PlannedSeries& planned : all) {
    const double part =
        static_cast<double>(planned.series.units) / static_cast<double>(std::max<std::uint64_t>(1, units));
    const auto count = static_cast<std::uint64_t>(std::llround(part * static_cast<double>(shards)));
    planned.shards = std::clamp<std::uint64_t>(count, 1, std::max<std::uint64_t>(1, planned.series.units));
  }
}

std::vector<PlannedSeries> planned_series(const YamlValue& file, Job& job) {
  std::vector<PlannedSeries> all;
  for (const WorkSeries& series : job.series()) all.push_back({series});
  const auto shards = file.find("shards"), minutes = file.find("shard_minutes");
  if (shards && minutes) minutes->fail("`shards` says already how many there are; leave one of the two out.");
  if (shards) {
    share_out(all, whole_in(*shards, 1, most_shards));
    return all;
  }
  const double seconds = 60 * (minutes ? minutes->real(1, 10) : usual_minutes);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].seconds = job.seconds_of_unit(i);
    all[i].shards = shards_of(all[i], seconds);
  }
  return all;
}

std::string folder_above(const std::string& file) { return folder_of_file(file).string(); }

}  // namespace

CampaignManifest plan_campaign(const std::string& path, const CampaignFolder& folder, const CampaignSetting& setting) {
  const std::string text = read_config_text(path);
  const YamlValue file = read_yaml_text(text, path);
  const YamlValue named = file.at("kind");
  const CampaignKind& kind = campaign_kind(named);
  check_keys(file, kind);
  const std::string absolute = fs::absolute(path).lexically_normal().string();
  const auto job = kind.open({file, folder_above(absolute), folder.builds(), setting.catalogue, setting.log});
  job->prepare();
  const fs::path program = running_program();
  CampaignManifest manifest{file.at("campaign").text(),
                            std::string(kind.name),
                            text,
                            absolute,
                            setting.version,
                            program.string(),
                            file_sha256(program.string()),
                            catalogue_sha256(setting.catalogue),
                            job->ingredients(),
                            whole_of(file, "until_failures", 0, 1, std::numeric_limits<std::uint64_t>::max()),
                            static_cast<int>(whole_of(file, "threads", 1, 1, 256)),
                            planned_series(file, *job),
                            ""};
  folder.begin(manifest);
  return folder.manifest();
}

OpenCampaign::OpenCampaign(const CampaignFolder& folder, const CampaignSetting& setting)
    : manifest_(folder.manifest()),
      file_(read_yaml_text(manifest_.text, manifest_.file)),
      kind_(&campaign_kind(file_.at("kind"))),
      setting_(setting),
      job_(kind_->open({file_, folder_above(manifest_.file), folder.builds(), setting.catalogue, setting.log})) {}

void OpenCampaign::check() const {
  const std::string anew = "; plan the campaign anew, or bring back what it was planned with.";
  if (file_sha256(running_program().string()) != manifest_.program_sha256)
    throw Error{fmt::format("This program is not the one that campaign {} was planned with (assay {}, {}){}",
                            manifest_.name, manifest_.version, manifest_.program, anew)};
  if (catalogue_sha256(setting_.catalogue) != manifest_.catalogue_sha256)
    throw Error{"The catalogue is not the one that campaign " + manifest_.name + " was planned with" + anew};
  const std::vector<Ingredient> now = job_->ingredients();
  if (now == manifest_.ingredients) return;
  for (std::size_t i = 0; i < std::min(now.size(), manifest_.ingredients.size()); ++i) {
    if (now[i] == manifest_.ingredients[i]) continue;
    throw Error{now[i].name + " is not what campaign " + manifest_.name + " was planned with" + anew};
  }
  throw Error{"Devices or inputs of campaign " + manifest_.name + " are missing" + anew};
}

Portion OpenCampaign::portion(const CampaignFolder& folder, std::uint64_t shard) const {
  Portion portion = manifest_.portion(shard);
  if (!kind_->part.empty()) portion.file = folder.part(shard, std::string(kind_->part));
  return portion;
}

}  // namespace assay::campaign
