// What the cache holds, and keeping it within bounds.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// One thing that is kept: a unit's build, what yosys read, a cost, or a place that was proved.
struct CacheEntry {
  std::string kind, name;      // "rtl", and the hash of what went in
  std::filesystem::path path;  // a folder, or a file
  std::uint64_t bytes = 0;     // on the disk
  std::filesystem::file_time_type used;
};

// All of them, those first that were used last. Nothing where there is no cache yet.
std::vector<CacheEntry> cache_entries();

// What is wrong with an entry, as a sentence: it is damaged, or was never finished. Empty where it is whole.
std::string trouble_of(const CacheEntry& entry);

struct CacheBounds {
  std::optional<std::uint64_t> most_bytes;    // of all together
  std::optional<std::chrono::hours> longest;  // since an entry was used
  bool damaged = false;                       // remove those with trouble, too
};

struct Cleaned {
  std::size_t removed = 0, in_use = 0, kept = 0;
  std::uint64_t bytes_removed = 0, bytes_kept = 0;
  std::vector<std::string> refused;  // sentences: what could not be removed, and why
};

// Removes what lies outside, what nobody has used for longest first. An entry that somebody writes stays.
Cleaned clean_cache(const CacheBounds& bounds);

// Of "20G", "500M", "1000": bytes, in powers of 1024; nothing of any other text.
std::optional<std::uint64_t> bytes_of(const std::string& text);

// $ASSAY_CACHE_LIMIT, or 20 GiB; nothing where that is "none". Throws Error where it is no size.
std::optional<std::uint64_t> cache_limit();

}  // namespace assay
