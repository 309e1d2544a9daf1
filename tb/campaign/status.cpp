#include "tb/campaign/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "model/base/xml.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::size_t most_shown = 10;  // of each list

std::string duration(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::ceil(seconds));
  if (all < 60) return fmt::format("{} s", all);
  if (all < 3600) return fmt::format("{} min {} s", all / 60, all % 60);
  return fmt::format("{} h {} min", all / 3600, all / 60 % 60);
}

void add_result(CampaignStatus& s, const CampaignManifest& manifest, const ResultHead& head) {
  ++s.done;
  s.done_units += head.units;
  s.failures += head.failures;
  s.worked_seconds += head.seconds;
  if (head.units < manifest.portion(head.shard).units.count) ++s.cut_short;
  for (const std::string& line : head.shown) {
    if (s.shown.size() < most_shown) s.shown.push_back(fmt::format("shard {}, {}", head.shard, line));
  }
}

// Seconds of a unit: as results have it, else as it was measured where the campaign was planned.
double seconds_of_unit(const CampaignStatus& s, const CampaignManifest& manifest) {
  if (s.done_units != 0) return s.worked_seconds / static_cast<double>(s.done_units);
  double seconds = 0;
  for (const PlannedSeries& planned : manifest.series)
    seconds += planned.seconds * static_cast<double>(planned.series.units);
  return s.units == 0 ? 0 : seconds / static_cast<double>(s.units);
}

void estimate(CampaignStatus& s, const CampaignManifest& manifest) {
  const double unit = seconds_of_unit(s, manifest);
  const auto lost = std::count_if(s.at_work.begin(), s.at_work.end(), [](const auto& one) { return one.is_lost(); });
  const auto workers = static_cast<double>(s.at_work.size()) - static_cast<double>(lost);
  if (unit <= 0 || workers <= 0 || s.stopped) return;
  std::uint64_t done = s.done_units;
  for (const CampaignStatus::AtWork& one : s.at_work) done += one.is_lost() ? 0 : one.units;
  s.units_a_second = workers / unit;
  s.seconds_left = static_cast<double>(s.units - std::min(s.units, done)) / s.units_a_second;
}

std::string head_text(const CampaignStatus& s) {
  const double part = s.units == 0 ? 100 : 100.0 * static_cast<double>(s.done_units) / static_cast<double>(s.units);
  std::string text =
      fmt::format("campaign {} ({}): {} in {}\n", s.name, s.kind, counted(s.units, s.unit), counted(s.shards, "shard"));
  text += fmt::format("{:>10}  done: {} of {} {}s, {:.1f} %\n", s.done, grouped(s.done_units), grouped(s.units), s.unit,
                      part);
  if (s.cut_short != 0) text += fmt::format("{:>10}  of them stopped early\n", s.cut_short);
  text +=
      fmt::format("{:>10}  at work\n{:>10}  failed\n{:>10}  waiting\n", s.at_work.size(), s.failed.size(), s.waiting);
  if (s.worked_seconds > 0 && s.done_units > 0)
    text +=
        fmt::format("a {} takes {:.3g} s of one worker", s.unit, s.worked_seconds / static_cast<double>(s.done_units));
  if (s.worked_seconds > 0 && s.done_units > 0 && s.units_a_second > 0)
    text += fmt::format("; {:.3g} a second together", s.units_a_second);
  if (s.worked_seconds > 0 && s.done_units > 0) text += "\n";
  if (s.seconds_left > 0) text += fmt::format("about {} left\n", duration(s.seconds_left));
  if (s.stopped) text += "stopped: enough failures were found; remove the file `stop` to go on\n";
  return text;
}

std::string who_text(const CampaignStatus::AtWork& one) {
  return fmt::format("shard {} on {} since {}, {} of {}{}", one.shard, one.host,
                     duration(static_cast<double>(one.seconds)), grouped(one.units), grouped(one.of),
                     one.is_lost() ? ", not heard of for " + duration(static_cast<double>(one.silent)) : "");
}

std::vector<std::string> lines_at_work(const CampaignStatus& s) {
  std::vector<std::string> lines;
  for (const auto& one : s.at_work) lines.push_back(who_text(one));
  return lines;
}

std::vector<std::string> lines_failed(const CampaignStatus& s) {
  std::vector<std::string> lines;
  for (const auto& one : s.failed)
    lines.push_back(fmt::format("shard {} on {}: {}", one.shard, one.host, one.sentence));
  return lines;
}

