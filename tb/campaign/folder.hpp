// The folder of a campaign: which file is what. Everything that is known of a campaign stands in these files, and each
// appears under its name when it is whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/campaign/manifest.hpp"

namespace assay::campaign {

// Who does a shard, and how far it is.
struct ShardAtWork {
  std::string host;
  std::int64_t process = 0, began = 0, seen = 0;  // seconds since 1970; `seen` is the file's own time
  std::uint64_t units = 0, failures = 0;
};

// Why a shard has no result.
struct ShardFailed {
  std::string host, sentence;
};

// Of a result that somebody changed or cut off: its shard has to be run again.
struct DamagedResult : Error {};

// The first line of a result.
struct ResultHead {
  std::uint64_t shard = 0, units = 0, failures = 0;
  double seconds = 0;
  std::string host;
  std::int64_t ended = 0;  // seconds since 1970
  std::vector<std::string> shown;
  std::string manifest_sha256, record_sha256;
  std::uint64_t record_bytes = 0;
};

class CampaignFolder {
 public:
  explicit CampaignFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string at(const std::string& name) const { return path_ + "/" + name; }
  std::string builds() const { return at("builds"); }

  // Throws Error where the folder holds something else already.
  void begin(const CampaignManifest& manifest) const;
  CampaignManifest manifest() const;  // throws Error

  // A thousand shards share a folder: file systems slow down where many more lie side by side.
  std::string result(std::uint64_t shard) const { return shard_file("results", shard, ".json"); }
  std::string part(std::uint64_t shard, const std::string& ending) const {
    return shard_file("results", shard, ending);
  }

  void write_result(const ResultHead& head, const nlohmann::json& record) const;
  // Nothing where there is none. Throws DamagedResult where it was changed, or does not end where it should, and Error
  // where it is another campaign's. That its record says what it said is for `record` to find.
  std::optional<ResultHead> result_head(const CampaignManifest& manifest, std::uint64_t shard) const;
  nlohmann::json record(const CampaignManifest& manifest, std::uint64_t shard) const;
  std::vector<std::uint64_t> with_result() const;  // shards, in order

  // What others may see is told, if it can be: a full disk ends no shard here.
  void tell_at_work(std::uint64_t shard, const ShardAtWork& told) const;
  void end_work(std::uint64_t shard) const;
  void tell_failed(std::uint64_t shard, const ShardFailed& told) const;
  std::map<std::uint64_t, ShardAtWork> at_work() const;
  std::map<std::uint64_t, ShardFailed> failed() const;

  // How many failures shards have told of, this one left out.
  void tell_failures(std::uint64_t shard, std::uint64_t failures) const;
  std::uint64_t failures_of_others(std::uint64_t shard) const;
  void stop() const;
  bool is_stopped() const;

 private:
  std::string shard_file(const std::string& folder, std::uint64_t shard, const std::string& ending) const;

  std::string path_;
};

}  // namespace assay::campaign
