// What a campaign is: written once by `plan`, and never changed. Every result names it by its hash.
#pragma once

#include <string>
#include <vector>

#include "tb/campaign/work.hpp"

namespace assay::campaign {

struct PlannedSeries {
  WorkSeries series;
  double seconds = 0;  // of a unit, as measured where it was planned; 0: not measured
  std::uint64_t shards = 1;
};

struct CampaignManifest {
  std::string name, kind;
  std::string text, file;  // the campaign's file, and where it lay
  std::string version;     // of Assay
  std::string program, program_sha256, catalogue_sha256;
  std::vector<Ingredient> ingredients;
  std::uint64_t until_failures = 0;  // 0: none ends it early
  int threads = 1;                   // of a shard
  std::vector<PlannedSeries> series;
  std::string sha256;  // of its file; not in it

  std::uint64_t shards() const;
  std::uint64_t units() const;
  // Of shard 1 .. shards(); without its file. The shards of a series are those of --shard.
  Portion portion(std::uint64_t shard) const;
  double seconds(const Portion& portion) const;
};

std::string manifest_json(const CampaignManifest& manifest);
// `name` is for messages. Throws Error.
CampaignManifest manifest_in(const std::string& text, const std::string& name);

}  // namespace assay::campaign
