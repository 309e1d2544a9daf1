// All results as the one thing that a single machine would have given.
#pragma once

#include "tb/campaign/plan.hpp"

namespace assay::campaign {

// Writes it into `into`; the same bytes for shards of any size, whatever order they ended in. Throws Error.
MergedResult merge_campaign(const CampaignFolder& folder, const std::string& into, const CampaignSetting& setting);

// "1-3, 7": numbers in order.
std::string ranges_text(const std::vector<std::uint64_t>& numbers);

}  // namespace assay::campaign
