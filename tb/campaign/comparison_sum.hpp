// What comparisons found, added up: of a shard from its blocks, of a campaign from its shards. Every sum is the same in
// whatever order its parts come.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/comparison.hpp"

namespace assay::campaign {

inline constexpr std::size_t most_alike = 10;  // failures that are kept of those alike

// A failure as its reader sees it.
struct KeptFailure {
  std::string text;   // the failure in full
  std::string again;  // the command that shows it
};

// Failures that begin at one place in blocks with one explanation.
struct AlikeFailures {
  std::uint64_t cases = 0;
  std::map<std::uint64_t, KeptFailure> kept;  // by number of the case: the first ones
  std::uint64_t block = 0;  // the first of them, and what was said of it: the smallest case among that
  std::vector<std::string> explanation;

  void add(const AlikeFailures& other);
};

struct AlikeKey {
  std::string first;    // "step[0].sum.round"
  std::string changes;  // of the datapath, that explain them; empty: none was found

  bool operator<(const AlikeKey& o) const { return std::tie(first, changes) < std::tie(o.first, o.changes); }
};

class ComparisonSum {
 public:
  void add(const Comparison& found, std::uint64_t block);
  void add(const ComparisonSum& other);
  void add(const nlohmann::json& record);

  nlohmann::json record() const;

  // With the waivers and known differences that `empty`, a summary of nothing, has.
  Summary summary(const Plan& plan, Summary empty) const;
  const std::map<AlikeKey, AlikeFailures>& alike() const { return alike_; }
  std::uint64_t failures() const;

 private:
  static constexpr std::size_t counts_ = 16;

  void add_alike(const Comparison& found, const Summary& summary, std::uint64_t block);
  void leave_out();
  void count_into(Summary& s) const;

  std::uint64_t count_[counts_] = {};
  std::uint64_t first_leftover_ = static_cast<std::uint64_t>(-1);
  std::map<std::string, std::uint64_t> first_places_, repeated_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> groups_;  // family, first place
  std::set<std::string> complaints_;
  std::vector<std::uint64_t> waived_, known_;
  std::map<AlikeKey, AlikeFailures> alike_;
};

}  // namespace assay::campaign
