// The journals that shards of samples leave, as one.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/campaign/work.hpp"

namespace assay::campaign {

inline std::string journal_in(const std::string& folder) { return folder + "/journal.jsonl"; }

class Journals {
 public:
  // Of a shard whose folder is the portion's file; the record's `journal` is the SHA-256 that it had.
  void add(const Portion& portion, const nlohmann::json& record);
  // Writes journal.jsonl of the folder. Throws Error where a journal is not the one that its shard wrote.
  void put_together(const std::string& folder);

 private:
  struct Part {
    std::uint64_t first = 0;
    std::string folder, sha256;
  };
  std::vector<Part> parts_;
};

}  // namespace assay::campaign