// The lists, each with its heading.
std::vector<std::pair<std::string, std::vector<std::string>>> lists(const CampaignStatus& s) {
  return {{"at work", lines_at_work(s)},
          {"without a result", lines_failed(s)},
          {"cannot be read", s.damaged},
          {fmt::format("{} so far", counted(s.failures, "failure")), s.shown}};
}

}  // namespace

CampaignStatus status_of(const CampaignFolder& folder, std::int64_t now) {
  const CampaignManifest manifest = folder.manifest();
  CampaignStatus s;
  s.name = manifest.name;
  s.kind = manifest.kind;
  for (const CampaignKind& kind : campaign_kinds()) {
    if (kind.name == manifest.kind) s.unit = std::string(kind.unit);
  }
  s.shards = manifest.shards();
  s.units = manifest.units();
  s.stopped = folder.is_stopped();
  const auto at_work = folder.at_work();
  const auto failed = folder.failed();
  for (std::uint64_t shard = 1; shard <= s.shards; ++shard) {
    try {
      if (const auto head = folder.result_head(manifest, shard)) {
        add_result(s, manifest, *head);
        continue;
      }
    } catch (const Error& error) {
      s.damaged.push_back(error.message);
    }
    const auto working = at_work.find(shard);
    if (working != at_work.end()) {
      const ShardAtWork& told = working->second;
      s.failures += told.failures;
      s.at_work.push_back({shard, told.units, manifest.portion(shard).units.count, told.host,
                           std::max<std::int64_t>(0, now - told.began), std::max<std::int64_t>(0, now - told.seen)});
      continue;
    }
    ++s.waiting;
    if (const auto reason = failed.find(shard); reason != failed.end())
      s.failed.push_back({shard, reason->second.host, reason->second.sentence});
  }
  estimate(s, manifest);
  return s;
}

std::string status_text(const CampaignStatus& status) {
  std::string text = head_text(status);
  for (const auto& [heading, lines] : lists(status)) {
    if (lines.empty()) continue;
    text += heading + ":\n";
    for (std::size_t i = 0; i < std::min(most_shown, lines.size()); ++i) text += "  " + lines[i] + "\n";
    if (lines.size() > most_shown) text += fmt::format("  and {} more\n", lines.size() - most_shown);
  }
  return text;
}

json status_json(const CampaignStatus& s) {
  json at_work = json::array(), failed = json::array();
  for (const auto& one : s.at_work)
    at_work.push_back({{"shard", one.shard},
                       {"host", one.host},
                       {"units", one.units},
                       {"of", one.of},
                       {"seconds", one.seconds},
                       {"silent", one.silent},
                       {"lost", one.is_lost()}});
  for (const auto& one : s.failed)
    failed.push_back({{"shard", one.shard}, {"host", one.host}, {"sentence", one.sentence}});
  return {{"campaign", s.name},
          {"kind", s.kind},
          {"shards", s.shards},
          {"units", s.units},
          {"done", s.done},
          {"done_units", s.done_units},
          {"stopped_early", s.cut_short},
          {"waiting", s.waiting},
          {"failures", s.failures},
          {"stopped", s.stopped},
          {"worked_seconds", s.worked_seconds},
          {"units_a_second", s.units_a_second},
          {"seconds_left", s.seconds_left},
          {"at_work", at_work},
          {"failed", failed},
          {"shown", s.shown},
          {"damaged", s.damaged},
          {"complete", s.complete()}};
}

std::string status_page(const CampaignStatus& s, int every) {
  const double part = s.units == 0 ? 100 : 100.0 * static_cast<double>(s.done_units) / static_cast<double>(s.units);
  std::string body = fmt::format("<h1>{}</h1>\n<progress max=\"100\" value=\"{:.2f}\"></progress>\n<pre>{}</pre>\n",
                                 xml_text(s.name), part, xml_text(head_text(s)));
  for (const auto& [heading, lines] : lists(s)) {
    if (lines.empty()) continue;
    body += "<h2>" + xml_text(heading) + "</h2>\n<ul>\n";
    for (const std::string& line : lines) body += "<li>" + xml_text(line) + "</li>\n";
    body += "</ul>\n";
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"refresh\" content=\"{}\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>{}: {:.1f} %</title>\n<style>body{{font-family:sans-serif;max-width:60em;margin:1em auto;padding:0 1em}}"
      "progress{{width:100%}}pre{{white-space:pre-wrap}}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      every, xml_text(s.name), part, body);
}

}  // namespace assay::campaign
