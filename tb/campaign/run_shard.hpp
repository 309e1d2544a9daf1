// One shard, done once.
#pragma once

#include "tb/campaign/plan.hpp"

namespace assay::campaign {

enum class ShardEnd {
  done,
  done_before,  // there was a result, and nothing was done
  stopped,      // the campaign had enough failures before this shard began
};

// Of a campaign that is open and was checked. Throws Error.
ShardEnd run_shard(OpenCampaign& open, const CampaignFolder& folder, std::uint64_t shard);

// Writes the result of shard 1 .. manifest.shards(). Throws Error, and leaves the reason where `status` finds it.
ShardEnd run_shard(const CampaignFolder& folder, std::uint64_t shard, const CampaignSetting& setting);

}  // namespace assay::campaign
