#include "tb/campaign/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "model/base/descriptor.hpp"
#include "model/base/files.hpp"
#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "model/base/streams.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t shards_a_folder = 1000;
constexpr int result_version = 2;
constexpr std::size_t most_record = 256;  // MiB

// "000017.json" is 17; nothing of any other name, such as that of a file that is not whole.
std::optional<std::uint64_t> shard_of(const fs::path& file, const std::string& ending) {
  const std::string name = file.filename().string();
  if (name.size() <= ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
    return std::nullopt;
  std::uint64_t shard = 0;
  const char* const end = name.data() + name.size() - ending.size();
  const auto [at, error] = std::from_chars(name.data(), end, shard);
  if (error != std::errc{} || at != end) return std::nullopt;
  return shard;
}

// Every file of a shard below `folder`.
template <class Take>
void each_shard(const std::string& folder, const std::string& ending, Take take) {
  std::error_code none;
  for (auto at = fs::recursive_directory_iterator(folder, none); at != fs::recursive_directory_iterator();
       at.increment(none)) {
    if (none) return;
    if (const auto shard = shard_of(at->path(), ending)) take(*shard, at->path().string());
  }
}

std::optional<json> json_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  json found = json::parse(in, nullptr, false);
  if (!in.is_open() || found.is_discarded() || !found.is_object()) return std::nullopt;
  return found;
}

void tell(const std::string& path, const json& told) {
  try {
    write_whole_file(path, told.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  } catch (const Error&) {  // what is only told need not be there
  }
}

void remove_quietly(const std::string& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

// The bytes are on the disk before the name is: a power cut leaves no empty result.
void write_durably(const std::string& path, const std::string& text) {
  OutputFile file(path);
  descriptor_sink(file.descriptor(), file.name())(text, true);
  if (::fsync(file.descriptor()) != 0 && errno != EINVAL)
    throw Error{path + " cannot be written: " + reason_of(errno) + "."};
  file.finish();
}

json json_of(const ResultHead& head) {
  return {{"assay_campaign_result", result_version},
          {"manifest", head.manifest_sha256},
          {"shard", head.shard},
          {"units", head.units},
          {"failures", head.failures},
          {"seconds", head.seconds},
          {"host", head.host},
          {"ended", head.ended},
          {"shown", head.shown},
          {"record", head.record_sha256},
          {"bytes", head.record_bytes}};
}

std::string text_of(const json& line) { return line.dump(-1, ' ', false, json::error_handler_t::replace); }

// A first line holds its own hash.
json sealed(json head) {
  const std::string hash = sha256(text_of(head));
  head["head"] = hash;
  return head;
}

[[noreturn]] void damaged(const std::string& path) {
  throw DamagedResult{{path + ": This result is damaged; run its shard again."}};
}

// Of a line that `path` begins with.
ResultHead head_in(const std::string& line, const std::string& path) try {
  const json all = json::parse(line);
  if (all.at("assay_campaign_result").get<int>() != result_version)
    throw Error{path + ": This result is of another version of Assay."};
  json unsealed = all;
  unsealed.erase("head");
  if (sealed(unsealed) != all) damaged(path);
  return {all.at("shard").get<std::uint64_t>(),
          all.at("units").get<std::uint64_t>(),
          all.at("failures").get<std::uint64_t>(),
          all.at("seconds").get<double>(),
          all.at("host").get<std::string>(),
          all.at("ended").get<std::int64_t>(),
          all.at("shown").get<std::vector<std::string>>(),
          all.at("manifest").get<std::string>(),
          all.at("record").get<std::string>(),
          all.at("bytes").get<std::uint64_t>()};
} catch (const json::exception&) {
  damaged(path);
}

void check_head(const ResultHead& head, const CampaignManifest& manifest, std::uint64_t shard,
                const std::string& path) {
  if (head.manifest_sha256 != manifest.sha256)
    throw Error{path + ": This result is of another campaign than the manifest beside it; remove it."};
  if (head.shard != shard || head.units > manifest.portion(shard).units.count)
    throw Error{path + ": This is the result of shard " + std::to_string(head.shard) +
                ", under the name of another; remove it."};
}

}  // namespace

std::string CampaignFolder::shard_file(const std::string& folder, std::uint64_t shard,
                                       const std::string& ending) const {
  if (folder != "results") return fmt::format("{}/{}/{:06}{}", path_, folder, shard, ending);
  return fmt::format("{}/{}/{:04}/{:06}{}", path_, folder, (shard - 1) / shards_a_folder, shard, ending);
}

void CampaignFolder::begin(const CampaignManifest& manifest) const {
  const std::string text = manifest_json(manifest), file = at("manifest.json");
  std::error_code error;
  if (fs::exists(file, error)) {
    if (read_whole_file(file, most_record, "a manifest") == text) return;  // the same plan, made again
    throw Error{file + ": Another campaign is planned here; name another folder with -o."};
  }
  for (const char* name : {"results", "running", "failed", "failures", "logs", "submit"}) {
    fs::create_directories(at(name), error);
    if (error) throw Error{at(name) + " cannot be made: " + error.message() + "."};
  }
  write_durably(file, text);
  fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read, error);
}

