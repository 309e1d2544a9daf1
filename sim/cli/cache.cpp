// assay cache: what is kept of builds, proofs and costs, and keeping it within bounds.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/command.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/cache_upkeep.hpp"

namespace assay {
namespace {

struct Options {
  std::string what = "list", limit;
  int days = -1;
  bool all = false, json = false;
};

std::string size_text(std::uint64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit < 4; ++unit) size /= 1024;
  return fmt::format(unit == 0 ? "{:.0f} {}" : "{:.1f} {}", size, units[unit]);
}

double days_since(const CacheEntry& entry) {
  const std::chrono::duration<double, std::ratio<86400>> days =
      std::filesystem::file_time_type::clock::now() - entry.used;
  return std::max(0.0, days.count());
}

nlohmann::ordered_json entry_json(const CacheEntry& entry) {
  return {{"kind", entry.kind},
          {"name", entry.name},
          {"path", entry.path.string()},
          {"bytes", entry.bytes},
          {"days", days_since(entry)}};
}

int list(const Options& options, const Console& console) {
  const std::vector<CacheEntry> entries = cache_entries();
  std::uint64_t bytes = 0;
  for (const CacheEntry& entry : entries) bytes += entry.bytes;
  if (options.json) {
    nlohmann::ordered_json json{{"place", cache_root().string()}, {"bytes", bytes}, {"limit", nullptr}};
    if (const auto limit = cache_limit()) json["limit"] = *limit;
    json["entries"] = nlohmann::ordered_json::array();
    for (const CacheEntry& entry : entries) json["entries"].push_back(entry_json(entry));
    console.out << json.dump(1) << "\n";
    return passed;
  }
  console.out << fmt::format("{:<8}{:>12}{:>12}  {}\n", "kind", "size", "days ago", "name");
  for (const CacheEntry& entry : entries)
    console.out << fmt::format("{:<8}{:>12}{:>12.1f}  {}\n", entry.kind, size_text(entry.bytes), days_since(entry),
                               entry.name);
  const auto limit = cache_limit();
  console.out << fmt::format("\n{} entries, {} in {}; the limit is {}.\n", entries.size(), size_text(bytes),
                             cache_root().string(), limit ? size_text(*limit) : "none");
  return passed;
}

int verify(const Options& options, const Console& console) {
  const std::vector<CacheEntry> entries = cache_entries();
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (const CacheEntry& entry : entries) {
    const std::string trouble = trouble_of(entry);
    if (trouble.empty()) continue;
    nlohmann::ordered_json json = entry_json(entry);
    json["trouble"] = trouble;
    found.push_back(json);
    if (!options.json) console.out << entry.path.string() << ": " << trouble << ".\n";
  }
  if (options.json) {
    console.out << nlohmann::ordered_json{{"entries", entries.size()}, {"damaged", found}}.dump(1) << "\n";
  } else {
    console.out << fmt::format("{} of {} entries are whole{}\n", entries.size() - found.size(), entries.size(),
                               found.empty() ? "." : "; assay cache clean removes the others.");
  }
  return found.empty() ? passed : mismatch;
}

CacheBounds bounds_of(const Options& options) {
  CacheBounds bounds{cache_limit(), std::nullopt, true};
  if (!options.limit.empty()) {
    bounds.most_bytes = bytes_of(options.limit);
    if (!bounds.most_bytes)
      throw Error{"--limit is '" + options.limit + "', and has to be a size such as 20G or 500M."};
  }
  if (options.all) bounds.most_bytes = 0;
  if (options.days >= 0) bounds.longest = std::chrono::hours(24) * options.days;
  return bounds;
}

int clean(const Options& options, const Console& console) {
  const Cleaned cleaned = clean_cache(bounds_of(options));
  for (const std::string& sentence : cleaned.refused) console.err << "assay: " << sentence << "\n";
  if (options.json) {
    console.out << nlohmann::ordered_json{{"removed", cleaned.removed},
                                          {"bytes_removed", cleaned.bytes_removed},
                                          {"kept", cleaned.kept},
                                          {"in_use", cleaned.in_use},
                                          {"bytes_kept", cleaned.bytes_kept},
                                          {"refused", cleaned.refused}}
                       .dump(1)
                << "\n";
  } else {
    console.out << fmt::format("Removed {} ({}), kept {} ({}); {} of them in use.\n", cleaned.removed,
                               size_text(cleaned.bytes_removed), cleaned.kept + cleaned.in_use,
                               size_text(cleaned.bytes_kept), cleaned.in_use);
  }
  return cleaned.refused.empty() ? passed : wrong_use;
}

int run_cache(const Options& options, const Console& console) {
  const bool bounded = options.all || options.days >= 0 || !options.limit.empty();
  if (bounded && options.what != "clean") throw Error{"--all, --days and --limit are for assay cache clean."};
  if (options.what == "clean") return clean(options, console);
  return options.what == "verify" ? verify(options, console) : list(options, console);
}

}  // namespace

void add_cache(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("cache", "What is kept of builds, proofs and costs: list, verify, clean.");
  command.footer("Example:  assay cache\n          assay cache clean --limit 5G");
  command
      .add_option("WHAT", options->what,
                  "list: each entry; verify: those that are damaged; clean: removes these, and what is above the limit")
      .one_of({"list", "verify", "clean"});
  command.add_option("--limit", options->limit, "clean: so much may stay, such as 5G; else $ASSAY_CACHE_LIMIT, or 20G");
  add_number(command, "--days", options->days, {0, 36500}, "clean: also what nobody used for so many days");
  command.add_flag("--all", options->all, "clean: everything");
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console, &status] { status = run_cache(*options, console); });
}

}  // namespace assay
