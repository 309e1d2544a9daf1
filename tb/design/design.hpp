// A design from its spec to its folder.
#pragma once

#include "tb/design/answer.hpp"

namespace assay::design {

struct FinishedDesign {
  Spec spec;
  Space space;
  Searched found;
  DesignAnswer answer;
  std::string folder;
};

struct DesignPlace {
  std::string folder;  // empty: design-NAME
  std::string version;
  const KnownPoints* known = nullptr;  // what need not be found out again
};

// Searches, and writes the folder: spec.yaml, journal.jsonl, answer.json, points.csv, report.html, front/1.yaml and so
// on. Killed at any moment it goes on where it was. Throws Error.
FinishedDesign design(const std::string& spec_file, const Catalogue& catalogue, const DesignPlace& place,
                      const SearchAllowance& effort, const SearchReport& report);

}  // namespace assay::design