CampaignManifest CampaignFolder::manifest() const {
  const std::string file = at("manifest.json");
  return manifest_in(read_whole_file(file, most_record, "a manifest of a campaign"), file);
}

void CampaignFolder::write_result(const ResultHead& head, const json& record) const {
  const std::string path = result(head.shard), line = text_of(record);
  ResultHead whole = head;
  whole.record_sha256 = sha256(line);
  whole.record_bytes = line.size();
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  write_durably(path, text_of(sealed(json_of(whole))) + "\n" + line + "\n");
}

std::optional<ResultHead> CampaignFolder::result_head(const CampaignManifest& manifest, std::uint64_t shard) const {
  const std::string path = result(shard);
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) return std::nullopt;
  std::string line;
  std::getline(in, line);
  const ResultHead head = head_in(line, path);
  check_head(head, manifest, shard, path);
  std::error_code error;
  if (fs::file_size(path, error) != line.size() + head.record_bytes + 2 || error) damaged(path);
  return head;
}

json CampaignFolder::record(const CampaignManifest& manifest, std::uint64_t shard) const {
  const std::string path = result(shard), text = read_whole_file(path, most_record, "a result");
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || text.back() != '\n') damaged(path);
  const ResultHead head = head_in(text.substr(0, end), path);
  check_head(head, manifest, shard, path);
  const std::string_view line = std::string_view(text).substr(end + 1, text.size() - end - 2);
  if (sha256(line) != head.record_sha256) damaged(path);
  return json::parse(line);
}

std::vector<std::uint64_t> CampaignFolder::with_result() const {
  std::vector<std::uint64_t> shards;
  each_shard(at("results"), ".json", [&](std::uint64_t shard, const std::string&) { shards.push_back(shard); });
  std::sort(shards.begin(), shards.end());
  return shards;
}

void CampaignFolder::tell_at_work(std::uint64_t shard, const ShardAtWork& told) const {
  tell(shard_file("running", shard, ".json"), {{"host", told.host},
                                               {"process", told.process},
                                               {"began", told.began},
                                               {"units", told.units},
                                               {"failures", told.failures}});
}

void CampaignFolder::end_work(std::uint64_t shard) const { remove_quietly(shard_file("running", shard, ".json")); }

void CampaignFolder::tell_failed(std::uint64_t shard, const ShardFailed& told) const {
  const std::string path = shard_file("failed", shard, ".json");
  if (told.sentence.empty()) return remove_quietly(path);
  tell(path, {{"host", told.host}, {"sentence", told.sentence}});
}

std::map<std::uint64_t, ShardAtWork> CampaignFolder::at_work() const {
  std::map<std::uint64_t, ShardAtWork> all;
  each_shard(at("running"), ".json", [&](std::uint64_t shard, const std::string& path) {
    const auto told = json_in(path);
    struct stat there {};
    if (!told || ::stat(path.c_str(), &there) != 0) return;
    all[shard] = {
        told->value("host", ""), told->value("process", std::int64_t{0}), told->value("began", std::int64_t{0}),
        there.st_mtime,          told->value("units", std::uint64_t{0}),  told->value("failures", std::uint64_t{0})};
  });
  return all;
}

std::map<std::uint64_t, ShardFailed> CampaignFolder::failed() const {
  std::map<std::uint64_t, ShardFailed> all;
  each_shard(at("failed"), ".json", [&](std::uint64_t shard, const std::string& path) {
    if (const auto told = json_in(path)) all[shard] = {told->value("host", ""), told->value("sentence", "")};
  });
  return all;
}

// The name says it all: whoever asks reads one folder and no file.
void CampaignFolder::tell_failures(std::uint64_t shard, std::uint64_t failures) const {
  std::error_code ignored;
  std::vector<fs::path> old;
  const std::string start = std::to_string(shard) + "-";
  for (const auto& entry : fs::directory_iterator(at("failures"), ignored)) {
    if (entry.path().filename().string().rfind(start, 0) == 0) old.push_back(entry.path());
  }
  if (failures != 0) std::ofstream(at("failures/" + start + std::to_string(failures))).close();
  for (const fs::path& path : old) {
    if (path.filename().string() != start + std::to_string(failures)) fs::remove(path, ignored);
  }
}

std::uint64_t CampaignFolder::failures_of_others(std::uint64_t shard) const {
  std::error_code none;
  std::map<std::uint64_t, std::uint64_t> of_shard;
  for (const auto& entry : fs::directory_iterator(at("failures"), none)) {
    const std::string name = entry.path().filename().string();
    const std::size_t dash = std::min(name.find('-'), name.size());
    std::uint64_t number = 0, count = 0;
    std::from_chars(name.data(), name.data() + dash, number);
    std::from_chars(name.data() + std::min(dash + 1, name.size()), name.data() + name.size(), count);
    if (number != shard) of_shard[number] = std::max(of_shard[number], count);
  }
  std::uint64_t sum = 0;
  for (const auto& [number, count] : of_shard) sum += count;
  return sum;
}

void CampaignFolder::stop() const { std::ofstream(at("stop")).close(); }

bool CampaignFolder::is_stopped() const {
  std::error_code none;
  return fs::exists(at("stop"), none);
}

}  // namespace assay::campaign
