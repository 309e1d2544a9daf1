#include "tb/campaign/merge.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "model/base/text.hpp"

namespace assay::campaign {
namespace {

constexpr std::size_t most_ranges = 20;  // that a sentence names

// What is not there.
struct Gap {
  std::vector<std::uint64_t> shards;
  std::uint64_t units = 0;  // of these, and of shards that were stopped in the middle
  std::size_t stopped = 0;
};

std::string missing_text(const Gap& gap, const CampaignManifest& manifest, std::string_view unit) {
  if (gap.units == 0) return "";
  std::string text = fmt::format("Missing: {} of {}", grouped(gap.units), counted(manifest.units(), unit));
  if (!gap.shards.empty())
    text += fmt::format("; {} without a result: {}", counted(gap.shards.size(), "shard"), ranges_text(gap.shards));
  if (gap.stopped != 0) text += fmt::format("; {} stopped early", counted(gap.stopped, "shard"));
  return text + ".";
}

}  // namespace

std::string ranges_text(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < numbers.size(); ++ranges) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (ranges == most_ranges) return text + ", ..";
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (last > i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

MergedResult merge_campaign(const CampaignFolder& folder, const std::string& into, const CampaignSetting& setting) try {
  OpenCampaign open(folder, setting);
  open.check();
  const CampaignManifest& manifest = open.manifest();
  const std::unique_ptr<Fold> fold = open.job().fold();
  Gap gap;
  for (std::uint64_t shard = 1; shard <= manifest.shards(); ++shard) {
    Portion portion = open.portion(folder, shard);
    const auto head = folder.result_head(manifest, shard);
    const std::uint64_t asked = portion.units.count;
    if (head) {
      portion.units.count = head->units;
      fold->add(portion, folder.record(manifest, shard));
    } else {
      gap.shards.push_back(shard);
    }
    if (head && head->units < asked) ++gap.stopped;
    gap.units += head ? asked - head->units : asked;
  }
  std::filesystem::create_directories(into);
  return fold->write(into, missing_text(gap, manifest, open.kind().unit));
} catch (const std::filesystem::filesystem_error& error) {
  throw Error{std::string("The folder for the merged results cannot be used: ") + error.what() + "."};
} catch (const nlohmann::json::exception&) {
  throw Error{folder.path() + ": A result here is none that this version of Assay writes."};
}

}  // namespace assay::campaign
