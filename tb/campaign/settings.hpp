// What the keys of a campaign's file say that several kinds have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/campaign/blocks.hpp"
#include "tb/campaign/work.hpp"
#include "tb/generate/generator.hpp"
#include "tb/scoreboard/scoreboard.hpp"
#include "tb/subject/subject.hpp"

namespace assay::campaign {

// Of a mapping or of the text of a key: a whole number of decimal digits within the bounds. Throws Error.
std::uint64_t whole_in(const YamlValue& value, std::uint64_t least, std::uint64_t most);

// The same of a key that may be missing.
std::uint64_t whole_of(const YamlValue& file, const std::string& key, std::uint64_t usual, std::uint64_t least,
                       std::uint64_t most);

// One word, or a list of them; empty where the key is missing.
std::vector<std::string> words_of(const YamlValue& file, const std::string& key);

// A path as the file means it: from its own folder.
std::string path_from(const std::string& folder, const std::string& path);

// "rtl:dut.yaml" with its file's path from `folder` on, where that is a file there; any other device as it is.
std::string device_from(const std::string& folder, const std::string& spec);

// `instruction` (one, a list, an architecture, or all) or `datapath`; empty where there is neither. Throws Error.
std::vector<Subject> subjects_in(const Order& order);

// The keys `cases`, `level`, `seed`, `family`, `block`.
inline constexpr std::string_view case_keys[] = {"cases", "level", "seed", "family", "block"};

struct CasesChosen {
  Blocks blocks;
  std::uint64_t seed = 1;
  std::string family;  // empty: all in turn
  int level = 0;       // 0: a number was given

  Generator generator(const Plan& plan) const;
  // "level 1: 5,000 cases, seed 1, 18 families in turn", as commands say it.
  std::string text(const Generator& generator) const;
};
CasesChosen cases_in(const YamlValue& file);

NanRule nan_in(const YamlValue& file, const Subject& subject);

}  // namespace assay::campaign
