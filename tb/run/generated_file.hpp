// Generated cases as a set that is kept: what `assay generate` writes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"
#include "tb/run/tally.hpp"
#include "tb/subject/subject.hpp"
#include "tb/vectors/case_writer.hpp"

namespace assay {

struct GeneratedSet {
  std::uint64_t seed = 1;
  std::string family;  // empty: all of them in turn
  CaseRange range;
  std::string part;  // the shard of a whole that this range is, "2/8"; empty: it is the whole
  bool with_results = false;
};

// Where the cases come from, so that they can be made again.
std::vector<HeaderMember> provenance(const GeneratedSet& set);

// The header of a file of them.
VectorHeader header_of(const GeneratedSet& set, const Subject& subject);

struct GeneratedBy {
  int threads = 1;                                   // the file is the same
  std::function<void(std::uint64_t done)> progress;  // hears how many have gone
};

// All of them to `writer`, which is finished then. `generator` is of the set's seed and family.
Tally write_generated(const GeneratedSet& set, const Subject& subject, const Generator& generator, CaseWriter& writer,
                      const GeneratedBy& by = {});

}  // namespace assay
