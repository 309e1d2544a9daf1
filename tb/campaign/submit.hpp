// Handing the shards of a campaign to an engine that runs them: a script, and the command that starts it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tb/campaign/folder.hpp"

namespace assay::campaign {

struct SubmitOptions {
  std::uint64_t at_once = 0;      // shards; 0: what is usual for the engine
  std::uint64_t bundle = 1;       // shards that a task of the cluster does side by side
  std::string partition;          // of the cluster; empty: its own choice
  std::vector<std::string> more;  // further options for the engine, as they are
};

// A file to be written, and how it is started.
struct EngineScript {
  std::string name;  // in the folder `submit`
  std::string text;
  std::vector<std::string> command;  // with the file's path behind it
};

struct CampaignEngine {
  std::string_view name, about;
  bool waits;  // the command returns when the shards have ended
  std::vector<EngineScript> (*scripts)(const CampaignFolder& folder, const CampaignManifest& manifest,
                                       const std::vector<std::uint64_t>& shards, const SubmitOptions& options);
};

const std::vector<CampaignEngine>& engines();

// Those that have no result.
std::vector<std::uint64_t> shards_to_do(const CampaignFolder& folder, const CampaignManifest& manifest);

// Writes the scripts. Throws Error.
std::vector<EngineScript> write_scripts(const CampaignFolder& folder, const CampaignEngine& engine,
                                        const SubmitOptions& options);

// Which shard an array task of Slurm or LSF stands for; 0 where the variables say nothing. `get` looks one up, and
// gives nullptr where it is not set. Throws Error where one is no number.
std::uint64_t shard_of_task(const char* (*get)(const char* name));

}  // namespace assay::campaign
