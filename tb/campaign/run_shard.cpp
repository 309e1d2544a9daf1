#include "tb/campaign/run_shard.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

namespace assay::campaign {
namespace {

using namespace std::chrono_literals;

// Between two signs of life. Of a large campaign they come less often: all of its workers tell one file system.
std::chrono::seconds pulse_of(std::uint64_t shards) {
  return std::chrono::seconds(std::clamp<std::uint64_t>(shards / 100, 10, 60));
}

constexpr auto looked = 2s;  // between two looks at what others have found

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// While it lives, the folder says that this process is at work on the shard.
class SignOfLife {
 public:
  SignOfLife(const CampaignFolder& folder, std::uint64_t shard, std::chrono::seconds pulse)
      : folder_(folder), shard_(shard), pulse_(pulse), told_{host_name(), ::getpid(), seconds_since_1970(), 0, 0, 0} {
    folder_.tell_at_work(shard_, told_);
    thread_ = std::thread([this] { beat(); });
  }
  ~SignOfLife() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    thread_.join();
    folder_.end_work(shard_);
  }
  SignOfLife(const SignOfLife&) = delete;
  SignOfLife& operator=(const SignOfLife&) = delete;

  void at(std::uint64_t units, std::uint64_t failures) {
    const std::lock_guard<std::mutex> lock(mutex_);
    told_.units = units;
    told_.failures = failures;
  }

 private:
  void beat() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!wake_.wait_for(lock, pulse_, [this] { return ended_; })) folder_.tell_at_work(shard_, told_);
  }

  const CampaignFolder& folder_;
  std::uint64_t shard_;
  std::chrono::seconds pulse_;
  ShardAtWork told_;
  bool ended_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

// Whether a shard goes on, after each of its units.
class EarlyEnd {
 public:
  EarlyEnd(const CampaignFolder& folder, const CampaignManifest& manifest, std::uint64_t shard)
      : folder_(folder), most_(manifest.until_failures), shard_(shard) {}

  bool goes_on(std::uint64_t failures) {
    if (most_ == 0) return true;
    if (failures != told_) folder_.tell_failures(shard_, told_ = failures);
    const auto now = std::chrono::steady_clock::now();
    if (now - seen_ >= looked) {
      seen_ = now;
      others_ = folder_.failures_of_others(shard_);
    }
    if (failures + others_ >= most_) folder_.stop();
    return !folder_.is_stopped();
  }

 private:
  const CampaignFolder& folder_;
  std::uint64_t most_, shard_, told_ = 0, others_ = 0;
  std::chrono::steady_clock::time_point seen_;
};

bool is_done(const CampaignFolder& folder, const CampaignManifest& manifest, std::uint64_t shard) try {
  const auto head = folder.result_head(manifest, shard);
  return head && (head->units == manifest.portion(shard).units.count || folder.is_stopped());
} catch (const DamagedResult&) {
  return false;
}

void work(OpenCampaign& open, const CampaignFolder& folder, std::uint64_t shard) {
  const auto began = std::chrono::steady_clock::now();
  SignOfLife life(folder, shard, pulse_of(open.manifest().shards()));
  EarlyEnd early(folder, open.manifest(), shard);
  std::uint64_t units = 0;
  const Portion portion = open.portion(folder, shard);
  std::filesystem::create_directories(std::filesystem::path(folder.result(shard)).parent_path());
  const Finished finished = open.job().run(portion, [&](std::uint64_t failures) {
    life.at(++units, failures);
    return early.goes_on(failures);
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  folder.write_result({shard, finished.units, finished.failures, seconds, host_name(), seconds_since_1970(),
                       finished.shown, open.manifest().sha256, ""},
                      finished.record);
}

}  // namespace

ShardEnd run_shard(OpenCampaign& open, const CampaignFolder& folder, std::uint64_t shard) {
  if (is_done(folder, open.manifest(), shard)) return ShardEnd::done_before;
  if (folder.is_stopped()) return ShardEnd::stopped;
  work(open, folder, shard);
  folder.tell_failed(shard, {});
  return ShardEnd::done;
}

ShardEnd run_shard(const CampaignFolder& folder, std::uint64_t shard, const CampaignSetting& setting) {
  const CampaignManifest manifest = folder.manifest();
  if (shard < 1 || shard > manifest.shards())
    throw Error{
        fmt::format("There is no shard {}: campaign {} has shards 1 to {}.", shard, manifest.name, manifest.shards())};
  try {
    if (is_done(folder, manifest, shard)) return ShardEnd::done_before;
    if (folder.is_stopped()) return ShardEnd::stopped;
    OpenCampaign open(folder, setting);
    open.check();
    return run_shard(open, folder, shard);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error{std::string("The folder of the campaign cannot be used: ") + error.what() + "."};
  } catch (const Error& error) {
    folder.tell_failed(shard, {host_name(), error.message});
    throw;
  }
}

}  // namespace assay::campaign
