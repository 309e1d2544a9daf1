// The fewest cases, of many, that kill the same mutants: what `generate --minimise` writes.
#pragma once

#include "sim/cli/generate_option.hpp"
#include "sim/cli/subject.hpp"
#include "tb/score/minimise.hpp"

namespace assay {

struct SmallestSet {
  VectorHeader header;
  Plan plan;
  std::uint64_t seen = 0;
  Minimised kept;  // each case has its number as a member "case"
};

SmallestSet smallest_of_generated(const SubjectOptions& of, const GenerateOptions& generate, const Console& console);

// Throws ConfigError for whole-matrix cases, of which no element stands alone.
SmallestSet smallest_of_file(const std::string& file, const Console& console);

// "9 of 5,000 cases kill the same 43 mutants; no fewer do"
std::string sentence(const SmallestSet& found);

}  // namespace assay
