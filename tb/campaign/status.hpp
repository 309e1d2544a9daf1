// How far a campaign is, from its files alone: nobody is asked, and nothing need be running.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/campaign/folder.hpp"

namespace assay::campaign {

struct CampaignStatus {
  std::string name, kind, unit;
  std::uint64_t shards = 0, units = 0;
  std::uint64_t done = 0, done_units = 0;  // shards with a result, and units that have one
  std::uint64_t cut_short = 0;             // of those, stopped early
  std::uint64_t failures = 0;              // in results and of shards at work
  std::uint64_t waiting = 0;               // shards nobody is at, and that have no result
  bool stopped = false;                    // enough failures
  double units_a_second = 0;               // of all that are at work together, by what they did so far; 0: not known
  double seconds_left = 0;                 // 0: not known, or nothing is left
  double worked_seconds = 0;               // of results, one after the other
  struct AtWork {
    std::uint64_t shard = 0, units = 0;  // `units` of the shard are done ...
    std::uint64_t of = 0;                // ... of so many
    std::string host;
    std::int64_t seconds = 0, silent = 0;  // since it began, and since it was heard of
    bool is_lost() const { return silent > 180; }
  };
  struct NotDone {
    std::uint64_t shard = 0;
    std::string host, sentence;
  };
  std::vector<AtWork> at_work;
  std::vector<NotDone> failed;       // and not at work again; these are waiting, too
  std::vector<std::string> shown;    // the first failures of the first shards that have any
  std::vector<std::string> damaged;  // results that cannot be read, a sentence each

  bool complete() const { return done_units == units && damaged.empty(); }
};

CampaignStatus status_of(const CampaignFolder& folder, std::int64_t now);

std::string status_text(const CampaignStatus& status);
nlohmann::json status_json(const CampaignStatus& status);
// A page that loads itself again every so many seconds.
std::string status_page(const CampaignStatus& status, int every);

}  // namespace assay::campaign
