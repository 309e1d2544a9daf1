// A design from its spec to its folder.
#pragma once

#include "tb/design/answer.hpp"

namespace assay::design {

struct Designed {
  Spec spec;
  Space space;
  Searched found;
  Answer answer;
  std::string folder;
};

struct Place {
  std::string folder;  // empty: design-NAME
  std::string version;
};

// Searches, and writes the folder: spec.yaml, journal.jsonl, answer.json, points.csv, report.html, front/1.yaml and so
// on. Killed at any moment it goes on where it was. Throws Error.
Designed design(const std::string& spec_file, const Catalogue& catalogue, const Place& place, const Effort& effort,
                const Report& report);

}  // namespace assay::design
