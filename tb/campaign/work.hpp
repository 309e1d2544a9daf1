// A kind of campaign: what its units of work are, how one shard of them is done, and what becomes of all results.
// kinds.cpp is the table of them; a further kind is a row there and a file of its own beside it.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/config/catalogue.hpp"
#include "model/config/yaml.hpp"
#include "tb/generate/levels.hpp"

namespace assay::campaign {

// Units of work of one sort that follow one another: the blocks of cases of one comparison, the mutants of one
// datapath. What a unit gives depends on nothing but its number, so that shards of any size give the same.
struct WorkSeries {
  std::string name;
  std::uint64_t units = 0;
};

// Something that the results depend on, by its content.
struct Ingredient {
  std::string name;  // "device rtl:dut.yaml"
  std::string sha256;

  bool operator==(const Ingredient& o) const { return name == o.name && sha256 == o.sha256; }
};

// Some units of a series, and the file for what is too large for a record; its ending is the kind's.
struct Portion {
  std::size_t series = 0;
  CaseRange units;
  std::string file;
};

// What a shard leaves behind.
struct Finished {
  std::uint64_t units = 0;  // fewer than asked for where it was told to stop
  std::uint64_t failures = 0;
  std::vector<std::string> shown;  // a line for each of the first failures
  nlohmann::json record;
};

// Told after each unit how many failures there are so far; says whether to go on.
using GoOn = std::function<bool(std::uint64_t failures)>;

// What all results together say.
struct MergedResult {
  Ending ending = Ending::passed;
  std::string text;                // the report
  std::vector<std::string> files;  // beside it
};

// Takes the records of shards, in any order, and keeps no more of them than the whole needs.
class Fold {
 public:
  virtual ~Fold() = default;
  Fold() = default;
  Fold(const Fold&) = delete;
  Fold& operator=(const Fold&) = delete;

  virtual void add(const Portion& portion, const nlohmann::json& record) = 0;
  // Writes what a single machine would have given to files in `folder`; `missing` says in a sentence what is not there,
  // and is empty where all is. Throws Error.
  virtual MergedResult write(const std::string& folder, const std::string& missing) = 0;
};

class Job {
 public:
  virtual ~Job() = default;
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  virtual std::vector<WorkSeries> series() const = 0;
  // Builds what all shards share, once.
  virtual void prepare() {}
  virtual std::vector<Ingredient> ingredients() const = 0;
  // Seconds that a unit of the series takes here, by doing a little of it.
  virtual double seconds_of_unit(std::size_t series) = 0;
  // Throws Error.
  virtual Finished run(const Portion& portion, const GoOn& go_on) = 0;
  virtual std::unique_ptr<Fold> fold() = 0;
};

// What a kind makes its job of.
struct Order {
  const YamlValue& file;  // the campaign's, all of it
  std::string folder;     // that relative paths in it begin at
  std::string builds;     // the folder for RTL that is built once
  const Catalogue& catalogue;
  std::ostream& log;  // hears what takes long
};

struct CampaignKind {
  std::string_view name;                             // "compare"
  std::string_view about;                            // in one line
  std::string_view unit;                             // what it is divided into: "block of cases"
  std::vector<std::string_view> keys;                // of the campaign's file, beside the common ones
  std::unique_ptr<Job> (*open)(const Order& order);  // throws Error
  std::string_view part = {};                        // ending of a shard's file beside its record; empty: it has none
};

const std::vector<CampaignKind>& campaign_kinds();

// Throws Error.
const CampaignKind& campaign_kind(const YamlValue& name);

}  // namespace assay::campaign
