// Making a campaign of its file, and opening one that was made.
#pragma once

#include "tb/campaign/folder.hpp"

namespace assay::campaign {

// What every step of a campaign is given.
struct CampaignSetting {
  const Catalogue& catalogue;
  std::string version;  // of Assay
  std::ostream& log;
};

// Reads the campaign's file, builds what all shards share, measures what a unit of work takes, and writes the manifest.
// Throws Error.
CampaignManifest plan_campaign(const std::string& file, const CampaignFolder& folder, const CampaignSetting& setting);

// The job of a manifest: what was planned, from the text that stands in it.
class OpenCampaign {
 public:
  OpenCampaign(const CampaignFolder& folder, const CampaignSetting& setting);

  const CampaignManifest& manifest() const { return manifest_; }
  const CampaignKind& kind() const { return *kind_; }
  Job& job() { return *job_; }

  // That program, catalogue, devices and inputs are those that it was planned with. Throws Error.
  void check() const;

  // The portion of a shard, with its file.
  Portion portion(const CampaignFolder& folder, std::uint64_t shard) const;

 private:
  CampaignManifest manifest_;
  YamlValue file_;
  const CampaignKind* kind_;
  const CampaignSetting& setting_;
  std::unique_ptr<Job> job_;
};

}  // namespace assay::campaign
