// The fewest cases, of many, that kill the same mutants: what `generate --minimise` writes.
#pragma once

#include <functional>
#include <string>

#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"
#include "tb/score/minimise.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {

struct SmallestSet {
  std::uint64_t seen = 0;
  Minimised kept;  // each case has its number as a member "case"
};

// `progress`, which may be empty, hears how many cases were seen.
using SmallestProgress = std::function<void(std::uint64_t seen)>;

SmallestSet smallest_of_generated(const Plan& plan, NanRule nan, const Generator& generator, CaseRange range,
                                  const SmallestProgress& progress = {});

// Throws Error for whole-matrix cases, of which no element stands alone.
SmallestSet smallest_of_file(const Plan& plan, NanRule nan, VectorReader& reader,
                             const SmallestProgress& progress = {});

// "9 of 5,000 cases kill the same 43 mutants; no fewer do"
std::string sentence(const SmallestSet& found);

}  // namespace assay
